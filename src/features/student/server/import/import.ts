import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { houseMaster } from '#features/academic/contract/masters.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import { lookupMaster } from '#features/school/contract/masters.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { namesOf, pick, refsOf } from '#kit/contract/field.ts';
import type { ImportAnswer } from '#kit/contract/import.ts';
import { reasonsHead } from '#kit/contract/import-limits.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertRows, updateRows } from '#kit/server/database/bulk.ts';
import { toRow } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { addImport } from '#kit/server/import/import-journal.ts';
import { importAnswerOf, isStopped, isWritten } from '#kit/server/import/import-rows.ts';
import { type CreatedEntry, createEntries, type ImportTarget } from '#kit/server/import/import-target.ts';
import { rememberWords } from '#kit/server/import/import-words.ts';
import { namedRows } from '#kit/server/import/parse-table.ts';
import type { Answers } from '#kit/server/import/row-question.ts';
import { type NotDone, type RunBatch, type RunContext, startRun } from '#kit/server/job/runs.ts';
import { sheetFile } from '#kit/server/list/table-file.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit, auditAll } from '#kit/server/security/audit.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { childColumns, secretColumns, studentFile, studentImportApi } from '../../contract/import.ts';
import { askUnblocked, lockForCategory } from '../enrolment/ask-others.ts';
import { lockSections } from '../enrolment/placement.ts';
import { addAdults, lockFamilies, type NewGuardian } from '../family/add-adults.ts';
import { lockContacts, sharedNumbers } from '../family/match-guardians.ts';
import { addStudents } from '../identity/add-students.ts';
import { keepNotSame, lockBirthDays } from '../identity/alike.ts';
import { aadhaarPlace, saveAadhaars } from '../person/aadhaar.ts';
import { type ChildColumn, type NamedInFile, readImport, reasonOf, type StudentLine } from './read-import.ts';
import { importKind, keepForUndo, linksOf, undoBatch, undoImport, undoKind } from './undo-import.ts';

/** Rows that one transaction of the run does. */
const batch = 200;
const kind = 'student.import';

const target: ImportTarget = {
  kind: importKind,
  name: 'students',
  fields: studentFile,
  creates: {
    houseId: { master: houseMaster, values: { colour: 'Grey' } },
    ...Object.fromEntries(
      refsOf({ fields: studentFile }).flatMap(([name, { to }]) =>
        to !== 'self' && to.kind ? [[name, { master: lookupMaster, values: { kind: to.kind } }]] : [],
      ),
    ),
  },
};

const placeAt = (importId: number, line: number) => `file_import_line.cells:${importId}:${line}`;

/**
 * Previews the rows of a file. After confirmation they are kept, sealed, and a run does them: nothing is written before
 * their turn, at which each row is read again.
 */
const importAll = (
  ctx: UserContext,
  { confirmToken, ...input }: Omit<ParsedOf<typeof studentImportApi.import>, 'shown'>,
) => {
  const table = ctx.table();
  return previewOrApply(ctx, confirmToken, async (isPreview) => {
    const rows = namedRows(table);
    const created = await createEntries(ctx, target, input.plan);
    const lines = await readImport(
      { db: ctx.db, keys: ctx.keys, user: ctx.user, day: toLocalDate(ctx.now()) },
      rows,
      input.plan,
    );
    await showShared(ctx, lines);
    const answer = importAnswerOf(lines);
    const written = lines.filter(isWritten);
    const isRefused = isStopped(answer.counts, input.plan) || written.length === 0;
    const runId =
      isPreview || isRefused ? undefined : await startImport(ctx, written, { ...answer, created, plan: input.plan });
    const basis = lines.map(({ line, status, before }) => [line, status, before?.id, before?.version]);
    return {
      answer: { ...answer, lines, ...(runId !== undefined && { runId }) },
      basis: [input, basis],
      isRefused,
    };
  });
};

const sharedNumber = text`A known adult of another name has this number. The adult of the row is added as another one.`;

/** A number that is known under another name alone is shown, and decides nothing. */
async function showShared(ctx: UserContext, lines: readonly StudentLine[]) {
  const adults = lines.filter(isWritten).flatMap((line) => {
    const { before, newAdults, messages } = line;
    return (before ? newAdults : line.adults).map((adult) => ({ ...adult, child: line.line, messages }));
  });
  const shared = await sharedNumbers(ctx, adults);
  for (const place of shared) {
    const adult = adults[place];
    if (adult) adult.messages[`${adult.column}Mobile`] ??= sharedNumber;
  }
}

/** Keeps the rows that the run is to do. */
async function startImport(
  ctx: UserContext,
  lines: readonly StudentLine[],
  { counts, created, plan }: Pick<ImportAnswer, 'counts'> & { created: CreatedEntry[]; plan: ImportPlan | undefined },
) {
  const { heads, names, rows, fileHeads = [] } = ctx.table();
  await rememberWords(ctx, target.kind, plan, fileHeads);
  const id = await addImport(ctx, target, { plan, table: { heads, names }, counts, created });
  const chosen = new Map(lines.map((line) => [line.line, line]));
  const sealed = await mapRows(
    rows.filter(({ line }) => chosen.has(line)),
    ({ line, cells }) => ({
      import_id: id,
      line,
      cells: `\\x${seal(ctx.keys.data, placeAt(id, line), JSON.stringify(keptOf(cells, chosen.get(line)))).toString('hex')}`,
    }),
  );
  await insertRows(ctx.db, 'file_import_line', sealed as never);
  const run = await startRun(ctx, {
    kind,
    input: { importId: id },
    rows: lines.map(({ line, displayName }) => ({ id: line, name: displayName || `${line}` })),
    told: { title: text`Import students`, path: '/school-erp/student/student-list' },
    access: studentKeepers,
  });
  await ctx.db.updateTable('file_import').set({ run_id: run }).where('id', '=', id).execute();
  const { added, changed } = counts;
  await audit(ctx, { action: 'student.import-started', entity: 'student', entityId: 0, details: { added, changed } });
  return run;
}

/** Reads the kept rows again, as of their turn, and writes those that can still be done. */
const importBatch: RunBatch = {
  most: batch,
  act: async (ctx, lines, { importId }: { importId: number }) => {
    const { starter } = ctx;
    if (!starter) throw new AppError('conflict', text`${{ actor: ctx.actor }} may no longer do this.`);
    const acting = { ...ctx, user: starter };
    const table = await readLines(ctx, importId, lines);
    // Before the rows are read: another import may add the same children.
    await lockAll(acting, table);
    const found = await readImport(
      { db: ctx.db, keys: ctx.keys, user: starter, day: toLocalDate(ctx.now()) },
      namedRows(table),
      table,
    );
    const notDone = new Map<number, NotDone>();
    for (const row of found) {
      const sameAs = table.sameAs.get(row.line);
      // The child whom the user took for the same is another one now, or is gone.
      if (sameAs !== undefined && row.status !== 'wrong' && row.before?.id !== sameAs) {
        row.status = 'wrong';
        row.messages = { grNo: noLongerSame };
      }
    }
    for (const { line, status, messages } of found) {
      if (status === 'wrong') notDone.set(line, { status: 'Failed', reason: reasonOf(messages) ?? unknown });
      if (status === 'same') notDone.set(line, { status: 'Skipped', reason: isThere });
    }
    await keepForUndo(ctx, importId, await write(acting, found.filter(isWritten)));
    return notDone;
  },
};
const isThere = text`Is there already, with the same data.`;
const noLongerSame = text`The child it was answered for has changed. Import the row again.`;
const unknown = text`This row can’t be imported.`;

async function readLines({ db, keys }: RunContext, importId: number, lines: readonly number[]) {
  const { heads, names } = await db
    .selectFrom('file_import')
    .where('id', '=', importId)
    .select(['heads', 'names'])
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('file_import_line')
    .where('import_id', '=', importId)
    .where('line', 'in', lines)
    .select(['line', 'cells'])
    .orderBy('line')
    .execute();
  const kept = rows.map(({ line, cells }) => ({ line, ...openRow(keys, importId, line, cells) }));
  return {
    heads,
    names: names.map((name) => name || null),
    rows: kept.map(({ line, cells }) => ({ line, cells })),
    answers: Object.fromEntries(kept.flatMap(({ line, answer }) => (answer ? [[line, answer]] : []))),
    alike: {},
    sameAs: new Map(kept.flatMap(({ line, sameAs }) => (sameAs === undefined ? [] : [[line, sameAs]]))),
  };
}

/** A row that waits for its turn: its cells, the answer to its question, and the child it is the same as. */
interface KeptRow {
  cells: string[];
  answer?: string | undefined;
  sameAs?: number | undefined;
}

const keptOf = (cells: string[], line: StudentLine | undefined): KeptRow => {
  const answer = line?.question?.answer;
  return { cells, answer, sameAs: answer === 'same' ? line?.before?.id : undefined };
};

function openRow(keys: UserContext['keys'], importId: number, line: number, sealed: Buffer | null): KeptRow {
  if (!sealed) return { cells: [] };
  const kept: KeptRow | string[] = JSON.parse(open(keys.data, placeAt(importId, line), sealed).toString());
  // Rows kept before there were questions are their cells.
  return Array.isArray(kept) ? { cells: kept } : kept;
}

/** Takes the locks of the batch in the order of all locks: year, sections, birth days, adults, families. */
async function lockAll(ctx: UserContext, table: Parameters<typeof namedRows>[0] & Answers) {
  const { db } = ctx;
  const day = toLocalDate(ctx.now());
  const year = await db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${day}::date)`)
    .select('id')
    .executeTakeFirst();
  if (!year) return;
  await lockYearForShare(ctx, year.id);
  const reading = { db, keys: ctx.keys, user: ctx.user, day };
  const lines = await readImport(reading, namedRows(table), table);
  await lockForCategory(ctx, recategorised(lines), toLocalDate(ctx.now()));
  await lockSections(ctx, [...new Set(lines.flatMap(({ place }) => place?.sectionId ?? []))]);
  await lockBirthDays(
    ctx,
    lines.flatMap(({ before, values }) => (before ? [] : [values.birthDate])),
  );
  const adults = lines.flatMap((line) => (line.before ? line.newAdults : line.adults));
  await lockContacts(
    ctx,
    adults.flatMap(({ mobile, email }) => [mobile, email.toLowerCase()]),
  );
  if (adults.length > 0) await lockFamilies(ctx);
}

/** Adds the new children of a batch, and changes those who are there. Returns what is kept for undoing it. */
async function write(ctx: UserContext, lines: readonly StudentLine[]) {
  const known = lines.flatMap((line) => (line.before ? [{ ...line, before: line.before }] : []));
  const links = await linksOf(
    ctx,
    known.map(({ before }) => before.id),
  );
  await addAdults(
    ctx,
    known
      .filter(({ newAdults }) => newAdults.length > 0)
      .map(({ before, newAdults }) => ({
        studentId: before.id,
        guardians: before.adults.length > 0 ? newAdults.map(furtherAdult) : guardiansOf(newAdults),
      })),
  );
  const added = lines.filter(({ before }) => !before);
  const made = added.length > 0 ? await addStudents(ctx, added.map(newStudentOf)) : [];
  for (const [index, { others }] of added.entries())
    if (others.length > 0) await keepNotSame(ctx, made[index]?.id ?? 0, others);
  await changeStudents(ctx, known);
  return [
    ...added.map(({ line, values }, index) => ({
      line,
      studentId: made[index]?.id ?? 0,
      was: { isDrawn: values.grNo === '' },
    })),
    ...known.map(({ line, before: { id, saved, aadhaar } }) => ({
      line,
      studentId: id,
      was: {
        saved,
        aadhaar: aadhaar ? open(ctx.keys.data, aadhaarPlace(id), aadhaar).toString() : '',
        links: (links.get(id) ?? []).map((link) => link.id),
      },
    })),
  ];
}

const guardianOf = (
  { isFirst: _, column: __, isDeceased, ...adult }: NamedInFile,
  isPrimary: boolean,
): NewGuardian => ({
  ...adult,
  isPrimary,
  ...(isDeceased && { details: { is_deceased: true } }),
});
const furtherAdult = (adult: NamedInFile) => guardianOf(adult, false);

/** Whom the row names is called first; else the first adult with a number, or the first one, of those who can be called. */
function guardiansOf(adults: readonly NamedInFile[]): NewGuardian[] {
  const callable = adults.filter(
    ({ isDeceased, restriction, role }) => !isDeceased && restriction === undefined && role !== 'Contact',
  );
  const first = callable.find(({ isFirst }) => isFirst) ?? callable.find(({ mobile }) => mobile !== '') ?? callable[0];
  return adults.map((adult) => guardianOf(adult, adult === first));
}

function newStudentOf({ values, place, adults }: StudentLine) {
  if (!place) throw new Error('A row without a place is refused before.');
  const { firstName, middleName, lastName, gender, birthDate, admittedOn, grNo, rollNo } = values;
  const {
    first_name,
    middle_name,
    last_name,
    gender: _,
    birth_date,
    ...record
  } = toRow(childColumns, pick(values, ...namesOf(childColumns)));
  return {
    ...{ firstName, middleName, lastName, gender, birthDate, admittedOn, grNo },
    ...place,
    rollNo,
    guardians: guardiansOf(adults),
    record,
    aadhaar: values.aadhaar,
    ...(values.previousSchool && {
      papers: { schools: [{ school: values.previousSchool, to_class: values.previousClass }] },
    }),
  };
}

type KnownLine = StudentLine & { before: NonNullable<StudentLine['before']> };

async function changeStudents(ctx: UserContext, lines: readonly KnownLine[]) {
  const changed = lines.filter(
    ({ values, before, newAadhaar }) => newAadhaar !== '' || changedNames(values, before).length > 0,
  );
  if (changed.length === 0) return;
  const rows = changed
    .map(({ values, before }) => ({ id: before.id, ...toRow(childColumns, pick(values, ...namesOf(childColumns))) }))
    .sort((one, other) => one.id - other.id);
  const categories = await lockForCategory(ctx, recategorised(changed), toLocalDate(ctx.now()));
  await updateRows(ctx.db, 'student', rows);
  await askUnblocked(ctx, categories);
  await saveAadhaars(
    ctx,
    changed.map(({ before, newAadhaar }) => ({ id: before.id, aadhaar: newAadhaar })),
  );
  await auditAll(
    ctx,
    changed.map(({ values, before, newAadhaar }) => ({
      action: 'student.changed',
      entity: 'student',
      entityId: before.id,
      version: before.version + 1,
      details: {
        From: 'file',
        Fields: [
          ...changedNames(values, before).map(labelOf),
          ...(newAadhaar ? [english(secretColumns.aadhaar.label)] : []),
        ].join(', '),
      },
    })),
  );
}

/** The children whose category the rows change, which is from today. */
const recategorised = (lines: readonly StudentLine[]) =>
  lines.flatMap(({ values, before }) => (before && before.saved.categoryId !== values.categoryId ? [before.id] : []));

const changedNames = (values: StudentLine['values'], { saved }: KnownLine['before']): ChildColumn[] =>
  namesOf(childColumns).filter((name) => values[name] !== saved[name]);
const labelOf = (name: ChildColumn) => english(childColumns[name].label);

const refused: Handler<typeof studentImportApi.refused> = async (ctx, { run, as }) => {
  const found = await ctx.db
    .selectFrom('file_import')
    .where('run_id', '=', run)
    .where('account_id', '=', ctx.user.id)
    .select(['id', 'heads'])
    .executeTakeFirstOrThrow(notFound);
  const lines = await ctx.db
    .selectFrom('file_import_line as own')
    .innerJoin('run_row', (join) => join.onRef('run_row.subject_id', '=', 'own.line').on('run_row.run_id', '=', run))
    .where('own.import_id', '=', found.id)
    .where('run_row.status', '=', 'Failed')
    .select(['own.line', 'own.cells', 'run_row.reason'])
    .orderBy('own.line')
    .execute();
  // A file that was corrected before has a column of reasons.
  const kept = [...found.heads.keys()].filter((index) => found.heads[index] !== english(reasonsHead));
  const rows = lines.map(({ line, cells, reason }) => {
    const { cells: values } = openRow(ctx.keys, found.id, line, cells);
    return [...kept.map((index) => values[index] ?? ''), english(reason as unknown as Text)];
  });
  const heads = [...kept.map((index) => found.heads[index] ?? ''), english(reasonsHead)];
  return sheetFile(
    ctx,
    { name: 'students-errors', heads, rows, columns: heads.map(() => ({ kind: 'text' as const })) },
    as,
  );
};

export const importRuns = { [kind]: importBatch, [undoKind]: undoBatch };

export const importRoutes = routes(studentImportApi, {
  ...importHandlers(target, importAll),
  refused,
  importUndo: undoImport,
});
