import { join } from 'node:path';

interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[]; importers: readonly string[] } | null;
}

const root = join(import.meta.dirname, '..');

/** Whether a module is loaded with another one: itself, or imported by it at any depth. */
function isLoadedWith(file: string) {
  const start = join(root, file);
  const found = new Set<string>();
  return (id: string, graph: Graph) => {
    if (found.size === 0) {
      const left = [start];
      for (let next = left.pop(); next; next = left.pop()) {
        if (found.has(next)) continue;
        found.add(next);
        left.push(...(graph.getModuleInfo(next)?.importedIds ?? []));
      }
    }
    return found.has(id);
  };
}

/** Modules of at least this many pages are loaded together at the first of them. */
const sharedByMany = 28;
/** Icons that so many modules show come with the shell: a file for each would be a request for a few bytes. */
const shownByFew = 2;
const isCommonIcon = (id: string, graph: Graph) =>
  id.includes('/icons-react/dist/esm/icons/') && (graph.getModuleInfo(id)?.importers.length ?? 0) >= shownByFew;

/**
 * How the shell's build groups modules: without groups the first view takes 77 scripts, each a request.
 * What more pages need comes in one file as well, and the rest as the build splits it.
 */
export function chunkGroups() {
  const [isOfStart, isOfSignIn, isOfShell] = [
    isLoadedWith('src/browser.tsx'),
    isLoadedWith('src/features/sign-in/pages/SignInPage.tsx'),
    isLoadedWith('src/app/shell/ShellRoute.tsx'),
  ];
  return [
    { name: (id: string, graph: Graph) => (isOfStart(id, graph) ? 'start' : null), priority: 4 },
    { name: (id: string, graph: Graph) => (isOfSignIn(id, graph) ? 'sign-in' : null), priority: 3 },
    {
      name: (id: string, graph: Graph) => (isOfShell(id, graph) || isCommonIcon(id, graph) ? 'shell' : null),
      priority: 2,
    },
    // The editor needs it without the pages that are put with it otherwise.
    { name: (id: string) => (id.endsWith('/kit/contract/rich-text.ts') ? 'rich-text' : null), priority: 1.5 },
    { name: 'kit', minShareCount: sharedByMany, priority: 1 },
  ];
}
