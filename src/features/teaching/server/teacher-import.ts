import { sql } from 'kysely';
import { readSectionWords } from '#features/academic/api.ts';
import { lockOpenYear, readYear } from '#features/calendar/api.ts';
import { restoreText } from '#kit/contract/csv.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { type Named, refsOf } from '#kit/contract/field.ts';
import { fieldErrors, isRequired } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { type ImportLine, importRows, twiceMessage } from '#kit/server/import/import-rows.ts';
import type { ImportTarget } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { lookUpNames, namedIn, readCell } from '#kit/server/master/cells.ts';
import { type Act, auditAll } from '#kit/server/security/audit.ts';
import { sectionTeacherApi, teacherFile, teacherImportApi } from '../contract/section-teacher.ts';
import {
  type Changeable,
  changeable,
  type Entry,
  entryOf,
  insertAll,
  keyOf,
  noteOf,
  rules,
  updateAll,
} from './teacher-entry.ts';

interface Line extends ImportLine {
  entry: Entry;
  /** The cells as typed, for the audit. */
  cells: Record<string, string>;
  before: (Changeable & { id: number; version: number }) | undefined;
}

const target: ImportTarget = {
  kind: teacherImportApi.import.path,
  name: 'section-teachers',
  fields: teacherFile,
  undo: { table: 'academic_section_teacher' },
};

const importAll = async (ctx: UserContext, input: Omit<ParsedOf<typeof teacherImportApi.import>, 'shown'>) => {
  const { academicYearId } = input;
  const table = namedRows(ctx.table());
  await lockOpenYear(ctx, academicYearId);
  return importRows(ctx, {
    input,
    target,
    rules,
    lockTable: () => sql`lock table academic_section_teacher in share row exclusive mode`.execute(ctx.db),
    compare: () => compareRows(ctx, academicYearId, table),
    write: (written) => write(ctx, written),
    audit: (lines, { wrong: _, ...counts }) => {
      const details = { from: 'file', ...counts };
      const all: Act = {
        action: 'section-teacher.imported',
        entity: 'academic_year',
        entityId: academicYearId,
        details,
      };
      return auditAll(ctx, [...lines.flatMap(actOf), all]);
    },
  });
};

/** Compares every row of the file with the assignments of the year. */
async function compareRows(ctx: UserContext, academicYearId: number, table: TableRow[]): Promise<Line[]> {
  const [sections, there] = [await readSectionWords(ctx, academicYearId), await readThere(ctx, academicYearId)];
  const targets = refsOf({ fields: teacherFile }).flatMap(([name, { to }]): [string, Named][] =>
    to === 'self' ? [] : [[name, to]],
  );
  const names = await lookUpNames(ctx, targets);
  const seen = new Map<string, number>();
  return mapRows(table, ({ line, cells }) => {
    const messages: FieldErrors = {};
    const typed: Record<string, unknown> = {};
    for (const name of Object.keys(teacherFile)) {
      const { value, problem } = readCell({ fields: teacherFile }, name, cells[name] ?? '', names);
      typed[name] = value;
      if (problem) messages[name] = problem;
    }
    const section = sectionOf(sections, typed);
    if ('message' in section) messages.section ??= section.message;
    else typed.section = section.name;
    const draft = { ...typed, sectionId: 'id' in section ? section.id : 1 };
    const before = standing(draft as unknown as Entry, cells, names, there);
    // An existing assignment is kept even if its teacher or subject is inactive or not unique by name.
    if (before) {
      Object.assign(draft, { staffId: before.staffId, subjectId: before.subjectId });
      delete messages.staffId;
      delete messages.subjectId;
    }
    const parsed = sectionTeacherApi.assign.input.safeParse(draft);
    for (const [name, message] of Object.entries(parsed.error ? fieldErrors(parsed.error) : {}))
      messages[name] ??= message;
    const entry = (parsed.data ?? draft) as Entry;
    if (entry.role !== 'Subject teacher' && cells.subjectId)
      messages.subjectId = text`Only subject teachers have a subject. Leave this empty.`;
    const displayName = [cells.section, cells.subjectId || cells.role, cells.staffId]
      .filter(Boolean)
      .join(': ')
      .slice(0, 120);
    const known = { line, displayName, cells, entry, before, stored: { ...typed, ...parsed.data } };

    // A row without a teacher, as the export lists it.
    if (isEmptyPlace(cells, messages)) return { ...known, status: 'same', messages: {} };
    const twice = seen.get(keyOf(entry));
    if (twice) messages.section ??= twiceMessage(twice);
    if (Object.keys(messages).length > 0) return { ...known, status: 'wrong', messages };
    seen.set(keyOf(entry), line);
    const isSame = changeable.every((name) => before?.[name] === entry[name]);
    return { ...known, status: before ? (isSame ? 'same' : 'changed') : 'added', messages };
  });
}

const isEmptyPlace = (cells: Record<string, string>, messages: FieldErrors) =>
  ['staffId', ...changeable].every((name) => !cells[name]) &&
  ['section', 'role', 'subjectId', 'effectiveFrom'].every((name) => messages[name] === undefined);

type Names = Awaited<ReturnType<typeof lookUpNames>>;
type There = Awaited<ReturnType<typeof readThere>>;

/** The existing assignment that a row names. */
function standing(draft: Entry, cells: Record<string, string>, names: Names, there: There) {
  const of = (name: 'subjectId' | 'staffId') => namedIn(names, name, teacherFile[name], restoreText(cells[name] ?? ''));
  const subjects = draft.role === 'Subject teacher' ? of('subjectId').map(({ id }) => id) : [null];
  return subjects
    .flatMap((subjectId) => of('staffId').map(({ id: staffId }) => there.get(keyOf({ ...draft, subjectId, staffId }))))
    .find((entry) => entry !== undefined);
}

function sectionOf(named: Awaited<ReturnType<typeof readSectionWords>>, typed: Record<string, unknown>) {
  const is = (value: unknown, name: string) => !value || sameText(String(value)) === sameText(name);
  const [only, another] = named(String(typed.section), String(typed.grade)).filter(
    ({ program, branch }) => is(typed.program, program) && is(typed.branch, branch),
  );
  if (!typed.section) return { message: isRequired(teacherFile.section.label) };
  const words = [typed.grade, typed.section].filter(Boolean).join(' ');
  if (!only) return { message: text`“${{ words: words.slice(0, 60) }}” does not exist.` };
  return another ? { message: text`More than one section matches. Fill in Program and Branch too.` } : only;
}

async function readThere({ db }: UserContext, academicYearId: number) {
  const rows = await db
    .selectFrom('academic_section_teacher as own')
    .where('own.academic_year_id', '=', academicYearId)
    .select(['own.id', 'own.version', entryOf.as('entry')])
    .execute();
  return new Map(rows.map(({ entry, ...row }) => [keyOf(entry), { ...entry, ...row }]));
}

/** Updates first, so that an assignment ends before the next one starts. */
async function write({ db }: UserContext, lines: Line[]) {
  const changed = lines.flatMap(({ before, entry }) => (before ? [{ ...entry, id: before.id }] : []));
  await updateAll(db, changeable, changed);
  const added = lines.filter(({ before }) => !before);
  const ids = await insertAll(
    db,
    added.map(({ entry }) => entry),
  );
  for (const line of added) line.id = ids.get(keyOf(line.entry));
}

function actOf({ status, cells, entry, before }: Line): Act[] {
  if (status === 'same') return [];
  const days = before && { Before: `${entry.effectiveFrom} – ${before.effectiveTo}` };
  return [noteOf(before ? 'changed' : 'assigned', entry, cells, days)];
}

/** A sheet of class teachers says neither their role nor the day: it is from the first day of the year. */
const usual = async (ctx: UserContext, { academicYearId }: { academicYearId: number }, has: ReadonlySet<string>) => {
  const { starts_on } = await readYear(ctx, academicYearId);
  return {
    role: has.has('subjectId') ? 'Subject teacher' : 'Class teacher',
    effectiveFrom: starts_on.split('-').reverse().join('-'),
  };
};

export const teacherImportRoutes = routes(teacherImportApi, importHandlers(target, importAll, usual));
