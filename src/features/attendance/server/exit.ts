import { sql } from 'kysely';
import { inScope, reachesBranch } from '#access/server/scope.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import { yearNames } from '#features/school/api.ts';
import { studentsByNumber } from '#features/student/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { nextNumber } from '#kit/server/database/numbering.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { isOpenOn } from '#kit/server/security/open-account.ts';
import { dailyAccess } from '../contract/daily.ts';
import { type ExitChild, type ExitRow, type exitApi, exitMessages, gateKeepers } from '../contract/exit.ts';
import { clockOf } from './clock.ts';
import { markExit, unmarkExit } from './exit-mark.ts';
import { halfAt } from './slot.ts';
import { tellOfExit } from './tell-exit.ts';

/** Who took a child along: an adult of the family, or the person whom a principal allowed. */
const person = sql<string>`coalesce(adult.name, exit.person)`;
const relation = sql<string>`coalesce(relation.name, exit.relation)`;
const withPerson = sql`
  left join guardian adult on adult.id = guardian_now(exit.guardian_id)
  left join student_guardian bond on bond.student_id = exit.student_id and bond.guardian_id = guardian_now(exit.guardian_id)
  left join academic_lookup relation on relation.id = bond.relation_id`;

/** The children who left early on a day, the last one first. */
export async function listExits({ db, user }: UserContext, day: string): Promise<ExitRow[]> {
  const seesReasons = user.sets.some((set) => set === 'office' || set === 'principal');
  const { rows } = await sql<ExitRow>`
    select exit.id, student.id as "studentId", student.name, academic_section_name(grade.name, section.name) as section,
      to_char(exit.left_at, 'HH24:MI') as "leftAt", case when ${seesReasons}::boolean then exit.reason else '' end as reason,
      ${person} as person, ${relation} as relation, exit.pass_no as "passNo", coalesce(staff.name, '') as "allowedBy",
      coalesce(to_char(exit.returned_at, 'HH24:MI'), '') as "returnedAt"
    from attendance_exit exit
    join student on student.id = exit.student_id
    join student_on(${day}) there on there.student_id = exit.student_id
    join academic_section section on section.id = there.section_id
    join academic_grade grade on grade.id = section.grade_id
    left join staff on staff.id = exit.allowed_by ${withPerson}
    where exit.day = ${day}::date and ${inScope(user, dailyAccess, { branch: sql`section.branch_id` })}
    order by exit.left_at desc, exit.id desc limit 2000`.execute(db);
  return rows;
}

/** The principals who may sign in today and reach the branch. */
const principalsOf = (branchId: ReturnType<typeof sql>, today: string) => sql`
  select distinct staff.id, staff.name from sign_in_account account join staff on staff.id = account.staff_id
  where account.is_staff and 'principal' = any(account.sets) and ${isOpenOn(today)}
    and (not exists (select from sign_in_account_branch own where own.account_id = account.id)
      or exists (select from sign_in_account_branch own where own.account_id = account.id and own.branch_id = ${branchId}))`;

/** The mark of the day's half that keeps a child from leaving. */
const away = (day: string, now: Date) => sql`(
  select code.name from attendance_mark mark
  join attendance_register register on register.id = mark.register_id
  join attendance_code code on code.id = mark.code_id and code.kind in ('Absent', 'Leave')
  where mark.academic_year_id = there.academic_year_id and mark.student_id = there.student_id and mark.day = ${day}
    and register.slot in ('Full day', ${halfAt(now) === 1 ? 'Morning' : 'Afternoon'}) limit 1)`;

/** Those of some children who left on a day and did not come back, with whom. */
export async function leftOn({ db }: Pick<UserContext, 'db'>, day: string, studentIds: readonly number[]) {
  const { rows } = await sql<{ studentId: number; leftAt: string; person: string; relation: string }>`
    select exit.student_id as "studentId", to_char(exit.left_at, 'HH24:MI') as "leftAt", ${person} as person,
      ${relation} as relation
    from attendance_exit exit ${withPerson}
    where exit.day = ${day}::date and exit.returned_at is null and exit.student_id = any(${[...studentIds]}::integer[])`.execute(
    db,
  );
  return rows;
}

export const findChild: Handler<typeof exitApi.child> = async (ctx, { number }) => {
  const today = toLocalDate(ctx.now());
  const found = (await studentsByNumber(ctx, number, today)).filter(
    ({ branchId, sectionId }) => sectionId !== null && reachesBranch(ctx.user, branchId),
  );
  const { rows } = await sql<ExitChild>`
    select student.id as "studentId", student.name, academic_section_name(grade.name, section.name) as section,
      coalesce(${away(today, ctx.now())}, '') as mark,
      coalesce((select to_char(left_at, 'HH24:MI') from attendance_exit
        where student_id = student.id and day = ${today} and returned_at is null), '') as "outSince",
      coalesce((select json_agg(json_build_object('guardianId', adult.id, 'name', adult.name, 'relation', relation.name,
          'mayCollect', link.may_collect, 'isBarred', link.is_barred)
          order by link.may_collect desc, link.is_barred, link.is_primary desc, link.contact_order, adult.id)
        from student_guardian link join guardian adult on adult.id = link.guardian_id and not adult.is_deceased
        join academic_lookup relation on relation.id = link.relation_id where link.student_id = student.id), '[]') as adults,
      coalesce((select json_agg(json_build_object('staffId', one.id, 'name', one.name) order by lower(one.name), one.id)
        from (${principalsOf(sql`section.branch_id`, today)}) as one), '[]') as principals
    from student_on(${today}) there
    join student on student.id = there.student_id
    join academic_section section on section.id = there.section_id
    join academic_grade grade on grade.id = section.grade_id
    where there.student_id = any(${found.map(({ studentId }) => studentId)}::integer[])
    order by student.sort_name, student.id`.execute(ctx.db);
  return { children: rows };
};

/** A name as two people would type it. */
const plain = (name: string) => name.trim().toLowerCase().replaceAll(/\s+/g, ' ');

interface Adult {
  guardianId: number;
  name: string;
  relation: string;
  mayCollect: boolean;
  isBarred: boolean;
}

/** Who takes the child, in words. Refuses a barred adult always, and others without the principal. */
function checkPerson(
  adults: readonly Adult[],
  asked: { guardianId: number | null; person: string; relation: string; allowedBy: number | null },
) {
  const adult = adults.find(({ guardianId }) => guardianId === asked.guardianId);
  if (asked.guardianId !== null && !adult) throw fieldRefusal('guardianId', exitMessages.notAdult);
  if (adult?.isBarred) throw fieldRefusal('guardianId', exitMessages.barred);
  // A barred adult is no other person either.
  if (adults.some(({ isBarred, name }) => isBarred && plain(name) === plain(asked.person)))
    throw fieldRefusal('person', exitMessages.barred);
  if (adult && !adult.mayCollect && asked.allowedBy === null) throw fieldRefusal('allowedBy', exitMessages.principal);
  return adult ?? { name: asked.person, relation: asked.relation, mayCollect: false };
}

export const leave: Handler<typeof exitApi.leave> = async (ctx, asked) => {
  const { db, user } = ctx;
  const studentId = Number(asked.studentId);
  const today = toLocalDate(ctx.now());
  const now = clockOf(ctx.now());
  const leftAt = asked.leftAt || now;
  if (leftAt > now) throw fieldRefusal('leftAt', exitMessages.later);
  const { rows: found } = await sql<{ name: string; section: string; branchId: number; academicYearId: number }>`
    select student.name, academic_section_name(grade.name, section.name) as section, section.branch_id as "branchId",
      there.academic_year_id as "academicYearId"
    from student_on(${today}) there
    join student on student.id = there.student_id
    join academic_section section on section.id = there.section_id
    join academic_grade grade on grade.id = section.grade_id
    where there.student_id = ${studentId}
      and ${inScope(user, gateKeepers, { branch: sql`section.branch_id` })}`.execute(db);
  const [student] = found;
  if (!student) throw new AppError('not_found', notFoundMessage);
  const { name, section, academicYearId } = student;
  await lockYearForShare(ctx, academicYearId);

  // Locked until the pass is written, so that barring an adult at the same moment comes before or after it.
  const { rows: adults } = await sql<Adult>`
    select adult.id as "guardianId", adult.name, relation.name as relation, link.may_collect as "mayCollect",
      link.is_barred as "isBarred"
    from student_guardian link join guardian adult on adult.id = link.guardian_id
    join academic_lookup relation on relation.id = link.relation_id
    where link.student_id = ${studentId} order by link.id for share of link`.execute(db);
  const taker = checkPerson(adults, asked);
  const allowedBy = taker.mayCollect ? null : asked.allowedBy;
  const { rows: principals } = await sql<{ id: number; name: string }>`
    select id, name from (${principalsOf(sql`${student.branchId}::integer`, today)}) as one
    where id = ${allowedBy}::integer`.execute(db);
  const [principal] = principals;
  if (allowedBy !== null && !principal) throw fieldRefusal('allowedBy', exitMessages.notPrincipal);

  const { rows: marks } = await sql<{ code: string | null; isOut: boolean }>`
    select ${away(today, ctx.now())} as code, exists (select from attendance_exit
      where student_id = there.student_id and day = ${today} and returned_at is null) as "isOut"
    from student_on(${today}) there where there.student_id = ${studentId}`.execute(db);
  const code = marks[0]?.code;
  if (code) throw fieldRefusal('studentId', text`${{ name }} is marked as ${{ code }} today.`);
  if (marks[0]?.isOut) throw fieldRefusal('studentId', exitMessages.isOut);
  const { mark, old, correctionId } = await markExit(ctx, { ...student, studentId, day: today, leftAt });

  const passNo = await nextNumber(db, { code: 'gate-pass' }, await yearNames(ctx));
  const { id } = await withConstraintMessages(
    ctx,
    {
      table: 'attendance_exit',
      fields: {},
      constraintMessages: {
        attendance_exit_open: { field: 'studentId', message: exitMessages.isOut },
        attendance_exit_once: { field: 'studentId', message: exitMessages.isOut },
        attendance_exit_collects: { field: 'guardianId', message: exitMessages.barred },
      },
    },
    () =>
      db
        .insertInto('attendance_exit')
        .values({
          academic_year_id: academicYearId,
          student_id: studentId,
          day: today,
          left_at: leftAt,
          reason: asked.reason,
          guardian_id: asked.guardianId,
          person: asked.guardianId === null ? asked.person : '',
          relation: asked.guardianId === null ? asked.relation : '',
          pass_no: passNo,
          allowed_by: allowedBy,
          allowed_why: allowedBy === null ? '' : asked.allowedWhy,
          entered_by: user.staffId,
          entered_at: ctx.now(),
          old_code_id: old?.codeId ?? null,
          old_arrived_at: old?.arrivedAt ?? null,
          correction_id: correctionId ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
  );
  const allowed = principal && { 'Allowed by': principal.name, Because: asked.allowedWhy };
  const details = { section, day: today, left: leftAt, 'Gate pass': passNo, 'Taken by': taker.name, ...allowed };
  await audit(ctx, { action: 'attendance.exit', entity: 'student', entityId: studentId, details });
  const isTold = await tellOfExit(ctx, { id, studentId });
  return { id, passNo, name, leftAt, mark, isTold };
};

/** An exit of a child that the user sees, locked. */
async function findExit({ db, user }: UserContext, id: number) {
  const { rows } = await sql<{
    studentId: number;
    academicYearId: number;
    branchId: number;
    name: string;
    section: string;
    day: string;
    isBack: boolean;
    codeId: number | null;
    arrivedAt: string | null;
    correctionId: number | null;
  }>`
    select exit.student_id as "studentId", exit.academic_year_id as "academicYearId", section.branch_id as "branchId", student.name,
      academic_section_name(grade.name, section.name) as section, exit.day::text, exit.returned_at is not null as "isBack",
      exit.old_code_id as "codeId", exit.old_arrived_at as "arrivedAt", exit.correction_id as "correctionId"
    from attendance_exit exit
    join student on student.id = exit.student_id
    cross join lateral (select section_id from student_on(exit.day) own where own.student_id = exit.student_id) as there
    join academic_section section on section.id = there.section_id
    join academic_grade grade on grade.id = section.grade_id
    where exit.id = ${id} and ${inScope(user, gateKeepers, { branch: sql`section.branch_id` })}`.execute(db);
  return rows[0];
}

export const returned: Handler<typeof exitApi.returned> = async (ctx, { id }) => {
  const exit = await findExit(ctx, id);
  if (!exit) throw notFound();
  const { studentId, name, section, day, academicYearId } = exit;
  await lockYearForShare(ctx, academicYearId);
  // Of an earlier day the child came back by its end.
  const returnedAt = day === toLocalDate(ctx.now()) ? clockOf(ctx.now()) : '23:59';
  const { mark, ...marked } = await unmarkExit(ctx, { ...exit, returnedAt });
  const { numUpdatedRows } = await ctx.db
    .updateTable('attendance_exit')
    .set({ returned_at: returnedAt, returned_by: ctx.user.staffId })
    .where('id', '=', id)
    .where('returned_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('conflict', exitMessages.isBack);
  const details = { section, day, returned: returnedAt, ...marked };
  await audit(ctx, { action: 'attendance.exit-returned', entity: 'student', entityId: studentId, details });
  return { name, returnedAt, mark };
};
