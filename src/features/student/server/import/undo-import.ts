import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext, UserContext } from '#kit/server/context.ts';
import { updateRows } from '#kit/server/database/bulk.ts';
import { toRow } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockImport, removeCreatedBy } from '#kit/server/import/import-journal.ts';
import { type NotDone, type RunBatch, startRun } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit, auditAll } from '#kit/server/security/audit.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { childColumns, studentImportApi } from '../../contract/import.ts';
import { askUnblocked, lockForCategory } from '../enrolment/ask-others.ts';
import { deleteStudents, lockForRemoval, type Removed, spendGrNumbers } from '../identity/remove.ts';
import { saveAadhaars } from '../person/aadhaar.ts';
import type { KnownStudent } from './read-import.ts';

export const importKind = studentImportApi.import.path;
export const undoKind = 'student.import-undo';

/** What a row of a file changed of a child, for undoing it. */
interface Was {
  /** Of a child who was there: the values, the number in clear, and the links to adults. */
  saved?: KnownStudent['saved'];
  aadhaar?: string;
  links?: number[];
  /** Of a new child: the GR number came from the series, so it is not given again. */
  isDrawn?: boolean;
}

const placeOf = (importId: number, line: number) => `file_import_line.was:${importId}:${line}`;

/** Keeps for each row that was written whom it was about, and what it was before. */
export async function keepForUndo(
  { db, keys }: Pick<ActingContext, 'db' | 'keys'>,
  importId: number,
  written: readonly { line: number; studentId: number; was: Was }[],
) {
  const rows = written.map(({ line, studentId, was }) => ({
    line,
    student_id: studentId,
    was: seal(keys.data, placeOf(importId, line), JSON.stringify(was)).toString('hex'),
  }));
  await sql`update file_import_line own set student_id = input.student_id, was = decode(input.was, 'hex'),
      audit_id = (select max(id) from audit where entity = 'student' and entity_id = input.student_id)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input (line integer, student_id integer, was text)
    where own.import_id = ${importId} and own.line = input.line`.execute(db);
}

/** The links to adults of the children whom rows change, before they are changed. */
export async function linksOf({ db }: Pick<ActingContext, 'db'>, studentIds: readonly number[]) {
  const rows = await db
    .selectFrom('student_guardian')
    .where('student_id', '=', sql<number>`any(${studentIds}::integer[])`)
    .select(['id', 'student_id'])
    .execute();
  return Map.groupBy(rows, ({ student_id }) => student_id);
}

/** The rows of an import that can be undone: a child that has changed since stays as it is. */
const linesOf = ({ db }: Pick<ActingContext, 'db'>, importId: number) =>
  db
    .selectFrom('file_import_line as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .where('own.import_id', '=', importId)
    .select(['own.line', 'own.was', 'student.id', 'student.name', 'student.branch_id', 'student.gr_no'])
    .select(
      sql<boolean>`exists (select from audit where entity = 'student' and entity_id = student.id and id > own.audit_id)`.as(
        'has_changed',
      ),
    )
    .orderBy('own.line');

const hasChanged = text`Has changed since the import.`;

export const undoImport: Handler<typeof studentImportApi.importUndo> = (ctx, { importId, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const found = await lockImport(ctx, importKind, importId);
    const run = await ctx.db.selectFrom('run').where('id', '=', found.run_id).select('finished_at').executeTakeFirst();
    if (!run?.finished_at) throw new AppError('conflict', text`The import has not finished. Wait for its end.`);
    const lines = await linesOf(ctx, found.id).execute();
    const undone = lines.filter(({ has_changed }) => !has_changed);
    const added = undone.filter(({ line, was }) => wasOf(ctx.keys, found.id, line, was).saved === undefined).length;
    const answer = {
      added,
      changed: undone.length - added,
      kept: lines.filter(({ has_changed }) => has_changed).map(({ name }) => name),
    };
    const isRefused = undone.length === 0;
    const undoRun = isPreview || isRefused ? null : await startUndo(ctx, found.id, undone, answer);
    return {
      answer: { ...answer, ...(undoRun !== null && { undoRun }) },
      basis: [importId, lines.map(({ line, id, has_changed }) => [line, id, has_changed])],
      isRefused,
    };
  });

async function startUndo(
  ctx: UserContext,
  importId: number,
  lines: readonly { line: number; name: string }[],
  { added, changed }: { added: number; changed: number },
) {
  const undoRun = await startRun(ctx, {
    kind: undoKind,
    input: { importId },
    rows: lines.map(({ line, name }) => ({ id: line, name })),
    told: { title: text`Undo an import of students`, path: '/school-erp/student/student-list' },
    access: studentKeepers,
  });
  await ctx.db.updateTable('file_import').set({ undo_run_id: undoRun }).where('id', '=', importId).execute();
  await audit(ctx, {
    action: 'student.import-undone',
    entity: 'student',
    entityId: 0,
    details: { added, changed },
  });
  return undoRun;
}

const wasOf = (keys: UserContext['keys'], importId: number, line: number, was: Buffer | null): Was =>
  was ? JSON.parse(open(keys.data, placeOf(importId, line), was).toString()) : {};

/** Deletes the children that the rows added, and gives back to the others what the rows changed. */
export const undoBatch: RunBatch = {
  most: 200,
  act: async (ctx, lines, { importId }: { importId: number }) => {
    const { starter } = ctx;
    if (!starter) throw new AppError('conflict', text`${{ actor: ctx.actor }} may no longer do this.`);
    const acting = { ...ctx, user: starter };
    const ids = await linesOf(ctx, importId).where('own.line', 'in', lines).select('student.id').execute();
    await lockForRemoval(
      acting,
      ids.map(({ id }) => id),
    );
    // Read again behind the locks.
    const rows = await linesOf(ctx, importId).where('own.line', 'in', lines).execute();
    const notDone = new Map<number, NotDone>(
      rows.filter((row) => row.has_changed).map(({ line }) => [line, { status: 'Skipped', reason: hasChanged }]),
    );
    const undone = rows
      .filter((row) => !row.has_changed)
      .map((row) => ({ ...row, was: wasOf(ctx.keys, importId, row.line, row.was) }));
    const links = await unlinkAdults(acting, undone);
    await restore(
      acting,
      undone.flatMap(({ id, was: { saved, aadhaar } }) => (saved ? [{ id, saved, aadhaar: aadhaar ?? '' }] : [])),
    );
    await deleteAdded(
      acting,
      undone.filter(({ was }) => was.saved === undefined),
    );
    await deleteUnlinked(acting, links);
    await removeCreatedBy(acting, importId);
    return notDone;
  },
};

type Undone = Removed & { was: Was };

/** Removes the links that the rows made; returns the adults. */
async function unlinkAdults({ db }: ActingContext, rows: readonly Undone[]) {
  const kept = rows.flatMap(({ was }) => was.links ?? []);
  const removed = await db
    .deleteFrom('student_guardian')
    .where('student_id', '=', sql<number>`any(${rows.map(({ id }) => id)}::integer[])`)
    .where('id', '<>', sql<number>`all(${kept}::integer[])`)
    .returning('guardian_id')
    .execute();
  return removed.map(({ guardian_id }) => guardian_id);
}

/** Deletes adults without a child. */
const deleteUnlinked = ({ db }: ActingContext, ids: readonly number[]) =>
  sql`delete from guardian where id = any(${ids}::integer[]) and staff_id is null
    and not exists (select from student_guardian where guardian_id = guardian.id)`.execute(db);

async function restore(
  ctx: UserContext,
  rows: readonly { id: number; saved: KnownStudent['saved']; aadhaar: string }[],
) {
  if (rows.length === 0) return;
  const { db, now } = ctx;
  const before = await db
    .selectFrom('student')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .select(['id', 'category_id'])
    .execute();
  const categoryOf = new Map(before.map(({ id, category_id }) => [id, category_id]));
  const recategorised = rows.filter(({ id, saved }) => categoryOf.get(id) !== saved.categoryId).map(({ id }) => id);
  const changes = await lockForCategory(ctx, recategorised, toLocalDate(now()));
  await updateRows(
    db,
    'student',
    rows.map(({ id, saved }) => ({ id, ...toRow(childColumns, saved) })).sort((one, other) => one.id - other.id),
  );
  await sql`update student set aadhaar = null, aadhaar_hash = null
    where id = any(${rows.filter(({ aadhaar }) => aadhaar === '').map(({ id }) => id)}::integer[])`.execute(db);
  await saveAadhaars(ctx, rows);
  await askUnblocked(ctx, changes);
  await auditAll(
    ctx,
    rows.map(({ id }) => ({ action: 'student.changed', entity: 'student', entityId: id, details: { From: 'undo' } })),
  );
}

async function deleteAdded(ctx: UserContext, rows: readonly Undone[]) {
  const drawn = rows.filter(({ was }) => was.isDrawn);
  await spendGrNumbers(
    ctx,
    drawn.map(({ branch_id, gr_no }) => ({ branch_id, gr_no, reason: 'The import was undone' })),
  );
  const { blocks } = await deleteStudents(ctx, rows, { action: 'student.deleted', details: { From: 'undo' } });
  const [block] = blocks;
  if (block) throw new AppError('conflict', block);
}
