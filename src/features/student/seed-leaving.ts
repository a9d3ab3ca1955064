import { sql } from 'kysely';
import type { Child, ChildYear } from '#database/seed/children.ts';
import { demoPeople } from '#database/seed/demo-people.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import { grades as gradeNames } from '#database/seed/school.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';
import { seedCertificates } from './seed-certificates.ts';

const clerk = demoPeople[0]?.name ?? '';

/** The leaving of each child whose last year ended with one, some certificates, and a child who came back. */
export async function seedLeavings(ctx: Context, plan: SeedPlan, children: Child[], idOf: Map<string, number>) {
  const { db } = ctx;
  const leavers = children.flatMap(({ grNo, years }, index) => {
    const own = years.at(-1);
    return own?.leftOn ? [{ studentId: idOf.get(grNo) ?? 0, own, lastDay: own.leftOn, index }] : [];
  });
  await insertLeavings(db, leavers);
  await seedReturn(db, plan, leavers);
  await seedCertificates(ctx, plan);
}

interface Leaver {
  studentId: number;
  own: ChildYear;
  lastDay: string;
  index: number;
}

async function insertLeavings(db: Database, leavers: Leaver[]) {
  const reasons = await db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Leaving reason')
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
  const completed = reasons.find(({ name }) => name === 'Completed the last class');
  const others = reasons.filter((reason) => reason !== completed);
  const enrollments = await db
    .selectFrom('student_enrollment')
    .where('status', '=', 'Left')
    .select(['id', 'student_id'])
    .execute();
  const seats = await db
    .selectFrom('student_section as own')
    .innerJoin('student_enrollment as enrollment', 'enrollment.id', 'own.enrollment_id')
    .where('enrollment.status', '=', 'Left')
    .whereRef('own.effective_to', '=', 'enrollment.left_on')
    .select(['own.enrollment_id', 'own.section_id', 'own.roll_no', 'own.effective_from', 'own.reason'])
    .execute();
  const enrollmentOf = new Map(enrollments.map(({ id, student_id }) => [student_id, id]));
  const seatOf = new Map(seats.map((seat) => [seat.enrollment_id, seat]));
  await insertRows(
    db,
    'student_leaving',
    leavers.map(({ studentId, own, lastDay, index }) => {
      const enrollmentId = enrollmentOf.get(studentId) ?? 0;
      const seat = seatOf.get(enrollmentId);
      const isCompleted = own.isConcluded && own.grade === gradeNames.length - 1;
      const sections = seat
        ? [
            {
              enrollmentId,
              sectionId: seat.section_id,
              rollNo: seat.roll_no,
              from: seat.effective_from,
              to: null,
              reason: seat.reason,
              isCut: true,
            },
          ]
        : [];
      return {
        student_id: studentId,
        enrollment_id: enrollmentId,
        last_day: lastDay,
        reason_id: (isCompleted ? completed : others[index % others.length])?.id ?? 0,
        conduct: 'Good',
        progress: 'Satisfactory',
        ended: JSON.stringify({ enrollments: [{ id: enrollmentId, status: 'Active', left_on: null }], sections }),
        decided_by: clerk,
        decided_at: `${lastDay}T11:00:00+05:30`,
      };
    }),
  );
}

/** One child who left in the current year came back three weeks later, into the same section. */
async function seedReturn(db: Database, { today }: SeedPlan, leavers: Leaver[]) {
  const child = leavers.find(({ own, lastDay }) => !own.isConcluded && addDays(lastDay, 21) <= today);
  if (!child) return;
  const day = addDays(child.lastDay, 21);
  const before = await db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('academic_year as year', 'year.id', 'enrollment.academic_year_id')
    .innerJoin('student_section as own', 'own.enrollment_id', 'enrollment.id')
    .where('enrollment.student_id', '=', child.studentId)
    .where('enrollment.status', '=', 'Left')
    .where('year.id', '=', sql<number>`academic_year_on(${today}::date)`)
    .where('year.ends_on', '>=', day)
    .select(['enrollment.id', 'enrollment.academic_year_id', 'enrollment.branch_id', 'enrollment.program_id'])
    .select(['enrollment.grade_id', 'own.section_id', 'own.roll_no'])
    .where(sql<boolean>`${child.lastDay}::date between own.effective_from and coalesce(own.effective_to, 'infinity')`)
    .executeTakeFirst();
  if (!before) return;
  await db
    .updateTable('student_leaving')
    .set({ readmitted_on: day, version: 2 })
    .where('student_id', '=', child.studentId)
    .execute();
  await db.updateTable('student_enrollment').set({ status: 'Transferred' }).where('id', '=', before.id).execute();
  const { id: _, section_id, roll_no, ...place } = before;
  const { id } = await db
    .insertInto('student_enrollment')
    .values({ ...place, student_id: child.studentId, admission_type: 'Existing', joined_on: day })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('student_section')
    .values({ ...place, enrollment_id: id, student_id: child.studentId, section_id, roll_no, effective_from: day })
    .execute();
}
