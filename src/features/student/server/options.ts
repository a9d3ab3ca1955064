import { type SqlBool, sql } from 'kysely';
import type { Access, OutputOf } from '#kit/contract/endpoint.ts';
import { mostOptions, type PeopleEndpoint } from '#kit/contract/field.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { OptionsInput } from '#kit/server/master/options.ts';
import { beginsFirst, containsName } from '#kit/server/search.ts';
import { hasAdultWithNumber } from './search.ts';
import { allStudentsSeen, hasLeft } from './visible.ts';

type Asked = Pick<OptionsInput, 'search' | 'limit' | 'chosenId'>;

/**
 * The students whom the user reaches by this access, as choices of a field: found by name, GR number or an adult's mobile
 * number, the typed GR number first and those who have left last. `among` is a condition on `student`.
 */
export async function studentOptions(
  ctx: UserContext,
  access: Access,
  { search, limit, chosenId }: Asked,
  among = sql<SqlBool>`true`,
): Promise<OutputOf<PeopleEndpoint>> {
  const today = toLocalDate(ctx.now());
  const isFound = search.trim() === '' ? sql<SqlBool>`true` : containsName('student', search);
  return (
    allStudentsSeen(ctx, access)
      .where(among)
      .where(sql<SqlBool>`(student.id = ${chosenId} or ${isFound} or ${hasAdultWithNumber(ctx.user, search)})`)
      .select([
        'student.id',
        'student.name',
        sql<boolean>`not ${hasLeft(today)}`.as('isActive'),
        sql<string>`concat_ws(' · ', 'GR ' || student.gr_no, place.name)`.as('detail'),
      ])
      .orderBy(sql`student.id is distinct from ${chosenId}`)
      // Four digits are a GR number before they are a part of many mobile numbers.
      .orderBy(sql`student.gr_no is distinct from ${search.trim()}`)
      .orderBy(hasLeft(today))
      .orderBy(sql`not starts_with(student.gr_no, ${search.trim()})`)
      .orderBy(beginsFirst(sql`student.name`, search))
      .orderBy('student.sort_name')
      .orderBy('student.id')
      .limit(Math.min(limit, mostOptions))
      .execute()
  );
}

/** In a query of `student`: those with a place at the school on this day, also without a section. */
export const isPlacedOn = (day: string) =>
  sql<SqlBool>`student.id in (select there.student_id from student_on(${day}) there)`;
