// Refuses rows that a server maps by hand where nothing is computed: the kit maps each of them by its declaration.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, traverse, types } from '@babel/core';

/** So many columns of one row are not chosen one by one. */
const most = 2;

/** Rows that are mapped by hand, by file. The list only shrinks: a file with fewer of them fails too. */
const exceptions: Readonly<Record<string, { rows: number; reason: string }>> = {
  'src/features/admission-form/server/consent.ts': {
    rows: 1,
    reason: 'The words of a consent come with their address and moment.',
  },
  'src/features/admission-form/server/to-child.ts': {
    rows: 1,
    reason: 'Four pages of the form in the words of a student.',
  },
  'src/features/admission/server/account/create.ts': {
    rows: 1,
    reason: 'The words of a place, for readers of other features.',
  },
  'src/features/admission/server/account/plan.ts': {
    rows: 1,
    reason: 'The words of a place, for the price of a plan.',
  },
  'src/features/admission/server/decision/application.ts': {
    rows: 1,
    reason: 'An application that is gone is stale too.',
  },
  'src/features/admission/server/decision/payment.ts': { rows: 1, reason: 'The words of a place, for its receipts.' },
  'src/features/admission/server/inquiry/inquiry.ts': {
    rows: 1,
    reason: 'What is sent with the refusal is read then alone.',
  },
  'src/features/announcement/server/reach.ts': {
    rows: 1,
    reason: 'A row that is rolled back, with a category that is read in the insert.',
  },
  'src/features/announcement/server/save.ts': {
    rows: 1,
    reason: 'Half of the columns follow from what the author may do.',
  },
  'src/features/fee-money/server/take-money.ts': {
    rows: 2,
    reason: 'A payment is put together from payer, day and money; a child that is gone is stale too.',
  },
  'src/features/fee-price/server/discount/discount.ts': {
    rows: 1,
    reason: 'Each kind of discount leaves out other columns.',
  },
  'src/features/ticket/server/undo.ts': { rows: 1, reason: 'What was before, with the moment of the answer.' },
  'src/features/student/server/enrolment/correct-result.ts': {
    rows: 1,
    reason: 'The words of a place, for its sections.',
  },
  'src/features/student/server/enrolment/section-student.ts': {
    rows: 1,
    reason: 'A place with the day on which it began, and a word for the gender.',
  },
  'src/features/student/server/family/guardian.ts': {
    rows: 1,
    reason: 'Two versions at once, of the adult and of the link.',
  },
  'src/features/student/server/identity/add-students.ts': {
    rows: 2,
    reason: 'A child of a form becomes a record, a place and a seat.',
  },
  'src/features/student/server/identity/merge.ts': { rows: 1, reason: 'A head with sums of other tables.' },
  'src/features/student/server/import/import-sheet.ts': {
    rows: 1,
    reason: 'The cells of a file, with hidden numbers.',
  },
  'src/features/student/server/import/read-import.ts': {
    rows: 1,
    reason: 'A child with adults and schools, as far as the user sees them.',
  },
  'src/features/student/server/leaving/undo-leaving.ts': {
    rows: 1,
    reason: 'What an undo needs, as leavings store it.',
  },
  'src/features/student/server/list.ts': { rows: 1, reason: 'What the reader may not see is empty.' },
  'src/features/student/server/person/address.ts': { rows: 1, reason: 'A student without an address has version 0.' },
  'src/features/student/server/person/create.ts': {
    rows: 1,
    reason: 'The words of a place, for readers of other features.',
  },
  'src/features/student/server/person/health.ts': { rows: 1, reason: 'A student without answers has version 0.' },
  'src/features/student/server/person/record.ts': { rows: 1, reason: 'A head of record, place and rights.' },
};

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value without the words that only fit its type: `?? ''`, `as …`, `Number(…)` and `.toISOString()`. */
function bare(value: types.Node): types.Node {
  if (types.isLogicalExpression(value)) return bare(value.left);
  if (types.isTSAsExpression(value)) return bare(value.expression);
  if (!types.isCallExpression(value) && !types.isOptionalCallExpression(value)) return value;
  const { callee } = value;
  const [given] = value.arguments;
  if (types.isIdentifier(callee) && ['String', 'Number'].includes(callee.name) && given) return bare(given);
  const isMember = types.isMemberExpression(callee) || types.isOptionalMemberExpression(callee);
  return isMember && types.isIdentifier(callee.property, { name: 'toISOString' }) ? bare(callee.object) : value;
}

/** Whether a test compares a version, as `row.version !== version` and `(row?.version ?? 0) !== version` do. */
function comparesVersion(test: types.Node): boolean {
  if (types.isLogicalExpression(test)) return comparesVersion(test.left) || comparesVersion(test.right);
  if (!types.isBinaryExpression(test, { operator: '!==' })) return false;
  return [test.left, test.right].some((side) => {
    const value = bare(side);
    const isMember = types.isMemberExpression(value) || types.isOptionalMemberExpression(value);
    return isMember && types.isIdentifier(value.property, { name: 'version' });
  });
}

/** The mappings by hand in a module, each with what to use in its place. */
export function handMapped(code: string): string[] {
  const tree = parseSync(code, {
    configFile: false,
    babelrc: false,
    filename: 'module.ts',
    parserOpts: { plugins: ['typescript'] },
  });
  const found: string[] = [];
  if (!tree) return found;
  const wordsOf = ({ start, end }: types.Node) => code.slice(start ?? 0, end ?? 0);
  traverse(tree, {
    enter: ({ node }) => {
      const line = `line ${node.loc?.start.line}`;
      if (types.isObjectExpression(node))
        for (const [kit, names] of Map.groupBy(node.properties.flatMap(mapped), ({ kit }) => kit))
          for (const [row, own] of Map.groupBy(names, ({ row }) => wordsOf(row)))
            if (own.length > most)
              found.push(`${line}: ${own.map(({ name }) => name).join(', ')} of ${row}: use ${kit}`);
      if (!types.isIfStatement(node) || !comparesVersion(node.test)) return;
      const words = wordsOf(node.consequent);
      if (words.startsWith('throw stale(') || words.startsWith("throw new AppError('stale'"))
        found.push(`${line}: use requireVersion`);
    },
  });
  return found;
}

/** A property that is a column of a row under its other name, with the row and what the kit has for it. */
function mapped(property: types.Node) {
  if (!types.isObjectProperty(property) || !types.isIdentifier(property.key)) return [];
  const value = bare(property.value);
  if (!types.isMemberExpression(value) && !types.isOptionalMemberExpression(value)) return [];
  if (!types.isIdentifier(value.property)) return [];
  const [{ name }, source] = [property.key, value.property.name];
  if (name === source) return [];
  if (columnOf(name) === source) return [{ name, row: value.object, kit: 'toOutput or toWire' }];
  return columnOf(source) === name ? [{ name, row: value.object, kit: 'toRow or insertTogether' }] : [];
}

interface Module {
  path: string;
  text: string;
}

/** Lists modules with more such mappings than allowed, and exceptions that allow more than there are. */
export const mappedRows = (modules: readonly Module[], allowed = exceptions): string[] => [
  ...modules.flatMap(({ path, text }) => {
    const found = handMapped(text);
    const { rows } = allowed[path] ?? { rows: 0 };
    if (found.length > rows) return found.map((one) => `${path}, ${one}.`);
    return found.length < rows ? [`${path} has only ${found.length}. Lower its number in scripts/mapped-rows.ts.`] : [];
  }),
  ...Object.keys(allowed)
    .filter((path) => modules.every((module) => module.path !== path))
    .map((path) => `${path} is no module any more. Remove it from scripts/mapped-rows.ts.`),
];

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const paths = globSync('src/features/*/server/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  const problems = mappedRows(paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
