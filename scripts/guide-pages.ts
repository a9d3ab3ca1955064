// Reads the school's guide in docs/use: for the pages of Help, and for the check that it is whole.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import type { Block, GuidePage, Inline } from '../src/features/guide/contract/page.ts';

const folder = join(import.meta.dirname, '../docs/use');
const first = 'README';
/** Bytes of a picture. */
const mostPicture = 60_000;

/** Reads a page; throws with its name for what Help does not show. */
export function readGuidePage(name: string, markdown: string): GuidePage {
  const [title = '', ...parts] = markdown.trim().split(/\n\n+/);
  if (!title.startsWith('# ')) throw new Error(`${name} must begin with its title: "# …".`);
  return { title: title.slice(2), blocks: parts.map((part) => readBlock(name, part)) };
}

function readBlock(name: string, part: string): Block {
  if (part.startsWith('## ')) return { kind: 'head', words: part.slice(3) };
  const picture = /^!\[([^\]]{10,200})\]\((pictures\/[a-z-]+\.webp)\)$/.exec(part);
  if (picture) return { kind: 'picture', words: picture[1] ?? '', src: picture[2] ?? '' };
  const lines = part.split('\n');
  const marker = /^(?:- |\d+\. )/.exec(part)?.[0];
  if (marker)
    return { kind: 'list', isOrdered: marker !== '- ', items: itemsOf(lines).map((item) => readLine(name, item)) };
  if (/^[#>|`!<]|^\s/.test(part)) throw new Error(`${name} has what Help does not show: ${lines[0]}`);
  return { kind: 'text', line: readLine(name, lines.join(' ')) };
}

/** The items of a list; a line that begins with spaces belongs to the item before it. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    const item = line.replace(/^(?:- |\d+\. )/, '');
    if (item !== line) items.push(item);
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items;
}

function readLine(name: string, line: string): Inline[] {
  const parts = line.split(/(\*\*[^*]{1,100}\*\*|\[[^[\]]{1,100}\]\([^()]{1,100}\))/);
  return parts.filter(Boolean).map((part) => {
    const [, bold] = /^\*\*([^*]{1,100})\*\*$/.exec(part) ?? [];
    if (bold) return { bold };
    const [, words, target] = /^\[([^[\]]{1,100})\]\(([^()]{1,100})\)$/.exec(part) ?? [];
    if (!words || !target) {
      if (/[*`<\]]/.test(part)) throw new Error(`${name} has what Help does not show: ${part}`);
      return part;
    }
    const page = /^([A-Za-z-]+)\.md$/.exec(target)?.[1];
    if (!page) throw new Error(`${name} links to ${target}, which is no page of the guide.`);
    return { words, page };
  });
}

/** Makes a module of each page of the guide, which imports its pictures. */
export function guidePages(): Plugin {
  return {
    name: 'guide-pages',
    enforce: 'pre',
    transform: {
      filter: { id: /\/docs\/use\/[A-Za-z-]+\.md$/ },
      handler(markdown, id) {
        const page = readGuidePage(basename(id), markdown);
        const pictures = page.blocks.filter((block) => block.kind === 'picture').map(({ src }) => src);
        const imports = pictures.map(
          (src, index) => `import p${index} from ${JSON.stringify(`${join(dirname(id), src)}?url&no-inline`)};`,
        );
        // A picture's place in the page becomes the address that the build gives it.
        const code = JSON.stringify(page).replace(/"src":"([^"]+)"/g, (_, src) => `"src":p${pictures.indexOf(src)}`);
        return { code: `${imports.join('\n')}\nexport const page = ${code};\n`, map: null };
      },
    },
  };
}

interface Guide {
  pages: Readonly<Record<string, GuidePage>>;
  /** The bytes of each picture, by its place in the guide's folder. */
  pictures: Readonly<Record<string, number>>;
}

/** A message for each page that nothing leads to, each link and picture that is missing, and each picture too many or too large. */
export function brokenGuide({ pages, pictures }: Guide): string[] {
  const linesOf = ({ blocks }: GuidePage) =>
    blocks.flatMap((block) => (block.kind === 'text' ? [block.line] : block.kind === 'list' ? block.items : []));
  const linksOf = (page: GuidePage) =>
    linesOf(page).flatMap((line) =>
      line.flatMap((part) => (typeof part === 'object' && 'page' in part ? [part.page] : [])),
    );
  const shown = new Set<string>();
  const problems = Object.entries(pages).flatMap(([name, page]) => [
    ...linksOf(page)
      .filter((link) => !(link in pages))
      .map((link) => `docs/use/${name}.md links to ${link}.md, which does not exist.`),
    ...page.blocks.flatMap((block) => {
      if (block.kind !== 'picture') return [];
      shown.add(block.src);
      return block.src in pictures ? [] : [`docs/use/${name}.md shows ${block.src}, which does not exist.`];
    }),
  ]);
  const listed = new Set(pages[first] ? linksOf(pages[first]) : []);
  return [
    ...problems,
    ...Object.keys(pages)
      .filter((name) => name !== first && !listed.has(name))
      .map((name) => `docs/use/${first}.md does not lead to ${name}.md.`),
    ...Object.entries(pictures).flatMap(([name, bytes]) => [
      ...(shown.has(name) ? [] : [`No page of docs/use shows ${name}.`]),
      ...(bytes > mostPicture ? [`docs/use/${name} has ${bytes} bytes; at most ${mostPicture}.`] : []),
    ]),
  ];
}

/** Reads the guide from the disk. */
export function readGuide(): Guide {
  const files = globSync('*.md', { cwd: folder });
  const pictures = existsSync(join(folder, 'pictures')) ? globSync('pictures/*', { cwd: folder }) : [];
  return {
    pages: Object.fromEntries(
      files.map((file) => [basename(file, '.md'), readGuidePage(file, readFileSync(join(folder, file), 'utf8'))]),
    ),
    pictures: Object.fromEntries(pictures.map((file) => [file, statSync(join(folder, file)).size])),
  };
}

if (import.meta.main) {
  const problems = brokenGuide(readGuide());
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
