import type { Child, ChildYear } from '#database/seed/children.ts';
import { demoPeople } from '#database/seed/demo-people.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import { grades as gradeNames } from '#database/seed/school.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';
import { readCertificateFacts } from './server/paper/certificate-facts.ts';

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
    .where('year.status', '=', 'Current')
    .where('year.ends_on', '>=', day)
    .select(['enrollment.id', 'enrollment.academic_year_id', 'enrollment.branch_id', 'enrollment.program_id'])
    .select(['enrollment.grade_id', 'own.section_id', 'own.roll_no'])
    .orderBy('own.effective_from', 'desc')
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

/** The certificates of the latest leavers: handed out, one with a duplicate, made, and one void with its successor. */
async function seedCertificates(ctx: Context, { today }: SeedPlan) {
  const { db } = ctx;
  const leavings = await db
    .selectFrom('student_leaving as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .leftJoin('student_contact as adult', 'adult.student_id', 'student.id')
    .where('own.last_day', '<', addDays(today, -5))
    .where('own.readmitted_on', 'is', null)
    .select(['own.id', 'own.student_id', 'own.enrollment_id', 'own.last_day', 'student.branch_id', 'adult.name'])
    .orderBy('own.last_day', 'desc')
    .orderBy('own.id')
    .limit(12)
    .execute();
  const years = await db.selectFrom('academic_year').select(['name', 'starts_on', 'ends_on']).execute();
  const counts = new Map<string, number>();
  for (const [index, leaving] of leavings.reverse().entries()) {
    const issuedOn = addDays(leaving.last_day, 3);
    const year = years.find(({ starts_on, ends_on }) => starts_on <= issuedOn && issuedOn <= ends_on)?.name ?? '';
    const facts = JSON.stringify(await readCertificateFacts(ctx, leaving.student_id, leaving));
    for (const isVoid of index === 1 ? [true, false] : [false]) {
      const count = (counts.get(year) ?? 0) + 1;
      counts.set(year, count);
      const isHandedOut = !isVoid && index % 3 !== 2;
      const { id } = await db
        .insertInto('student_certificate')
        .values({
          kind: 'Leaving',
          number: `LC/${year}/${String(count).padStart(4, '0')}`,
          student_id: leaving.student_id,
          leaving_id: leaving.id,
          branch_id: leaving.branch_id,
          issued_on: issuedOn,
          facts,
          made_by: clerk,
          made_at: `${issuedOn}T11:00:00+05:30`,
          handed_out_on: isHandedOut ? addDays(issuedOn, 1) : null,
          handed_to: isHandedOut ? (leaving.name ?? 'Guardian') : '',
          voided_at: isVoid ? `${issuedOn}T12:00:00+05:30` : null,
          void_reason: isVoid ? 'The birth date was corrected' : '',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (index === 0)
        await db
          .insertInto('student_certificate_copy')
          .values({ certificate_id: id, copy_no: 1, reason: 'The family lost it', printed_by: clerk })
          .execute();
    }
  }
  const series = await db
    .selectFrom('number_series')
    .where('code', '=', 'leaving-certificate')
    .where('branch_id', 'is', null)
    .select('id')
    .executeTakeFirstOrThrow();
  await insertRows(
    db,
    'number_series_value',
    [...counts].map(([period, count]) => ({ series_id: series.id, period, next_value: count + 1, is_drawn: true })),
  );
}
