import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import type { Result, Status, standings } from '../contract/words.ts';

/** A child of a delivery with its result, at a day. */
export interface Listed {
  deliveryId: number;
  studentId: number;
  rollNo: number | null;
  name: string;
  standing: (typeof standings)[number];
  result: '' | Result;
  handedInOn: string;
  marks: number | null;
  feedback: string;
  version: number;
  dueOn: string;
  reason: string;
  status: Status;
  isLate: boolean;
}

/** In a query of `given`, its `roster`, `result` and `extension`. */
export const dueOfChild = sql<string>`greatest(given.counts_until, extension.counts_until)`;
export const statusOn = (today: string) =>
  sql<Status>`homework_status(result.result, result.handed_in_on, ${dueOfChild}, roster.standing, given.state, ${today}::date)`;

/** The children of a delivery by roll number, with those last who are on the list no longer. */
export async function readRoster({ db }: Pick<Context, 'db'>, id: number, today: string): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select given.id as "deliveryId", roster.student_id as "studentId", place.roll_no as "rollNo", student.name, roster.standing,
      coalesce(result.result, '') as result, coalesce(result.handed_in_on::text, '') as "handedInOn",
      result.marks::float as marks, coalesce(result.feedback, '') as feedback, coalesce(result.version, 0) as version,
      ${dueOfChild}::text as "dueOn", coalesce(extension.reason, '') as reason, ${statusOn(today)} as status,
      coalesce(result.handed_in_on > ${dueOfChild}, false) as "isLate"
    from homework_section given
    cross join lateral homework_roster(array[given.id]) roster
    join student on student.id = roster.student_id
    left join homework_result result on result.homework_section_id = given.id and result.student_id = roster.student_id
    left join homework_extension extension on extension.homework_section_id = given.id
      and extension.student_id = roster.student_id
    left join lateral student_place(roster.student_id, given.due_on) place on place.section_id = given.section_id
    where given.id = ${id}
    order by roster.standing = 'Not on the list', place.roll_no nulls last, student.sort_name, student.id`.execute(db);
  return rows;
}

/** How far deliveries are: of their children who have it, as `submitted` those on time or late. */
export async function countResults(
  { db }: Pick<Context, 'db'>,
  ids: readonly number[],
): Promise<Map<number, { total: number; submitted: number; checked: number }>> {
  const { rows } = await sql<{ id: number; total: number; submitted: number; checked: number }>`
    select roster.homework_section_id as id, count(*)::integer as total,
      count(*) filter (where result.result = 'Submitted')::integer as submitted, count(result.result)::integer as checked
    from homework_roster(${[...ids]}::integer[]) roster
    left join homework_result result on result.homework_section_id = roster.homework_section_id
      and result.student_id = roster.student_id
    where roster.standing = 'Given' or roster.standing <> 'Not on the list' and result.result is not null
    group by 1`.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
