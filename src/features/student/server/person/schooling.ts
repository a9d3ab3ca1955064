import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import type { UserContext } from '#kit/server/context.ts';
import { columnsOf, toRow, toWire } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { changedFields, changesOf } from '#kit/server/record/changes.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { schoolingApi, schoolingFields, schoolingReaders } from '../../contract/schooling.ts';
import { requireStudent } from '../visible.ts';

const schoolings: Handler<typeof schoolingApi.schoolings> = async (ctx, { id }) => {
  await requireStudent(ctx, id, schoolingReaders);
  const rows = await ctx.db
    .selectFrom('student_schooling')
    .where('student_id', '=', id)
    .select([...columnsOf(schoolingFields), 'id', 'version'])
    .orderBy('id')
    .execute();
  return {
    schoolings: rows.map(({ id, version, ...row }) => ({ id, version, saved: toWire(schoolingFields, row) })),
  };
};

const entity = 'student';

const addSchooling: Handler<typeof schoolingApi.addSchooling> = async (ctx, { id, ...entered }) => {
  await requireStudent(ctx, id, studentKeepers);
  await ctx.db
    .insertInto('student_schooling')
    .values({ ...toRow(schoolingFields, entered), student_id: id })
    .execute();
  const details = changesOf(schoolingFields, undefined, entered);
  await audit(ctx, { action: 'student.schooling-added', entity, entityId: id, details });
  return {};
};

/** The row of this child, locked; throws `not_found`, or `stale` with what is saved. */
async function lockSchooling({ db }: UserContext, studentId: number, schooling: number, version: number) {
  const row = await db
    .selectFrom('student_schooling')
    .where('id', '=', schooling)
    .where('student_id', '=', studentId)
    .select([...columnsOf(schoolingFields), 'version'])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const saved = toWire(schoolingFields, row);
  requireVersion(row, version, { version: row.version, saved });
  return saved;
}

const saveSchooling: Handler<typeof schoolingApi.saveSchooling> = async (ctx, input) => {
  const { id, schooling, version, ...entered } = input;
  await requireStudent(ctx, id, studentKeepers);
  const before = await lockSchooling(ctx, id, schooling, version);
  if (changedFields(schoolingFields, before, entered).length === 0) return {};
  await ctx.db
    .updateTable('student_schooling')
    .set({ ...toRow(schoolingFields, entered), version: sql`version + 1` })
    .where('id', '=', schooling)
    .execute();
  const details = { School: entered.school, ...changesOf(schoolingFields, before, entered) };
  await audit(ctx, { action: 'student.schooling-changed', entity, entityId: id, details });
  return {};
};

const removeSchooling: Handler<typeof schoolingApi.removeSchooling> = async (ctx, { id, schooling, version }) => {
  await requireStudent(ctx, id, studentKeepers);
  const before = await lockSchooling(ctx, id, schooling, version);
  await ctx.db.deleteFrom('student_schooling').where('id', '=', schooling).execute();
  const details = changesOf(schoolingFields, undefined, before);
  await audit(ctx, { action: 'student.schooling-removed', entity, entityId: id, details });
  return {};
};

export const schoolingRoutes = routes(schoolingApi, { schoolings, addSchooling, saveSchooling, removeSchooling });
