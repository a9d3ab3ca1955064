// Refuses every other rule for where a child is than `student_place` (decision 0115): a latest section, a stored current year.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, traverse, types } from '@babel/core';

/** The first migration after `student_place`; those before it are as they are. */
const firstMigration = '202612011102';

interface Allowed {
  finds: number;
  reason: string;
}

/** What a file may still hold, with the reason. The list only shrinks: a file with fewer of them fails too. */
const exceptions: Readonly<Record<string, Allowed>> = {
  'database/migrations/202612011200_school_clock.sql': {
    finds: 1,
    reason: 'A trigger refuses marks on days on which the child has no section.',
  },
  'database/migrations/202612011210_calendar_year_phase.sql': { finds: 1, reason: 'It takes the stored word away.' },
  'database/migrations/202612090100_student_places.sql': {
    finds: 1,
    reason: 'The places of all students in one pass; a property test compares each with `student_place`.',
  },
  'src/features/attendance/seed.ts': { finds: 1, reason: 'The demo marks every child on every day at once.' },
  'src/features/attendance/server/child-days.ts': { finds: 1, reason: 'All days of a span, of many children at once.' },
  'src/features/attendance/server/enrolment-answer.ts': {
    finds: 1,
    reason: 'The sections of the days of marks, in the act that moves the child.',
  },
  'src/features/attendance/server/month.ts': { finds: 2, reason: 'All days of a month of a section at once.' },
  'src/features/fee-money/server/report-lines.ts': {
    finds: 1,
    reason: 'The places of the days of thousands of receipts at once.',
  },
  'src/features/homework/seed.ts': { finds: 2, reason: 'The demo chooses full sections of the year.' },
  'src/features/homework/server/child-homework.ts': {
    finds: 1,
    reason: 'All sections of a child over the days of homework, found by index.',
  },
};

const firstDay = /\b(?:joined_on|effective_from)\b/;

/** The names that a statement gives to enrolments and sections of students: `student_section own` is `own`. */
const aliasesOf = (query: string) =>
  [...query.matchAll(/\bstudent_(?:enrollment|section)\b(?: as)?(?: (\w+))?/g)].flatMap(([, name]) => name ?? []);

/** The table that the select before these words reads first, or its alias. */
const readsPlaces = (before: string) =>
  /^from student_(?:enrollment|section)\b/.test(before.slice(before.lastIndexOf('from ')));

/** `id` of an enrolment or a section of a student, by its alias or, without one, by the select that it is in. */
const isIdOfPlace = (name: string, query: string, before: string) => {
  const [alias, column] = name.split('.');
  return column === undefined
    ? name === 'id' && readsPlaces(before)
    : column === 'id' && aliasesOf(query).includes(alias ?? '');
};

/** `order by … joined_on … limit 1` or `order by … id desc limit 1`, without a call between. */
const takesLatest = (query: string) =>
  query.split('order by ').some((after, index, parts) => {
    const end = after.search(/(?:limit 1(?!\d)|fetch first row only)/);
    if (index === 0 || end < 0) return false;
    const order = after.slice(0, end);
    if (/[()]/.test(order)) return false;
    const before = parts.slice(0, index).join('order by ');
    const byId = order.split(',').some((part) => {
      const [name = '', way] = part.trim().split(' ');
      return way === 'desc' && isIdOfPlace(name, query, before);
    });
    return firstDay.test(order) || byId;
  });

/** `joined_on = (select max(joined_on) from …)`, of an enrolment or a section of a student. */
const takesGreatest = (query: string) =>
  [...query.matchAll(/(?:=|\bin) \( ?select max\((?:\w+\.)?(?:joined_on|effective_from|id)\)([^()]*)/g)].some(
    ([, after = '']) => /^ from student_(?:enrollment|section)\b/.test(after),
  );

/** The same in calls: the first row in the order of a first day or of the ids, or `max` of them. */
const callsLatest = (query: string) => {
  const isOne = /limit\(1\)|executeTakeFirst/.test(query);
  const ordered = [...query.matchAll(/orderBy\('([\w.]+)'(, 'desc')?/g)].some(
    ([, name = '', isDown]) =>
      firstDay.test(name) || (isDown !== undefined && isIdOfPlace(name, query.replaceAll("'", ''), fromOfCalls(query))),
  );
  return (isOne && ordered) || /\bmax\('(?:\w+\.)?(?:joined_on|effective_from)'\)/.test(query);
};

/** `selectFrom('student_section as own')` as SQL writes it. */
const fromOfCalls = (query: string) => `from ${query.split("selectFrom('")[1]?.split(/[' ]/)[0] ?? ''}`;

/** `distinct on (student_id) … order by … joined_on`. */
const takesLatestOfEach = (query: string) =>
  query
    .split('distinct on (')
    .slice(1)
    .some((after) => {
      const end = after.indexOf(')');
      const [, ...ordered] = (after.slice(end).split(';')[0] ?? '').split('order by ');
      return after.slice(0, end).endsWith('student_id') && ordered.some((words) => firstDay.test(words));
    });

const rules: { words: string; holds: (path: string, query: string) => boolean }[] = [
  {
    words:
      'student_section is read by the student feature alone: join student_place, or student_on for those who are here',
    holds: (path, query) => !isOfStudent(path) && /\bstudent_section\b/.test(query),
  },
  {
    words: 'no year is current by a stored word: use academic_year_on of the day',
    holds: (_, query) =>
      ["status = 'Current'", "status', '=', 'Current'", 'is_current'].some((words) => query.includes(words)),
  },
  {
    words: 'the latest enrolment or section is no place: join student_place of a day',
    holds: (_, query) =>
      /\bstudent_(?:enrollment|section)\b/.test(query) &&
      (takesLatest(query) || takesLatestOfEach(query) || takesGreatest(query) || callsLatest(query)),
  },
  {
    words: 'an open end is no “now”, since the year ends: join student_place of a day',
    holds: (_, query) =>
      /\bstudent_section\b/.test(query) &&
      (/\beffective_to is null\b/.test(query) || /'[\w.]*effective_to', 'is', null/.test(query)),
  },
];

const isOfStudent = (path: string) =>
  path.startsWith('src/features/student/') || (path.endsWith('.sql') && path.includes('_student_'));

/** The statements of a module: its templates of SQL, and its chains of calls that select from a table. */
function statementsOf(code: string): { line: number; text: string }[] {
  const tree = parseSync(code, {
    configFile: false,
    babelrc: false,
    filename: 'module.ts',
    parserOpts: { plugins: ['typescript'] },
  });
  const found: { line: number; text: string }[] = [];
  if (!tree) return found;
  const take = (node: types.Node, text: string) =>
    found.push({ line: node.loc?.start.line ?? 0, text: text.replaceAll(/\s+/g, ' ') });
  traverse(tree, {
    enter: ({ node, parent }) => {
      const text = code.slice(node.start ?? 0, node.end ?? 0);
      if (types.isTemplateLiteral(node) && types.isTaggedTemplateExpression(parent)) take(node, text);
      // A chain of calls is taken at its last one, without the SQL in it.
      const isChain = types.isCallExpression(node) && !types.isMemberExpression(parent);
      if (isChain && /\.(?:selectFrom|innerJoin|leftJoin)\(/.test(text)) take(node, outsideSql(text));
    },
  });
  return found;
}

/** A text without what stands between back quotes. */
const outsideSql = (text: string) =>
  text
    .split('`')
    .filter((_, index) => index % 2 === 0)
    .join('');

/** The statements of a migration, without its comments. */
const ofMigration = (code: string) =>
  code
    .replaceAll(/--.*$/gm, '')
    .split(/;\s*$/m)
    .map((text) => ({ line: 0, text: text.replaceAll(/\s+/g, ' ') }));

interface Module {
  path: string;
  text: string;
}

/** What breaks the rule in a module, each with its line. */
export const otherPlaces = ({ path, text }: Module): string[] => [
  ...new Set(
    (path.endsWith('.sql') ? ofMigration(text) : statementsOf(text)).flatMap((statement) =>
      rules.filter(({ holds }) => holds(path, statement.text)).map(({ words }) => `line ${statement.line}: ${words}`),
    ),
  ),
];

/** Lists modules with more of them than allowed, and exceptions that allow more than there are. */
export const onePlace = (modules: readonly Module[], allowed = exceptions): string[] => [
  ...modules.flatMap((module) => {
    const found = otherPlaces(module);
    const { finds } = allowed[module.path] ?? { finds: 0 };
    if (found.length > finds) return found.map((one) => `${module.path}, ${one}.`);
    return found.length < finds
      ? [`${module.path} has only ${found.length}. Lower its number in scripts/one-place.ts.`]
      : [];
  }),
  ...Object.keys(allowed)
    .filter((path) => modules.every((module) => module.path !== path))
    .map((path) => `${path} is no module any more. Remove it from scripts/one-place.ts.`),
];

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const paths = [
    ...globSync('src/**/*.ts', { cwd: root }).filter((path) => !/\.(?:test|spec)\.ts$|\/examples\.ts$/.test(path)),
    ...globSync('database/migrations/*.sql', { cwd: root }).filter(
      (path) => (path.split('/').at(-1) ?? '') >= firstMigration,
    ),
  ];
  const problems = onePlace(paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
