// Checks the pages for engineers: decisions have one format, features have a README, and no link or number leads nowhere.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Page {
  /** From the root of the project. */
  path: string;
  text: string;
}

const mostWords = 250;
const mostLines = 60;
const mapAndFlow = 130;
const parts = ['Context', 'Decision', 'Consequences'];
const decisions = 'docs/decisions/';

const numberOf = (path: string) => /^docs\/decisions\/(\d{4})-[a-z-]+\.md$/.exec(path)?.[1];

/** A message for each decision that is longer than allowed or not in the one format. */
export function misshapenDecisions(pages: readonly Page[]): string[] {
  return pages.flatMap(({ path, text }) => {
    const number = numberOf(path);
    if (number === undefined) return [];
    const words = text.split(/\s+/).filter(Boolean).length;
    const heads = text.split('\n').filter((line) => line.startsWith('#'));
    const expected = parts.map((part) => `## ${part}`);
    const isInFormat = heads[0]?.startsWith(`# ${number} `) && heads.slice(1).join() === expected.join();
    return [
      ...(words > mostWords ? [`${path} has ${words} words; write at most ${mostWords}.`] : []),
      ...(isInFormat ? [] : [`${path} needs the title "# ${number} …" and the parts ${parts.join(', ')}.`]),
    ];
  });
}

/** The numbers of all decisions: those with a file, and those in the archive. */
export const decisionNumbers = (pages: readonly Page[]): Set<string> =>
  new Set([
    ...pages.flatMap(({ path }) => numberOf(path) ?? []),
    ...pages
      .filter(({ path }) => path === `${decisions}archive.md`)
      .flatMap(({ text }) => [...text.matchAll(/^- \*\*(\d{4}) /gm)].map(([, number = '']) => number)),
  ]);

/** A message for each cited decision that does not exist. */
export function unknownDecisions(sources: readonly Page[], known: ReadonlySet<string>): string[] {
  return sources.flatMap(({ path, text }) => {
    const cited = [...text.matchAll(/\bdecisions?[ /]\d{4}(?:,? (?:and )?\d{4}\b)*/gi)];
    const numbers = cited.flatMap(([words]) => words.match(/\d{4}/g) ?? []);
    return numbers
      .filter((number) => !known.has(number))
      .map((number) => `${path} cites decision ${number}, which is neither in ${decisions} nor in its archive.`);
  });
}

/** A message for each link between pages whose file does not exist. */
export function deadLinks(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^()\s]{1,300})\)/g)].flatMap(([, target = '']) => {
      const file = target.split('#')[0] ?? '';
      if (file === '' || /^[a-z]+:/.test(file)) return [];
      return exists(normalize(join(dirname(path), file))) ? [] : [`${path} links to ${target}, which does not exist.`];
    }),
  );
}

/** A message for each file that a feature's README names and that no folder has. */
export function missingFiles(pages: readonly Page[], paths: readonly string[]): string[] {
  const known = new Set(paths.map((path) => path.split('/').at(-1)));
  return pages
    .filter(({ path }) => /^src\/features\/[^/]+\/README\.md$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w./-]+\.tsx?)`/g)]
        .filter(([, file = '']) => !known.has(file.split('/').at(-1)))
        .map(([, file]) => `${path} names ${file}, which does not exist.`),
    );
}

/** A message for each feature whose README is missing or too long, and for an ARCHITECTURE of more than two screens. */
export function longPages(features: readonly string[], pages: readonly Page[]): string[] {
  const linesOf = (path: string) =>
    pages
      .find((page) => page.path === path)
      ?.text.trimEnd()
      .split('\n').length;
  const readmes = features.flatMap((feature) => {
    const path = `src/features/${feature}/README.md`;
    const lines = linesOf(path);
    if (lines === undefined) return [`${path} is missing; say what the area is, its words and its rules.`];
    return lines > mostLines ? [`${path} has ${lines} lines; write at most ${mostLines}.`] : [];
  });
  const lines = linesOf('ARCHITECTURE.md') ?? 0;
  return lines > mapAndFlow
    ? [...readmes, `ARCHITECTURE.md has ${lines} lines; write at most ${mapAndFlow}.`]
    : readmes;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const read = (patterns: string[]): Page[] =>
    globSync(patterns, { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const pages = read(['*.md', 'docs/**/*.md', 'src/**/*.md']);
  const sources = read(['*.ts', '{src,scripts,testing,e2e,bench,database}/**/*.{ts,tsx,mjs,css,sql,typ}']);
  // The tests of this check cite numbers that do not exist.
  const others = sources.filter(({ path }) => path !== 'scripts/papers.test.ts');
  const features = new Set(sources.flatMap(({ path }) => /^src\/features\/([^/]+)\//.exec(path)?.[1] ?? []));
  const problems = [
    ...misshapenDecisions(pages),
    ...unknownDecisions([...pages, ...others], decisionNumbers(pages)),
    ...deadLinks(pages, (path) => existsSync(join(root, path))),
    ...longPages([...features], pages),
    ...missingFiles(
      pages,
      sources.map(({ path }) => path),
    ),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
