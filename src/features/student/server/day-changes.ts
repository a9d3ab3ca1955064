import { sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { DayChange } from '#kit/server/dashboard.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import { studentsSeen } from './visible.ts';

const readers = [staff('office', 'principal')];
const forSchool = { roles: ['Staff'], sets: ['office', 'principal'] } as const;

const seen = (ctx: UserContext) => studentsSeen(ctx, readers);

/** How many students a query of them finds, and the first by name. */
async function named(query: ReturnType<typeof seen>) {
  const { names, count } = await query
    .select([
      sql<number>`count(distinct student.id)::integer`.as('count'),
      sql<string[]>`coalesce((array_agg(distinct student.name order by student.name))[1:3], '{}')`.as('names'),
    ])
    .executeTakeFirstOrThrow();
  return { names, count, more: count - names.length };
}

/** Students whose leaving was entered; the last day of some is still to come. */
export const leaversChange: DayChange = {
  title: text`Students who left`,
  place: 10,
  ...forSchool,
  read: async (ctx, since) => {
    const { count, ...own } = await named(
      seen(ctx).where(sql<boolean>`exists (select from student_leaving leaving where leaving.student_id = student.id
        and leaving.undone_at is null and leaving.readmitted_on is null and leaving.decided_at >= ${since}::date::timestamp at time zone ${localTimeZone})`),
    );
    if (count === 0) return undefined;
    return {
      words: text(
        { message: '{n, plural, one {Leaving entered for # student} other {Leaving entered for # students}}' },
        { n: count },
      ),
      ...own,
      to: 'student/student-list?tab=left',
    };
  },
};

/** Students whose first day in a new enrolment was since. */
export const joinersChange: DayChange = {
  title: text`New students`,
  place: 20,
  ...forSchool,
  read: async (ctx, since) => {
    const { count, ...own } = await named(
      seen(ctx).where(sql<boolean>`exists (select from student_enrollment own where own.student_id = student.id
        and own.is_standing and own.admission_type = 'New' and own.joined_on between ${since}::date and ${toLocalDate(ctx.now())}::date)`),
    );
    if (count === 0) return undefined;
    return {
      words: text({ message: '{n, plural, one {# new student} other {# new students}}' }, { n: count }),
      ...own,
      to: 'student/student-list',
    };
  },
};
