// The types of the changed files and of what imports them; tsc would work out those of the whole product.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { API, type Diagnostic } from 'typescript/unstable/async';
import { changedFiles } from './changed-files.ts';
import { importersOf, readGraph } from './module-graph.ts';
import { leadsOn } from './since.ts';

interface Place {
  root: string;
  /** The projects of TypeScript; one is read only where a file of its own is asked for. */
  projects: readonly string[];
}

const product: Place = {
  root: join(import.meta.dirname, '..'),
  projects: ['tsconfig.server.json', 'tsconfig.browser.json'],
};

/** The errors in these files that tsc would find in each of their projects. */
export async function typeErrors(files: readonly string[], { root, projects } = product): Promise<string[]> {
  const paths = files.map((path) => join(root, path)).filter(existsSync);
  const api = new API({ cwd: root });
  try {
    const found: Diagnostic[] = [];
    for (const name of projects) {
      const config = join(root, name);
      const { fileNames } = await api.parseConfigFile(config);
      const own = paths.filter((path) => fileNames.includes(path));
      if (own.length === 0) continue;
      const program = (await api.updateSnapshot({ openProjects: [config] })).getProject(config)?.program;
      if (!program) throw new Error(`TypeScript opened no ${name}.`);
      for (const path of own)
        found.push(...(await program.getSyntacticDiagnostics(path)), ...(await program.getSemanticDiagnostics(path)));
    }
    return [...new Set(found.map((one) => messageOf(one, root)))];
  } finally {
    await api.close();
  }
}

function messageOf({ fileName = '', pos, code, text, messageChain = [] }: Diagnostic, root: string): string {
  const line = readFileSync(fileName, 'utf8').slice(0, pos).split('\n').length;
  const more = messageChain.map((part) => `\n  ${part.text}`);
  return `${relative(root, fileName)}:${line} TS${code}: ${text}${more.join('')}`;
}

if (import.meta.main) {
  const files = [...importersOf(changedFiles ?? [], readGraph({ withTypes: true }), leadsOn)];
  const problems = await typeErrors(files);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
