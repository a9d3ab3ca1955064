import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Status, statuses } from '../contract/words.ts';
import { dueOfChild, statusOn } from './roster.ts';

type Reading = Pick<Context, 'db' | 'now'>;

/** Published homework of a child, as it is now. */
export interface ChildHomework {
  studentId: number;
  deliveryId: number;
  title: string;
  subject: string;
  minutes: number;
  assignedOn: string;
  /** The child's own due day. */
  dueOn: string;
  status: Status;
  marks: number | null;
  maxMarks: number | null;
  feedback: string;
  showsFeedback: boolean;
}

/** The published homework of children that is due from one day to another, latest first. */
export async function listOfChildren(
  { db, now }: Reading,
  studentIds: readonly number[],
  { from, to }: { from: string; to: string },
): Promise<ChildHomework[]> {
  const today = toLocalDate(now());
  const { rows } = await sql<ChildHomework>`
    with place as materialized (
      select section_id, effective_from, effective_to from student_section
      where student_id = any(${[...studentIds]}::integer[])),
    own as materialized (
      select distinct given.id from place
      join homework_section given on given.section_id = place.section_id and given.counts_until between ${from}::date and ${to}::date
        and place.effective_from <= given.due_on and coalesce(place.effective_to, 'infinity') >= given.assigned_on
      where given.state in ('Published', 'Closed') and given.publish_at <= ${now()})
    select roster.student_id as "studentId", given.id as "deliveryId", content.title, subject.name as subject, content.minutes,
      given.assigned_on::text as "assignedOn", ${dueOfChild}::text as "dueOn", ${statusOn(today)} as status,
      result.marks::float as marks, content.max_marks::float as "maxMarks", coalesce(result.feedback, '') as feedback,
      content.shows_feedback as "showsFeedback"
    from homework_roster(array(select id from own), ${[...studentIds]}::integer[]) roster
    -- By key for each of the few: the planner expects a thousand, and would read the results of the whole school.
    join lateral (select * from homework_section where id = roster.homework_section_id offset 0) as given on true
    join lateral (select * from homework where id = given.homework_id offset 0) as content on true
    join configuration_subject subject on subject.id = given.subject_id
    left join lateral (select * from homework_result own
      where own.homework_section_id = given.id and own.student_id = roster.student_id offset 0) as result on true
    left join lateral (select * from homework_extension own
      where own.homework_section_id = given.id and own.student_id = roster.student_id offset 0) as extension on true
    where roster.standing <> 'Not on the list'
    order by roster.student_id, 7 desc, given.id desc`.execute(db);
  return rows;
}

export interface HomeworkCounts {
  studentId: number;
  given: number;
  /** How many of each status. */
  counts: Record<Status, number>;
  /** Submitted, on time or late, of 1000 that count; null where none counts yet. */
  perMille: number | null;
}

/** What is excused, not checked or not due yet counts nowhere. */
export function countsOf(studentId: number, items: readonly ChildHomework[]): HomeworkCounts {
  const count = (wanted: Status) => items.filter(({ status }) => status === wanted).length;
  const counts = Object.fromEntries(statuses.map((status) => [status, count(status)])) as Record<Status, number>;
  const counted = items.length - counts.Excused - counts['Not checked'] - counts.Pending;
  const done = counts.Submitted + counts.Late;
  return {
    studentId,
    given: items.length,
    counts,
    perMille: counted > 0 ? Math.round((done * 1000) / counted) : null,
  };
}
