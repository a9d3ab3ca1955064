import { sql } from 'kysely';
import { reachesBranch } from '#access/server/scope.ts';
import { isNoName, oneNameWords } from '#features/school/contract/one-name.ts';
import { childKeys, type OfferedStudent, studentsAsked } from '#features/student/api.ts';
import { showDate } from '#kit/contract/day.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { fieldErrors, normalMobile } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { type ImportLine, importRows, twiceMessage } from '#kit/server/import/import-rows.ts';
import type { ImportTarget } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { type Answers, answered } from '#kit/server/import/row-question.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { type Names, readCell } from '#kit/server/master/cells.ts';
import { audit } from '#kit/server/security/audit.ts';
import { importedInquiry, inquiryFile, inquiryImportApi } from '../../contract/import.ts';
import { tellAllAssigned } from './assigned-notice.ts';
import { addInquiries, boardOf, checkPlace, lockChildren, readPlaces, type Values } from './new-inquiry.ts';
import { findSameChildren } from './similar.ts';

interface Line extends ImportLine {
  values: Values;
  boardId: number;
}

const target: ImportTarget = {
  kind: inquiryImportApi.import.path,
  name: 'inquiries',
  fields: inquiryFile,
  readNames,
  undo: { table: 'admission_inquiry', isKept: true },
};

const importAll = (ctx: UserContext, input: Omit<ParsedOf<typeof inquiryImportApi.import>, 'shown'>) => {
  const table = namedRows(ctx.table());
  return importRows(ctx, {
    input,
    target,
    rules: { table: 'admission_inquiry', fields: {} },
    lockTable: () => lockChildren(ctx),
    compare: () => compareRows(ctx, table, input.plan),
    write: async (lines) => {
      const made = await addInquiries(ctx, lines, { From: 'file' });
      for (const [index, { id }] of made.entries()) (lines[index] as Line).id = id;
    },
    audit: async (lines, { added, same }) => {
      await audit(ctx, { action: 'inquiry.imported', entity: 'inquiry', entityId: 0, details: { added, same } });
      const assigned = lines.map(({ status, values }) => (status === 'added' ? values.assignedToId : null));
      await tellAllAssigned(
        ctx,
        assigned.filter((id) => id !== null),
      );
    },
  });
};

/** Reads each row of the file, and finds the children that have an inquiry in the year or are students. */
async function compareRows(ctx: UserContext, table: TableRow[], plan: Answers | undefined): Promise<Line[]> {
  const names = await readNames(ctx);
  const branches = activeIds(names.branchId).filter((id) => reachesBranch(ctx.user, id));
  const rows = await mapRows(table, ({ line, cells }) => readRow(line, cells, { names, branches }));
  const places = await readPlaces(
    ctx,
    rows.map(({ values }) => values),
  );
  const children = rows.map(({ values, messages }) => (isChild(messages) ? values : { ...values, birthDate: '' }));
  const same = await findSameChildren(ctx, children);
  const named = children.map(({ firstName, lastName, birthDate, fatherMobile, motherMobile }) => ({
    ...{ firstName, lastName, birthDate, gender: '', grNo: '', branchId: null },
    mobiles: [fatherMobile, motherMobile].map(normalMobile).filter(Boolean),
  }));
  const students = await studentsAsked(ctx, named);
  refuseTwice(rows, await childKeys(ctx, named));
  return mapRows([...rows.entries()], ([index, { line, displayName, values, messages: read }]): Line => {
    const near = same[index];
    const found = near?.isWrittenSo ? near : undefined;
    const asked = found ? undefined : questionOf(students[index]?.[0], near, values);
    const question = asked && answered(plan, line, asked);
    const messages = { ...read };
    if (question && question.answer === undefined) messages[question.field] ??= question.text;
    const row = {
      ...{ line, displayName, values, stored: values, boardId: boardOf(places, values), before: undefined },
      ...(question && { question }),
    };
    const errors = { ...(isChild(messages) && !found && checkPlace(ctx.user, places, values)), ...messages };
    if (Object.keys(errors).length > 0) return { ...row, status: 'wrong', messages: errors };
    if (question?.answer === 'same') return { ...row, status: 'same', messages: { '': question.text } };
    if (!found) return { ...row, status: 'added', messages };
    const { id, inquiryNo } = found;
    return {
      ...row,
      // Its version does not matter: the inquiry is left as it is.
      before: { id, version: 0 },
      status: 'same',
      messages: { '': text`${{ inquiryNo }} has this name and birth date.` },
    };
  });
}

/** Refuses a row whose child stands in an earlier one, in whatever script or order its name is written. */
function refuseTwice(rows: readonly ReadRow[], keys: Awaited<ReturnType<typeof childKeys>>) {
  const seen = new Map<string, number>();
  for (const [index, { line, values, messages }] of rows.entries()) {
    const person = keys[index]?.person;
    if (!person) continue;
    const key = `${values.academicYearId} ${person}`;
    const twice = seen.get(key);
    if (twice) messages.firstName ??= twiceMessage(twice);
    else seen.set(key, line);
  }
}

/** Whether a row is about a student or about an inquiry with nearly its name; undefined where it is about neither. */
function questionOf(
  student: OfferedStudent | undefined,
  near: { inquiryNo: string } | undefined,
  { firstName, lastName }: Values,
) {
  const hasOneName = firstName !== '' && lastName === '';
  if (!student && !near)
    return hasOneName
      ? {
          kind: 'oneName',
          field: 'lastName',
          text: text`The last name is empty. Does ${{ name: firstName }} have one name only?`,
          choices: [{ key: 'one', label: oneNameWords.label }],
        }
      : undefined;
  const kind = student ? 'student' : 'inquiry';
  const choices = [
    { key: 'same', label: text`The same child: leave the row out` },
    {
      key: 'other',
      label: hasOneName ? text`Add the inquiry, with one name` : student ? text`Add the inquiry` : text`Another child`,
    },
  ];
  if (student) {
    const { name, grNo, place, leftOn } = student;
    const words = leftOn
      ? text`This may be ${{ name }}, GR ${{ number: grNo }}, who left on ${{ day: showDate(leftOn) }}.`
      : text`This may be ${{ name }}, GR ${{ number: grNo }}, ${{ place }}: already a student.`;
    return { kind, field: 'firstName', text: words, choices };
  }
  return (
    near && {
      kind,
      field: 'firstName',
      text: text`${{ inquiryNo: near.inquiryNo }} has nearly this name and birth date.`,
      choices,
    }
  );
}

/** Whether what tells children apart can be read. */
const isChild = (messages: FieldErrors) =>
  !['firstName', 'lastName', 'birthDate', 'academicYearId'].some((name) => messages[name]);

interface Reading {
  names: Names;
  /** The active branches that the user reaches. */
  branches: number[];
}

type ReadRow = ReturnType<typeof readRow>;

function readRow(line: number, cells: Record<string, string>, { names, branches }: Reading) {
  const whole = ['father', 'mother'].reduce(
    (row, parent) => splitName(row, `${parent}FirstName`, `${parent}LastName`),
    splitName(cells, 'firstName', 'lastName'),
  );
  const messages: FieldErrors = {};
  const typed: Record<string, unknown> = {};
  for (const name of Object.keys(inquiryFile)) {
    const { value, problem } = readCell({ fields: inquiryFile }, name, whole[name] ?? '', names);
    typed[name] = value ?? '';
    if (problem) messages[name] = problem;
  }
  if (isNoName(String(typed.firstName)) && typed.firstName !== '')
    messages.firstName ??= oneNameWords.noName(String(typed.firstName));
  // A sign in place of a last name says that there is none.
  if (isNoName(String(typed.lastName))) typed.lastName = '';
  typed.quota ||= 'General';
  // A school with one program or branch does not write it in every row.
  const programs = activeIds(names.programId);
  if (!whole.programId && programs.length === 1) typed.programId = programs[0];
  if (!whole.branchId && branches.length === 1) typed.branchId = branches[0];
  const parsed = importedInquiry.safeParse(typed);
  for (const [name, message] of Object.entries(parsed.error ? fieldErrors(parsed.error) : {}))
    messages[name] ??= message;
  const values = { ...typed, ...idsOf(typed), ...parsed.data } as Values;
  const displayName = [typed.firstName, typed.lastName].filter(Boolean).join(' ').slice(0, 120);
  return { line, displayName, values, messages };
}

/** The rows that the row points to, also where other cells of it are refused. */
const idsOf = (typed: Record<string, unknown>) =>
  Object.fromEntries(
    ['academicYearId', 'branchId', 'programId', 'gradeId', 'leadSourceId'].map((name) => [
      name,
      Number(typed[name]) || null,
    ]),
  );

const activeIds = (names: Names[string] | undefined) => [
  ...new Set([...(names?.values() ?? [])].flat().flatMap(({ id, isActive }) => (isActive ? [id] : []))),
];

/** Splits a whole name in a file that has no column for last names: the last word is the last name. */
function splitName(cells: Record<string, string>, first: string, last: string) {
  const words = (cells[first] ?? '').split(/\s+/).filter(Boolean);
  if (last in cells || words.length < 2) return cells;
  return { ...cells, [first]: words.slice(0, -1).join(' '), [last]: words.at(-1) ?? '' };
}

/** The rows that a cell may name: a grade also by its code, a member of staff by the employee number. */
async function readNames({ db, now }: UserContext): Promise<Names> {
  const { rows } = await sql<{ field: string; name: string; id: number; isActive: boolean }>`
    select 'academicYearId' as field, name, id, is_active as "isActive" from academic_year
    union select 'branchId', name, id, is_active from academic_branch
    union select 'branchId', code, id, is_active from academic_branch
    union select 'gradeId', name, id, is_active from academic_grade
    union select 'gradeId', code, id, is_active from academic_grade
    union select 'programId', name, id, is_active from academic_program
    union select 'programId', board.name || ', ' || program.name, program.id, program.is_active
      from academic_program program join academic_board board on board.id = program.board_id
    union select 'leadSourceId', name, id, is_active from academic_lookup where kind = 'Lead source'
    union select 'assignedToId', unnest(array[name, employee_number]), id, exists (
        select from staff_employment spell where spell.staff_id = staff.id
          and coalesce(spell.last_day, 'infinity') >= ${toLocalDate(now())})
      from staff`.execute(db);
  const names: Names = {};
  for (const { field, name, id, isActive } of rows) {
    names[field] ??= new Map();
    const key = sameText(name);
    const others = names[field].get(key) ?? [];
    if (!others.some((other) => other.id === id)) names[field].set(key, [...others, { id, isActive, name }]);
  }
  return names;
}

export const importRoutes = routes(inquiryImportApi, importHandlers(target, importAll));
