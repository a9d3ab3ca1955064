import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, traverse } from '@babel/core';

const root = join(import.meta.dirname, '..');

/** Folders of features whose words are no school's alone. */
const generalWords =
  'account approval audit calendar cover dashboard family notification report run search staff subject system tag ticket transport';

/**
 * Words of a school, which the kit must not use: the names of features, and these. `section` (an HTML element) and `year`
 * (part of every date) are allowed.
 */
const schoolWords = new Set([
  ...'fee grade guardian hospital inquiry parents pupil teacher timetable'.split(' '),
  ...readdirSync(join(root, 'src/features')).filter((name) => !generalWords.split(' ').includes(name)),
]);

interface Exception {
  path: string;
  /** The identifier, or a part of the text. */
  holds: string;
  reason: string;
}

const exceptions: Exception[] = [
  {
    path: 'src/kit/contract/endpoint.ts',
    holds: 'inquiryNo',
    reason: 'Links that families hold name their value so, and such a name never changes.',
  },
  {
    path: 'src/kit/server/context.ts',
    holds: 'inquiry',
    reason: 'The record that a link opens; only inquiries have links so far.',
  },
  { path: 'src/kit/server/http/routes.ts', holds: 'inquiry', reason: 'As in context.ts.' },
  {
    path: 'src/kit/contract/numbering.ts',
    holds: 'academicYear',
    reason: 'A period that numbers begin anew in, as the database stores it.',
  },
  { path: 'src/kit/contract/numbering.ts', holds: 'namesAcademicYear', reason: 'Asks for that period.' },
  { path: 'src/kit/server/database/numbering.ts', holds: 'namesAcademicYear', reason: 'Asks for that period.' },
  { path: 'src/kit/server/database/numbering.ts', holds: 'academicYear', reason: 'Asks for that period.' },
  {
    path: 'src/kit/server/database/numbering.ts',
    holds: 'No academic year is current',
    reason: 'Says what that period lacks.',
  },
  { path: 'src/kit/contract/errors.ts', holds: 'The school’s system', reason: 'Names to people whom they deal with.' },
  { path: 'src/kit/server/files/files.ts', holds: 'call the school', reason: 'As in errors.ts.' },
  {
    path: 'src/kit/server/config.ts',
    holds: 'school',
    reason: 'Says whose tenant a provider must name.',
  },
  {
    path: 'src/kit/server/variables.ts',
    holds: 'school',
    reason: 'Examples of addresses, and the word for who is served.',
  },
  { path: 'src/kit/server/settings.ts', holds: 'school_now()', reason: 'The clock in SQL.' },
  { path: 'src/kit/server/messages/sending-warnings.ts', holds: 'school_now()', reason: 'The clock in SQL.' },
  { path: 'src/kit/server/import/import-journal.ts', holds: 'school_now()', reason: 'The clock in SQL.' },
];

interface Source {
  path: string;
  text: string;
}

/** Lists identifiers and texts of the kit that use a school's word, and exceptions that are no longer needed. */
export function schoolWordsIn(sources: Source[], allowed: readonly Exception[] = exceptions): string[] {
  const all = sources.flatMap(textsOf).filter(({ text }) => wordsOf(text).some((word) => schoolWords.has(word)));
  const isFor = (exception: Exception) => (entry: Text) =>
    exception.path === entry.path && entry.text.includes(exception.holds);
  const found = all
    .filter((entry) => !allowed.some((exception) => isFor(exception)(entry)))
    .map(({ path, line, text }) => `${path}:${line} says “${text.trim()}”. It belongs to a feature.`);
  const idle = allowed
    .filter((exception) => !all.some(isFor(exception)))
    .map(({ path, holds }) => `${path} “${holds}” is not there any more. Remove it from the exceptions.`);
  return [...found, ...idle];
}

interface Text extends Source {
  line: number;
}

/** The words of an identifier or a sentence in lower case, each also without a plural's s. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]+/)
    .flatMap((word) => [word, word.replace(/s$/, '')]);

function textsOf({ path, text }: Source): Text[] {
  const plugins: ('typescript' | 'jsx')[] = path.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'];
  const tree = parseSync(text, { configFile: false, babelrc: false, filename: path, parserOpts: { plugins } });
  const found: Text[] = [];
  if (!tree) return found;
  traverse(tree, {
    enter: ({ node }) => {
      const add = (said: string) => found.push({ path, line: node.loc?.start.line ?? 0, text: said });
      if (node.type === 'Identifier' || node.type === 'JSXIdentifier') add(node.name);
      if (node.type === 'StringLiteral' || node.type === 'JSXText') add(node.value);
      if (node.type === 'TemplateElement') add(node.value.raw);
    },
  });
  return found;
}

if (import.meta.main) {
  const paths = globSync('src/kit/**/*.{ts,tsx}', { cwd: root, exclude: (name) => /\.test\.tsx?$/.test(name) });
  const problems = schoolWordsIn(paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
