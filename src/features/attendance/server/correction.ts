import { type RawBuilder, sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { requestApproval } from '#features/approval/api.ts';
import { rightsOnDay } from '#features/teaching/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { correctionAccess, type correctionApi, type WaitingCorrection } from '../contract/correction.ts';
import type { Slot } from '../contract/register.ts';
import { slotFact } from './slot.ts';

const messages = {
  notTaken: text`This register was not taken. The office takes it.`,
  notLocked: text`This register is not locked. Change the mark in it.`,
  elsewhere: text`This student is not in this register.`,
  same: text`The student has this mark already.`,
  waiting: text`A correction of this mark is waiting for approval already.`,
  notOffered: text`You can’t use this code. Choose another one.`,
  needsTime: text`Enter the time of arrival.`,
  changed: text`The mark has changed since the correction was requested. Reject it.`,
};

export const correctionMessages = {
  attendance_correction_open: messages.waiting,
};

/** A day, and of two registers which one. */
const dayWords = (day: string, slot: Slot): Text =>
  slot === 'Full day' ? verbatim(showDate(day)) : text`${{ day: showDate(day) }}, ${{ slot: { id: slot } }}`;

const granted = ['office', 'principal'];

/** The sections whose locked marks the user may ask to correct on a day: a new class teacher those of earlier days too. */
async function correctable(ctx: UserContext, day: string): Promise<RawBuilder<boolean>> {
  const { user } = ctx;
  const led = [...(await rightsOnDay(ctx, day)).led, ...user.scope.led];
  const sets = [...user.sets.filter((set) => granted.includes(set)), ...(led.length > 0 ? ['classTeacher'] : [])];
  return inScope({ ...user, sets, scope: { ...user.scope, led } }, correctionAccess, {
    branch: sql`section.branch_id`,
    section: sql`section.id`,
  });
}

/** Whether the user may ask for corrections in a register of this section. */
export async function mayCorrect(ctx: UserContext, sectionId: number, day: string): Promise<boolean> {
  const { rows } = await sql`select from academic_section section
    where section.id = ${sectionId} and ${await correctable(ctx, day)}`.execute(ctx.db);
  return rows.length > 0;
}

interface Locked {
  id: number;
  branchId: number;
  section: string;
  isLocked: boolean;
}

export const request: Handler<typeof correctionApi.request> = async (ctx, asked) => {
  const { sectionId, day, slot, reason } = asked;
  const [studentId, codeId] = [Number(asked.studentId), Number(asked.codeId)];
  const { rows: registers } = await sql<Locked>`
    select register.id, register.branch_id as "branchId", academic_section_name(grade.name, section.name) as section,
      register.locks_at <= school_now() as "isLocked"
    from academic_section section
    join academic_year year on year.id = section.academic_year_id
    join academic_grade grade on grade.id = section.grade_id
    left join attendance_register register on register.section_id = section.id and register.day = ${day}
      and register.slot = ${slot}
    where section.id = ${sectionId} and ${await correctable(ctx, day)} for share of year`.execute(ctx.db);
  const [register] = registers;
  if (!register) throw new AppError('not_found', notFoundMessage);
  if (register.id === null) throw new AppError('conflict', messages.notTaken);
  if (!register.isLocked) throw new AppError('conflict', messages.notLocked);

  const { rows: found } = await sql<{ isHere: boolean; codeId: number | null; from: string; arrivedAt: string | null }>`
    select mark.register_id is not null or there.student_id is not null and not exists (
        select from attendance_mark other where other.student_id = student.id and other.academic_year_id = register.academic_year_id
          and other.day = register.day and other.half = register.half) as "isHere",
      mark.code_id as "codeId", coalesce(code.name, '–') as from, to_char(mark.arrived_at, 'HH24:MI') as "arrivedAt"
    from attendance_register register
    join student on student.id = ${studentId}
    left join attendance_mark mark on mark.register_id = register.id and mark.student_id = student.id
    left join attendance_code code on code.id = mark.code_id
    left join student_on(${day}) as there on there.student_id = student.id and there.section_id = ${sectionId}
    where register.id = ${register.id}`.execute(ctx.db);
  const [mark] = found;
  if (!mark?.isHere) throw fieldRefusal('studentId', messages.elsewhere);

  const code = await ctx.db
    .selectFrom('attendance_code')
    .where('id', '=', codeId)
    .where('is_active', '=', true)
    .select(['name', 'teacher_may_use', 'needs_time'])
    .executeTakeFirst();
  const isGranted = ctx.user.sets.some((set) => granted.includes(set));
  if (!code || !(code.teacher_may_use || isGranted)) throw fieldRefusal('codeId', messages.notOffered);
  if (code.needs_time && asked.arrivedAt === '') throw fieldRefusal('arrivedAt', messages.needsTime);
  const arrivedAt = code.needs_time ? asked.arrivedAt : null;
  if (mark.codeId === codeId && mark.arrivedAt === arrivedAt) throw fieldRefusal('codeId', messages.same);

  const { branchId, section } = register;
  const id = await askCorrection(ctx, {
    ...{ registerId: register.id, branchId, section, studentId, day, slot, reason },
    from: { codeId: mark.codeId, name: mark.from, arrivedAt: mark.arrivedAt },
    to: { codeId, name: code.name, arrivedAt },
  });
  if (id === undefined) throw new AppError('conflict', messages.waiting);
  return { id };
};

interface CorrectedMark<Code> {
  codeId: Code;
  name: string;
  arrivedAt: string | null;
}

interface Correction {
  registerId: number;
  branchId: number;
  section: string;
  studentId: number;
  day: string;
  slot: Slot;
  from: CorrectedMark<number | null>;
  to: CorrectedMark<number>;
  reason: string;
}

/** Asks a second person to correct a locked mark; undefined where a correction of it waits already. */
export async function askCorrection(ctx: UserContext, correction: Correction): Promise<number | undefined> {
  const { registerId, branchId, section, studentId, day, slot, from, to, reason } = correction;
  const made = await ctx.db
    .insertInto('attendance_correction')
    .values({
      register_id: registerId,
      student_id: studentId,
      old_code_id: from.codeId,
      old_arrived_at: from.arrivedAt,
      new_code_id: to.codeId,
      new_arrived_at: to.arrivedAt,
      reason,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return undefined;
  await requestApproval(ctx, {
    kind: 'attendance.correction',
    subjectId: made.id,
    branchId,
    studentId,
    title: text`${{ section }}, ${{ day: dayWords(day, slot) }}: ${{ from: from.name }} to ${{ to: to.name }}`,
    reason,
  });
  return made.id;
}

export const waiting: Handler<typeof correctionApi.waiting> = async ({ db, user }) => {
  const { rows } = await sql<WaitingCorrection>`
    select approval.id, student.id as "studentId", student.name, academic_section_name(grade.name, section.name) as section,
      register.day::text, register.slot, coalesce(old.name, '') as from, code.name as to, correction.reason, requester.name as "requestedBy"
    from approval
    join attendance_correction correction on correction.id = approval.attendance_correction_id
    join attendance_register register on register.id = correction.register_id
    join academic_section section on section.id = register.section_id
    join academic_grade grade on grade.id = section.grade_id
    join student on student.id = correction.student_id
    join attendance_code code on code.id = correction.new_code_id
    left join attendance_code old on old.id = correction.old_code_id
    join staff requester on requester.id = approval.requested_by
    where approval.status = 'Pending' and ${inScope(user, correctionAccess, { branch: sql`approval.branch_id` })}
    order by approval.id limit 500`.execute(db);
  return { rows };
};

interface Described {
  id: number;
  section: string;
  day: string;
  slot: Slot;
  from: string;
  to: string;
  oldArrivedAt: string;
  newArrivedAt: string;
  /** The mark is as it was when the correction was requested. */
  isSame: boolean;
  studentId: number;
  registerId: number;
}

async function describeSome({ db }: Pick<UserContext, 'db'>, ids: readonly number[]) {
  const { rows } = await sql<Described>`
    select correction.id, academic_section_name(grade.name, section.name) as section, register.day::text, register.slot,
      coalesce(old.name, '–') as from, code.name as to, coalesce(to_char(correction.old_arrived_at, 'HH24:MI'), '') as "oldArrivedAt",
      coalesce(to_char(correction.new_arrived_at, 'HH24:MI'), '') as "newArrivedAt",
      (mark.code_id, mark.arrived_at) is not distinct from (correction.old_code_id, correction.old_arrived_at) as "isSame",
      correction.student_id as "studentId", register.id as "registerId"
    from attendance_correction correction
    join attendance_register register on register.id = correction.register_id
    join academic_section section on section.id = register.section_id
    join academic_grade grade on grade.id = section.grade_id
    join attendance_code code on code.id = correction.new_code_id
    left join attendance_code old on old.id = correction.old_code_id
    left join attendance_mark mark on mark.register_id = correction.register_id and mark.student_id = correction.student_id
    where correction.id = any(${[...ids]})`.execute(db);
  return rows;
}

const withTime = (name: string, arrivedAt: string) => [name, arrivedAt].filter(Boolean).join(' ');

/** Corrections of locked marks, which office and principal decide, never their own; of a closed year the principal alone. */
export const correctionApproval: ApprovalKind = {
  kind: 'attendance.correction',
  subject: 'attendance_correction_id',
  title: text`Correction of attendance`,
  notice: text`A correction of attendance is waiting for your approval.`,
  sets: ['office', 'principal'],
  isOfYear: (yearId, subjectId) =>
    sql<boolean>`exists (select from attendance_correction own
      join attendance_register register on register.id = own.register_id
      where own.id = ${subjectId} and register.academic_year_id = ${yearId})`,
  mayDecide: ({ user }, id) => {
    const by = (set: 'office' | 'principal') => inScope(user, [staff(set)], { branch: sql`register.branch_id` });
    return sql<boolean>`exists (select from attendance_correction own
      join attendance_register register on register.id = own.register_id
      join academic_year year on year.id = register.academic_year_id
      where own.id = ${id} and (${by('principal')} or year.status <> 'Closed' and ${by('office')}))`;
  },
  describe: async (ctx, ids) =>
    new Map(
      (await describeSome(ctx, ids)).map((one) => [
        one.id,
        {
          facts: [
            { label: text`Section`, value: verbatim(one.section) },
            { label: text`Day`, value: dayWords(one.day, one.slot) },
            { label: text`Mark`, value: verbatim(withTime(one.from, one.oldArrivedAt)) },
            { label: text`New mark`, value: verbatim(withTime(one.to, one.newArrivedAt)) },
          ],
          effect: one.isSame ? [text`The mark and the percentage change. Both marks are kept.`] : [messages.changed],
          to: '',
          basis: one.isSame,
        },
      ]),
    ),
  lock: async ({ db }, ids) => {
    const registers = sql`select register_id from attendance_correction where id = any(${[...ids]})`;
    await sql`select from academic_year where id in (select academic_year_id from attendance_register
      where id in (${registers})) order by id for share`.execute(db);
    await sql`select from student_enrollment where (student_id, academic_year_id) in (
        select correction.student_id, register.academic_year_id from attendance_correction correction
        join attendance_register register on register.id = correction.register_id where correction.id = any(${[...ids]}))
      order by id for no key update`.execute(db);
    await sql`select from attendance_register where id in (${registers}) order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    const { db } = ctx;
    if (outcome !== 'Approved') {
      await db.updateTable('attendance_correction').set({ outcome }).where('id', 'in', ids).execute();
      return;
    }
    const described = await describeSome(ctx, ids);
    if (described.some(({ isSame }) => !isSame)) throw new AppError('conflict', messages.changed);
    // The triggers accept a locked mark where its correction was applied in this transaction.
    await sql`update attendance_correction set outcome = 'Approved', applied_at = school_now() where id = any(${[...ids]})`.execute(
      db,
    );
    await sql`
      insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id, arrived_at)
      select register.id, correction.student_id, register.academic_year_id, register.day, register.half,
        correction.new_code_id, correction.new_arrived_at
      from attendance_correction correction join attendance_register register on register.id = correction.register_id
      where correction.id = any(${[...ids]})
      on conflict (register_id, student_id) do update set code_id = excluded.code_id, arrived_at = excluded.arrived_at`.execute(
      db,
    );
    await sql`update attendance_register set version = version + 1 where id in (
      select register_id from attendance_correction where id = any(${[...ids]}))`.execute(db);
    await auditAll(
      ctx,
      described.map(({ studentId, section, day, slot, from, to }) => ({
        action: 'attendance.corrected',
        entity: 'student',
        entityId: studentId,
        details: { section, day, ...slotFact(slot), from, to },
      })),
    );
  },
};
