import { type SqlBool, sql } from 'kysely';
import { studentReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { findByWords, mobilePart, type SearchGroup, type SearchHit } from '#kit/server/search.ts';
import { familyReaders, timelineReaders } from '../contract/record.ts';
import { hasLeft, isSeen, studentsSeen } from './visible.ts';

const leastDigits = 4;
/** A GR number is no longer than this. */
const mostNumber = 20;

const adultsWith = (search: string) => sql`student_guardian link join guardian adult on adult.id = link.guardian_id
  where adult.mobile like ${`%${mobilePart(search, leastDigits)}%`}`;

/** In a query of `student` and their `place`: those with an adult of this number or part of it, for readers of the family. */
export const hasAdultWithNumber = (user: User, search: string) =>
  mobilePart(search, leastDigits)
    ? sql<SqlBool>`(${isSeen(user, familyReaders)} and student.id in (select link.student_id from ${adultsWith(search)}))`
    : sql<SqlBool>`false`;

/**
 * Readers find the students in their scope. Those who may read the family see the masked number of the adult to call, and
 * find a student by the number of an adult.
 */
export const studentSearch: SearchGroup = {
  kind: 'student',
  title: text`Students`,
  list: 'report/student-report',
  sets: studentReaders.flatMap(({ sets }) => sets),
  find: async (ctx: UserContext, search, most) => {
    const today = toLocalDate(ctx.now());
    const hasAdult = hasAdultWithNumber(ctx.user, search);
    const rows = await findByWords(
      studentsSeen(ctx, studentReaders)
        .select(['student.id', 'student.name', 'student.gr_no', 'student.left_on'])
        .select([
          hasLeft(today).as('has_left'),
          sql<
            string | null
          >`case when ${hasAdult} then (select adult.mobile from ${adultsWith(search)} and link.student_id = student.id limit 1) end`.as(
            'found_mobile',
          ),
        ])
        // Read for the hits alone, after they are ordered.
        .select('place.name as place')
        .select(
          sql<string | null>`case when ${isSeen(ctx.user, familyReaders)}
            then (select mobile from student_contact where student_id = student.id) end`.as('mobile'),
        ),
      {
        table: 'student',
        search,
        most,
        name: sql`student.name`,
        also: hasAdult,
        sort: [hasLeft(today), sql`student.sort_name`, sql`student.id`],
      },
    );
    const hits = rows.map(({ id, name, gr_no, left_on, has_left, found_mobile, place, mobile, closeness }) => ({
      id,
      title: name,
      detail: [gr_no, place, masked(found_mobile ?? mobile ?? '')].filter(Boolean).join(' · '),
      ...(has_left && left_on && { note: text`Left on ${{ day: showDate(left_on) }}` }),
      to: `student/student-list/${id}`,
      closeness,
    }));
    // A whole number comes before what only begins with it or holds it, such as mobile numbers.
    const whole = hits.filter(({ closeness }) => closeness >= 2);
    const merged = await findMerged(ctx, search, most - whole.length);
    const spent = await findSpent(ctx, search, most - whole.length - merged.length);
    return [...whole, ...merged, ...spent, ...hits.filter(({ closeness }) => closeness < 2)].slice(0, most);
  },
};

/** GR numbers that are not given again, for who finds them on an old paper: each leads to the record that holds for it. */
async function findSpent(ctx: UserContext, search: string, most: number): Promise<SearchHit[]> {
  if (most <= 0 || !/\p{N}/u.test(search) || search.length > mostNumber) return [];
  const rows = await ctx.db
    .selectFrom('student_gr_spent as spent')
    .leftJoin('student', 'student.id', 'spent.student_id')
    .where(sql<boolean>`gr_key(spent.gr_no) = gr_key(${search})`)
    .where(inScope(ctx.user, timelineReaders, { branch: sql`spent.branch_id` }))
    .select(['spent.id', 'spent.gr_no', 'spent.reason', 'spent.student_id', 'student.name'])
    .orderBy('spent.id', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ id, gr_no, reason, student_id, name }) => ({
    id,
    title: name ?? gr_no,
    detail: [gr_no, reason].join(' · '),
    note: text`Not given again`,
    to: student_id === null ? 'student/student-list' : `student/student-list/${student_id}`,
    closeness: 2,
  }));
}

/** A mobile number without all but its last digits; '' without a number. */
const masked = (digits: string) => digits && `••••••${digits.slice(-4)}`;

/** A number or a name of a record that was merged leads to the record that is kept. */
async function findMerged(ctx: UserContext, search: string, most: number): Promise<SearchHit[]> {
  if (most <= 0 || search.trim() === '') return [];
  const rows = await studentsSeen(ctx, studentReaders)
    .innerJoin('student as merged', 'merged.merged_into_id', 'student.id')
    .where(
      sql<boolean>`(gr_key(merged.gr_no) = gr_key(${search}) and gr_key(${search}) <> ''
        or merged.name <> student.name and lower(merged.name) = lower(${search.trim()}))`,
    )
    .select(['student.id', 'student.name', 'student.gr_no', 'merged.gr_no as old'])
    .orderBy('merged.id', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ id, name, gr_no, old }) => ({
    id,
    title: name,
    detail: gr_no,
    note: text`GR ${{ old }} was merged into GR ${{ number: gr_no }}`,
    to: `student/student-list/${id}`,
    closeness: 2,
  }));
}
