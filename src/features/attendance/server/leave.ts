import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { requestApproval, withdrawApproval } from '#features/approval/api.ts';
import { studentsByNumber, visibleStudents } from '#features/student/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { containsName } from '#kit/server/search.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { leaveAccess } from '../contract/cards.ts';
import { type LeaveOfChild, type LeaveState, type leaveApi, leaveList, leaveMessages } from '../contract/leave.ts';
import { countHalves, showDays } from './leave-days.ts';
import { applyLeave, countLocked, takeBackLeave } from './leave-marks.ts';
import { teacherLeaveDays } from './settings.ts';

export const leaveConstraintMessages = {
  attendance_leave_overlap: leaveMessages.overlap,
  attendance_leave_year: leaveMessages.year,
  attendance_leave_own_child: leaveMessages.ownChild,
};

/** The places whose children's leave the user notes and reads. */
const seesPlace = ({ user }: UserContext) =>
  inScope(user, leaveAccess, { branch: sql`place.branch_id`, section: sql`place.held_section_id` });

/** Leaves with the place of the child today; of another year with the last one, or the first, in the leave's year. */
export const leaves = (ctx: UserContext) =>
  ctx.db
    .selectFrom('attendance_leave as leave')
    .innerJoin('student', 'student.id', 'leave.student_id')
    .innerJoinLateral(
      sql<{ branch_id: number; grade_id: number; held_section_id: number | null; name: string }>`student_place(
        leave.student_id, ${toLocalDate(ctx.now())}::date, leave.academic_year_id)`.as('place'),
      (join) => join.onTrue(),
    )
    .where(seesPlace(ctx))
    .select(['leave.id', 'leave.version', 'leave.student_id as studentId', 'student.name as student'])
    .select(['place.name as section', 'leave.from_day as fromDay', 'leave.to_day as toDay', 'leave.halves'])
    .select(['leave.kind', 'leave.half', 'leave.reason', 'leave.state'])
    .select([
      sql<string>`coalesce((select name from staff where id = leave.noted_by),
        (select name from guardian where id = guardian_now(leave.asked_by_guardian_id)))`.as('notedBy'),
      sql<boolean>`leave.asked_by_guardian_id is not null`.as('isByFamily'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof leaves>['executeTakeFirstOrThrow']>>;

export const { routes: leaveListRoutes } = serveList(leaveList, (ctx) => ({
  query: leaves(ctx),
  id: 'leave.id',
  isPeople: true,
  matches: (word) => sql`${containsName('student', word)}`,
  tabs: {
    current: sql`(leave.state in ('Asked', 'Granted') and leave.to_day >= ${toLocalDate(ctx.now())})`,
    asked: sql`leave.state = 'Asked'`,
    all: undefined,
  },
  filters: {
    branchId: (id) => sql`place.branch_id = ${Number(id)}`,
    gradeId: (id) => sql`place.grade_id = ${Number(id)}`,
    kind: (kind) => sql`leave.kind = ${kind}`,
  },
  sorts: { fromDay: { by: sql`leave.from_day`, as: 'date' } },
  toRows: async (rows: Row[]) =>
    rows.map(({ halves, ...row }) => ({
      ...row,
      days: showDays(halves),
      mayCancel: row.state === 'Asked' || row.state === 'Granted',
    })),
}));

/** The most leaves on a child's card. */
const mostOfChild = 10;

export const ofStudent: Handler<typeof leaveApi.ofStudent> = async (ctx, { id }) => {
  const [seen, rows] = await Promise.all([
    visibleStudents(ctx, [id], leaveAccess),
    leaves(ctx)
      .where('leave.student_id', '=', id)
      .select(sql<boolean>`leave.paper_id is not null`.as('hasPaper'))
      .orderBy('leave.from_day', 'desc')
      .orderBy('leave.id', 'desc')
      .limit(mostOfChild)
      .execute(),
  ]);
  if (seen.length === 0) throw new AppError('not_found', notFoundMessage);
  return { leaves: rows.map(({ halves, ...row }) => ({ ...row, days: showDays(halves) }) as LeaveOfChild) };
};

/** The student who is chosen, or found by number, where the user may note their leave. */
async function findStudent(ctx: UserContext, { studentId, number }: { studentId: number | null; number: string }) {
  const today = toLocalDate(ctx.now());
  const found = studentId === null ? await studentsByNumber(ctx, number, today) : [{ studentId }];
  const { rows } = await sql<{ studentId: number; name: string; branchId: number; sectionId: number }>`
    select student.id as "studentId", student.name, place.branch_id as "branchId", place.held_section_id as "sectionId"
    from student join lateral student_place(student.id, ${today}::date) place on place.held_section_id is not null
    where student.id = any(${found.map((one) => one.studentId)}::integer[]) and ${seesPlace(ctx)}
    limit 2`.execute(ctx.db);
  const [student, other] = rows;
  if (!student) {
    if (studentId !== null) throw new AppError('not_found', notFoundMessage);
    throw fieldRefusal('number', leaveMessages.noStudent);
  }
  if (other) throw fieldRefusal('number', leaveMessages.several);
  return student;
}

/** The year of the days and the child's grade in it; both days need a place in a section. */
async function findYear({ db }: Pick<Context, 'db'>, studentId: number, fromDay: string, toDay: string) {
  const { rows } = await sql<{ yearId: number; gradeId: number; branchId: number }>`
    select year.id as "yearId", own.grade_id as "gradeId", own.branch_id as "branchId"
    from academic_year year
    join lateral student_place(${studentId}::integer, ${fromDay}::date, year.id) own on own.held_section_id is not null
    where ${fromDay}::date between year.starts_on and year.ends_on and ${toDay}::date <= year.ends_on
    for share of year`.execute(db);
  return rows[0];
}

interface Days {
  studentId: number;
  fromDay: string;
  toDay: string;
  half: string | number;
}

/** What a leave of these days would be, with the enrolment locked: two leaves of one child are counted one after the other. */
export async function weighLeave(ctx: Pick<Context, 'db'>, { studentId, fromDay, toDay, half }: Days) {
  const year = await findYear(ctx, studentId, fromDay, toDay);
  if (!year) throw fieldRefusal('fromDay', leaveMessages.notHere);
  await sql`select from student_enrollment where student_id = ${studentId} and academic_year_id = ${year.yearId}
    order by id for no key update`.execute(ctx.db);
  const counts = await countHalves(ctx, { ...year, studentId, fromDay, toDay, isHalf: half !== 'Whole day' });
  if (counts.halves === 0) throw fieldRefusal('fromDay', leaveMessages.noSchool);
  return { ...year, ...counts };
}

type Weighed = Awaited<ReturnType<typeof weighLeave>>;

interface NewLeave extends Days {
  kind: string | number;
  reason: string;
  state: LeaveState;
}

/** Writes a leave that an employee notes or a guardian asks for, and returns its id. */
export const writeLeave = (
  ctx: Context,
  { studentId, fromDay, toDay, half, kind, reason, state }: NewLeave,
  { yearId, halves, counted }: Weighed,
  by: { noted_by: number } | { asked_by_guardian_id: number },
): Promise<{ id: number }> =>
  withConstraintMessages(
    ctx,
    {
      table: 'attendance_leave',
      fields: {},
      constraintMessages: { attendance_leave_overlap: { field: 'fromDay', message: leaveMessages.overlap } },
    },
    () =>
      ctx.db
        .insertInto('attendance_leave')
        .values({
          academic_year_id: yearId,
          student_id: studentId,
          from_day: fromDay,
          to_day: toDay,
          half: String(half),
          kind: String(kind),
          reason,
          state,
          halves,
          counted,
          ...by,
          noted_at: ctx.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
  );

/** What the one who decides reads above a request. */
export const leaveTitle = (fromDay: string, toDay: string) =>
  fromDay === toDay
    ? text`Leave on ${{ day: showDate(fromDay) }}`
    : text`Leave from ${{ from: showDate(fromDay) }} until ${{ until: showDate(toDay) }}`;

/** Whether the employee is a parent or guardian of the child, who never decides about it. */
async function isOwnChild({ db }: Pick<Context, 'db'>, staffId: number, studentId: number) {
  const row = await db
    .selectFrom('student_guardian as link')
    .innerJoin('guardian', 'guardian.id', 'link.guardian_id')
    .where('guardian.staff_id', '=', staffId)
    .where('link.student_id', '=', studentId)
    .where('link.role', '<>', 'Contact')
    .select('link.id')
    .executeTakeFirst();
  return row !== undefined;
}

export const note: Handler<typeof leaveApi.note> = async (ctx, { studentId: chosen, number, ...asked }) => {
  const { fromDay, toDay, kind, reason } = asked;
  const { studentId, name, branchId, sectionId } = await findStudent(ctx, { studentId: chosen, number });
  const weighed = await weighLeave(ctx, { ...asked, studentId });
  const { halves, counted } = weighed;
  const most = await readSetting(ctx, teacherLeaveDays);
  const isTeacher = ctx.user.sets.includes('classTeacher') && ctx.user.scope.led.includes(sectionId);
  const mayGrant = ctx.user.sets.includes('principal') || (isTeacher && counted <= 2 * most);
  const isGranted = mayGrant && !(await isOwnChild(ctx, ctx.user.staffId, studentId));
  const state: LeaveState = isGranted ? 'Granted' : 'Asked';
  const { id } = await writeLeave(ctx, { ...asked, studentId, state }, weighed, { noted_by: ctx.user.staffId });
  const details = {
    from: showDate(fromDay),
    until: showDate(toDay),
    days: showDays(halves),
    kind: String(kind),
    state,
  };
  await audit(ctx, { action: 'attendance.leave-noted', entity: 'student', entityId: studentId, details });
  if (!isGranted) {
    await requestApproval(ctx, {
      kind: 'attendance.leave',
      subjectId: id,
      branchId,
      studentId,
      title: leaveTitle(fromDay, toDay),
      reason,
      to: await decidersOf(ctx, { studentId, branchId, isLong: counted > 2 * most }),
    });
    return { id, name, state, changed: 0, locked: 0 };
  }
  return { id, name, state, changed: await applyLeave(ctx, [id]), locked: await countLocked(ctx, id) };
};

/** Those whom the bell tells: the child's class teachers, or the principals for a long leave; never a parent of the child. */
export async function decidersOf(
  { db, now }: Context,
  { studentId, branchId, isLong }: { studentId: number; branchId: number; isLong: boolean },
) {
  const principals = { sets: ['principal'], branchId };
  if (isLong) return principals;
  const { rows } = await sql<{ staffId: number }>`
    select distinct led.staff_id as "staffId"
    from student_on(${toLocalDate(now())}::date) there
    join academic_section_teacher led on led.section_id = there.section_id and led.role in ('Class teacher', 'Co-class teacher')
      and ${toLocalDate(now())}::date between led.effective_from and coalesce(led.effective_to, 'infinity')
    where there.student_id = ${studentId} and not exists (select from student_guardian link
      join guardian adult on adult.id = link.guardian_id and adult.staff_id = led.staff_id
      where link.student_id = there.student_id and link.role <> 'Contact')`.execute(db);
  return rows.length > 0 ? { staff: rows.map(({ staffId }) => staffId) } : principals;
}

export const cancel: Handler<typeof leaveApi.cancel> = async (ctx, { id, version }) => {
  const found = await leaves(ctx).where('leave.id', '=', id).executeTakeFirstOrThrow(notFound);
  await sql`select from academic_year where id = (select academic_year_id from attendance_leave where id = ${id}) for share`.execute(
    ctx.db,
  );
  const leave = await ctx.db
    .selectFrom('attendance_leave')
    .where('id', '=', id)
    .select(['state', 'version'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  requireVersion(leave, version);
  if (leave.state !== 'Asked' && leave.state !== 'Granted') throw new AppError('conflict', leaveMessages.ended);
  const changed = leave.state === 'Granted' ? await takeBackLeave(ctx, [id]) : 0;
  await setState(ctx, [id], 'Cancelled');
  await withdrawApproval(ctx, { kind: 'attendance.leave', subjectId: id });
  const details = { from: showDate(found.fromDay), until: showDate(found.toDay), state: 'Cancelled' };
  await audit(ctx, { action: 'attendance.leave-cancelled', entity: 'student', entityId: found.studentId, details });
  return { changed };
};

export const setState = ({ db }: Pick<UserContext, 'db'>, ids: readonly number[], state: LeaveState) =>
  db.updateTable('attendance_leave').set({ state, version: sql`version + 1` }).where('id', 'in', ids).execute();
