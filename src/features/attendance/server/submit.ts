import { sql } from 'kysely';
import { lockYearForShare } from '#features/calendar/api.ts';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { audit, auditAll } from '#kit/server/security/audit.ts';
import { readSettings, settingValue } from '#kit/server/settings.ts';
import type { registerApi } from '../contract/register.ts';
import { clockOf } from './clock.ts';
import { registerRights } from './rights.ts';
import { lockHour, subjectTeachersTake } from './settings.ts';
import { findPlace, listChildren } from './sheet.ts';

const changedMessage = text`The students of this section have changed. Check the register and submit it again.`;
const lockedMessage = text`This register is locked. Only an approved correction changes it.`;
const notTakerMessage = text`You can’t take this register. Ask the class teacher or the office.`;
const notOffered = text`You can’t use one of these codes. Choose another one.`;
const needsTimeMessage = text`Enter the time of arrival.`;
const laterMessage = text`The time of arrival is later than now.`;

/** Messages for the rules of the tables, which hold against acts at the same time. */
export const constraintMessages = {
  attendance_mark_once: text`A student of this section was marked in another register of this day. Check the register.`,
  attendance_mark_placed: changedMessage,
  attendance_mark_locked: lockedMessage,
  attendance_register_no_school: text`There is no school on this day.`,
  attendance_register_future: text`This day is in the future.`,
  attendance_register_in_year: text`Registers were taken outside these days.`,
};

const table = { table: 'attendance_mark', fields: {} };

/** Takes a register or changes one that is not locked yet. */
export const submit: Handler<typeof registerApi.submit> = async (ctx, { sectionId, day, rowVersion, marks }) => {
  const today = toLocalDate(ctx.now());
  const rights = await registerRights(
    ctx,
    day,
    today,
    (await readSettings(ctx, { subjectTeachersTake })).subjectTeachersTake,
  );
  const place = await findPlace(ctx, sectionId, day, rights);
  if (!place) throw new AppError('not_found', notFoundMessage);
  await lockYearForShare(ctx, place.yearId);
  const { register } = place;
  if (!place.mayTake) throw new AppError('forbidden', notTakerMessage);
  if (day > today) throw new AppError('conflict', constraintMessages.attendance_register_future);
  if (place.work === 0) throw new AppError('conflict', constraintMessages.attendance_register_no_school);
  if (register?.isLocked || (!register && place.isPastLock && !rights.isGranted))
    throw new AppError('conflict', lockedMessage);
  if ((register?.version ?? 0) !== rowVersion) throw new AppError('stale', staleMessage);

  const children = await listChildren(ctx, place, day);
  const marked = children.filter(({ takenIn }) => takenIn === '');
  const known = new Set(marked.map(({ studentId }) => studentId));
  if (
    new Set(marks.map(({ studentId }) => studentId)).size !== known.size ||
    !marks.every(({ studentId }) => known.has(studentId))
  )
    throw new AppError('stale', changedMessage);
  const before = new Map(marked.flatMap(({ studentId, mark }) => (mark ? [[studentId, mark] as const] : [])));
  const codes = await readCodes(ctx, [...marks, ...before.values()]);
  const wanted = checkMarks(marks, before, codes, rights.isGranted, day === today ? clockOf(ctx.now()) : '24');
  const changed = wanted.filter(({ studentId, codeId, arrivedAt }) => {
    const old = before.get(studentId);
    return old?.codeId !== codeId || old.arrivedAt !== arrivedAt;
  });

  const at = ctx.now();
  const id = await withConstraintMessages(ctx, table, async () => {
    const taken = register
      ? await takeAgain(ctx, register.id, rowVersion, at)
      : await takeFirst(ctx, sectionId, day, at);
    if (taken === undefined) throw new AppError('stale', staleMessage);
    await sql`
      insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id, arrived_at)
      select register.id, mark."studentId", register.academic_year_id, register.day, register.half, mark."codeId",
        nullif(mark."arrivedAt", '')::time
      from attendance_register register, jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
        as mark ("studentId" integer, "codeId" integer, "arrivedAt" text)
      where register.id = ${taken}
      on conflict (register_id, student_id) do update set code_id = excluded.code_id, arrived_at = excluded.arrived_at`.execute(
      ctx.db,
    );
    return taken;
  });

  const version = rowVersion + 1;
  const facts = { section: place.name, day };
  const nameOf = (mark: { codeId: number } | undefined) => codes.get(mark?.codeId ?? 0)?.name ?? '';
  const absent = new Set(
    wanted.filter(({ codeId }) => codes.get(codeId)?.kind === 'Absent').map(({ studentId }) => studentId),
  );
  const names = marked.filter(({ studentId }) => absent.has(studentId)).map(({ name }) => name);
  const details = { ...facts, students: marks.length, absent: names.join(', ') };
  await audit(ctx, { action: 'attendance.submitted', entity: 'attendance_register', entityId: id, version, details });
  if (register && changed.length > 0) {
    const acts = changed.map((mark) => ({
      action: 'attendance.mark-changed',
      entity: 'student',
      entityId: mark.studentId,
      details: { ...facts, from: nameOf(before.get(mark.studentId)), to: nameOf(mark) },
    }));
    await auditAll(ctx, acts);
  }
  return { id, version };
};

async function takeFirst({ db, user }: UserContext, sectionId: number, day: string, at: Date) {
  const { rows } = await sql<{ id: number }>`
    insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, taken_by, taken_at, locks_at)
    select academic_year_id, branch_id, program_id, grade_id, id, ${day}, ${user.staffId}, ${at},
      attendance_locks_at(academic_year_id, grade_id, ${day}, ${settingValue(lockHour)})
    from academic_section where id = ${sectionId}
    on conflict on constraint attendance_register_once do nothing returning id`.execute(db);
  return rows[0]?.id;
}

async function takeAgain({ db, user }: UserContext, id: number, version: number, at: Date) {
  const { rows } = await sql<{ id: number }>`
    update attendance_register set version = version + 1, taken_by = ${user.staffId}, taken_at = ${at}
    where id = ${id} and version = ${version} returning id`.execute(db);
  return rows[0]?.id;
}

interface Mark {
  studentId: number;
  codeId: number;
  arrivedAt: string;
}
type Codes = Awaited<ReturnType<typeof readCodes>>;

async function readCodes({ db }: Pick<UserContext, 'db'>, marks: readonly { codeId: number }[]) {
  const ids = [...new Set(marks.map(({ codeId }) => codeId))];
  const rows = await db
    .selectFrom('attendance_code')
    .where('id', '=', sql<number>`any(${ids}::integer[])`)
    .select(['id', 'name', 'kind', 'is_active', 'teacher_may_use', 'needs_time'])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The marks, with a time of arrival only where the code asks for it. Throws `invalid` for a code that this user may not
 * choose, and for a missing time or one after `now`.
 */
function checkMarks(
  marks: readonly Mark[],
  before: ReadonlyMap<number, { codeId: number }>,
  codes: Codes,
  isGranted: boolean,
  now: string,
): Mark[] {
  return marks.map((mark) => {
    const code = codes.get(mark.codeId);
    const isKept = before.get(mark.studentId)?.codeId === mark.codeId;
    const isOffered = code?.is_active && (code.teacher_may_use || isGranted);
    if (!code || !(isKept || isOffered)) throw fieldRefusal('marks', notOffered);
    if (!code.needs_time) return { ...mark, arrivedAt: '' };
    if (mark.arrivedAt === '') throw fieldRefusal('marks', needsTimeMessage);
    if (mark.arrivedAt > now) throw fieldRefusal('marks', laterMessage);
    return mark;
  });
}

/** Deletes a register that was taken once and is not locked. */
export const undo: Handler<typeof registerApi.undo> = async (ctx, { id, rowVersion }) => {
  const found = await ctx.db
    .selectFrom('attendance_register')
    .where('id', '=', id)
    .select(['section_id', 'day'])
    .executeTakeFirst();
  if (!found) throw new AppError('not_found', notFoundMessage);
  const { section_id: sectionId, day } = found;
  const today = toLocalDate(ctx.now());
  const rights = await registerRights(
    ctx,
    day,
    today,
    (await readSettings(ctx, { subjectTeachersTake })).subjectTeachersTake,
  );
  const place = await findPlace(ctx, sectionId, day, rights);
  if (!place) throw new AppError('not_found', notFoundMessage);
  if (!place.mayTake) throw new AppError('forbidden', notTakerMessage);
  await lockYearForShare(ctx, place.yearId);
  const { rows } = await sql<{ isDone: boolean }>`select attendance_undo(${id}, ${rowVersion}) as "isDone"`.execute(
    ctx.db,
  );
  if (!rows[0]?.isDone)
    throw new AppError('conflict', text`This register was changed or is locked, so it can’t be undone.`);
  await audit(ctx, {
    action: 'attendance.undone',
    entity: 'attendance_register',
    entityId: id,
    details: { section: place.name, day },
  });
  return {};
};
