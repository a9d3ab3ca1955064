import { type RawBuilder, sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { constraintRefusal } from '#kit/server/master/constraint-messages.ts';
import { notFound, requireVersion, stale } from '#kit/server/record/version.ts';
import { type Act, audit, auditAll } from '#kit/server/security/audit.ts';
import { settingValue } from '#kit/server/settings.ts';
import type { registerApi, Slot } from '../contract/register.ts';
import { clockOf } from './clock.ts';
import { registerRights } from './rights.ts';
import { lockHour } from './settings.ts';
import { findPlace, listChildren, type PlaceCode } from './sheet.ts';
import { slotFact } from './slot.ts';
import { tellFamilies } from './tell-families.ts';

const changedMessage = text`The students of this section have changed. Check the register and submit it again.`;
const lockedMessage = text`This register is locked. Only an approved correction changes it.`;
const notTakerMessage = text`You can’t take this register. Ask the class teacher or the office.`;
const otherSlotsMessage = text`The registers a day of this section have changed. Check the register and submit it again.`;
const notOffered = text`You can’t use one of these codes. Choose another one.`;
const needsTimeMessage = text`Enter the time of arrival.`;
const laterMessage = text`The time of arrival is later than now.`;

/** Messages for the rules of the tables, which hold against acts at the same time. */
export const constraintMessages = {
  attendance_mark_once: text`A student of this section was marked in another register of this day. Check the register.`,
  attendance_mark_placed: changedMessage,
  attendance_register_one_kind: otherSlotsMessage,
  attendance_mark_locked: lockedMessage,
  attendance_register_no_school: text`There is no school on this day.`,
  attendance_register_future: text`This day is in the future.`,
  attendance_register_in_year: text`Registers were taken outside these days.`,
};

const table = { table: 'attendance_mark', fields: {} };

/** Takes a register or changes one that is not locked yet. Forty children cost as many statements as one. */
export const submit: Handler<typeof registerApi.submit> = async (
  ctx,
  { sectionId, day, slot, rowVersion, ...entered },
) => {
  const today = toLocalDate(ctx.now());
  const rights = await registerRights(ctx, day, today);
  const place = await findPlace(ctx, { sectionId, day, slot }, rights, true);
  if (!place) throw new AppError('not_found', notFoundMessage);
  const { register } = place;
  if (!place.mayTake) throw new AppError('forbidden', notTakerMessage);
  if (day > today) throw new AppError('conflict', constraintMessages.attendance_register_future);
  if (place.work === 0) throw new AppError('conflict', constraintMessages.attendance_register_no_school);
  if (place.slot !== slot) throw new AppError('stale', otherSlotsMessage);
  if (register?.isLocked || (!register && place.isPastLock && !rights.isGranted))
    throw new AppError('conflict', lockedMessage);
  requireVersion({ version: register?.version ?? 0 }, rowVersion);

  const children = await listChildren(ctx, place, day);
  // A child that never joined keeps its grey mark, which counts nowhere.
  const neverJoined = new Set(children.flatMap((child) => (child.isNeverJoined ? [child.studentId] : [])));
  const marks = entered.marks.filter(({ studentId }) => !neverJoined.has(studentId));
  const marked = children.filter(({ takenIn, studentId }) => takenIn === '' && !neverJoined.has(studentId));
  const known = new Set(marked.map(({ studentId }) => studentId));
  if (
    new Set(marks.map(({ studentId }) => studentId)).size !== known.size ||
    !marks.every(({ studentId }) => known.has(studentId))
  )
    throw new AppError('stale', changedMessage);
  const before = new Map(marked.flatMap(({ studentId, mark }) => (mark ? [[studentId, mark] as const] : [])));
  const codes = new Map(place.codes?.map((code) => [code.id, code]));
  const wanted = checkMarks(marks, before, codes, rights.isGranted, day === today ? clockOf(ctx.now()) : '24');
  const changed = wanted.filter(({ studentId, codeId, arrivedAt }) => {
    const old = before.get(studentId);
    return old?.codeId !== codeId || old.arrivedAt !== arrivedAt;
  });

  const id = await writeMarks(
    ctx,
    register ? again(ctx, register.id, rowVersion) : first(ctx, sectionId, day, slot),
    changed,
  );
  const version = rowVersion + 1;
  const facts = { section: place.name, day, ...slotFact(slot) };
  const nameOf = (mark: { codeId: number } | undefined) => codes.get(mark?.codeId ?? 0)?.name ?? '';
  const kindOf = ({ codeId }: Mark) => codes.get(codeId)?.kind ?? 'Present';
  if (day === today) {
    const told = new Set(marked.filter(({ isTold }) => isTold).map(({ studentId }) => studentId));
    const news = changed.map((mark) => ({
      studentId: mark.studentId,
      kind: kindOf(mark),
      isTold: told.has(mark.studentId),
    }));
    await tellFamilies(ctx, { yearId: place.yearId, day }, news);
  }
  const absent = new Set(wanted.filter((mark) => kindOf(mark) === 'Absent').map(({ studentId }) => studentId));
  const names = marked.filter(({ studentId }) => absent.has(studentId)).map(({ name }) => name);
  const acts: Act[] = [
    {
      action: 'attendance.submitted',
      entity: 'attendance_register',
      entityId: id,
      version,
      details: { ...facts, students: marks.length, absent: names.join(', ') },
    },
    ...(register ? changed : []).map((mark) => ({
      action: 'attendance.mark-changed',
      entity: 'student',
      entityId: mark.studentId,
      details: { ...facts, from: nameOf(before.get(mark.studentId)), to: nameOf(mark) },
    })),
  ];
  await auditAll(ctx, acts);
  return { id, version };
};

const columns = sql`id, academic_year_id, day, half`;

/** Inserts the register of a section's day; no row if another one was first. */
const first = ({ now, user }: UserContext, sectionId: number, day: string, slot: Slot) => sql`
  insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, slot, taken_by, taken_at, locks_at)
  select academic_year_id, branch_id, program_id, grade_id, id, ${day}::date, ${slot}, ${user.staffId}::integer, ${now()}::timestamptz,
    attendance_locks_at(academic_year_id, grade_id, ${day}, ${settingValue(lockHour)})
  from academic_section where id = ${sectionId}
  on conflict on constraint attendance_register_once do nothing returning ${columns}`;

/** Takes a register again; no row if it has changed. */
const again = ({ now, user }: UserContext, id: number, version: number) => sql`
  update attendance_register set version = version + 1, taken_by = ${user.staffId}, taken_at = ${now()}
  where id = ${id} and version = ${version} returning ${columns}`;

/** Writes a register with its marks and returns its id. Throws `stale` for one that another submission changed. */
async function writeMarks(ctx: UserContext, register: RawBuilder<unknown>, marks: readonly Mark[]): Promise<number> {
  try {
    const { rows } = await sql<{ id: number }>`
      with taken as (${register}),
      marked as (
        insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id, arrived_at)
        select taken.id, mark."studentId", taken.academic_year_id, taken.day, taken.half, mark."codeId",
          nullif(mark."arrivedAt", '')::time
        from taken, jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
          as mark ("studentId" integer, "codeId" integer, "arrivedAt" text)
        on conflict (register_id, student_id) do update set code_id = excluded.code_id, arrived_at = excluded.arrived_at)
      select id from taken`.execute(ctx.db);
    const [taken] = rows;
    if (!taken) throw stale();
    return taken.id;
  } catch (error) {
    throw constraintRefusal(ctx, table, error) ?? error;
  }
}

interface Mark {
  studentId: number;
  codeId: number;
  arrivedAt: string;
}

/**
 * The marks, with a time of arrival only where the code asks for it. Throws `invalid` for a code that this user may not
 * choose, and for a missing time or one after `now`.
 */
function checkMarks(
  marks: readonly Mark[],
  before: ReadonlyMap<number, { codeId: number }>,
  codes: ReadonlyMap<number, PlaceCode>,
  isGranted: boolean,
  now: string,
): Mark[] {
  return marks.map((mark) => {
    const code = codes.get(mark.codeId);
    const isKept = before.get(mark.studentId)?.codeId === mark.codeId;
    const isOffered = code?.isActive && (code.teacherMayUse || isGranted);
    if (!code || !(isKept || isOffered)) throw fieldRefusal('marks', notOffered);
    if (!code.needsTime) return { ...mark, arrivedAt: '' };
    if (mark.arrivedAt === '') throw fieldRefusal('marks', needsTimeMessage);
    if (mark.arrivedAt > now) throw fieldRefusal('marks', laterMessage);
    return mark;
  });
}

/** The register of an act, locked for it, with its place; throws `not_found` for one that the user does not see. */
async function placeOf(ctx: UserContext, registerId: number) {
  const found = await ctx.db
    .selectFrom('attendance_register')
    .where('id', '=', registerId)
    .select(['section_id', 'day', sql<Slot>`slot`.as('slot')])
    .executeTakeFirstOrThrow(notFound);
  const { section_id: sectionId, day, slot } = found;
  const rights = await registerRights(ctx, day, toLocalDate(ctx.now()));
  const place = await findPlace(ctx, { sectionId, day, slot }, rights, true);
  if (!place) throw new AppError('not_found', notFoundMessage);
  if (!place.mayTake) throw new AppError('forbidden', notTakerMessage);
  return { section: place.name, day, ...slotFact(slot) };
}

/** Deletes a register that was taken once and is not locked. */
export const undo: Handler<typeof registerApi.undo> = async (ctx, { id, rowVersion }) => {
  const details = await placeOf(ctx, id);
  const { rows } = await sql<{ isDone: boolean }>`select attendance_undo(${id}, ${rowVersion}) as "isDone"`.execute(
    ctx.db,
  );
  if (!rows[0]?.isDone)
    throw new AppError('conflict', text`This register was changed or is locked, so it can’t be undone.`);
  await audit(ctx, { action: 'attendance.undone', entity: 'attendance_register', entityId: id, details });
  return {};
};

/** Locks a register before its time. */
export const lock: Handler<typeof registerApi.lock> = async (ctx, { id, rowVersion }) => {
  const details = await placeOf(ctx, id);
  const { rows } = await sql`update attendance_register set locks_at = school_now(), version = version + 1
    where id = ${id} and version = ${rowVersion} and locks_at > school_now() returning id`.execute(ctx.db);
  if (rows.length === 0) throw stale();
  await audit(ctx, { action: 'attendance.locked', entity: 'attendance_register', entityId: id, details });
  return {};
};
