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
    with own as materialized (
      select distinct given.id from student_section place
      join homework_section given on given.section_id = place.section_id and given.due_on between ${from}::date and ${to}::date
        and place.effective_from <= given.due_on and coalesce(place.effective_to, 'infinity') >= given.assigned_on
      where place.student_id = any(${[...studentIds]}::integer[]) and given.state in ('Published', 'Closed')
        and given.publish_at <= ${now()})
    select roster.student_id as "studentId", given.id as "deliveryId", content.title, subject.name as subject, content.minutes,
      given.assigned_on::text as "assignedOn", ${dueOfChild}::text as "dueOn", ${statusOn(today)} as status,
      result.marks::float as marks, content.max_marks::float as "maxMarks", coalesce(result.feedback, '') as feedback,
      content.shows_feedback as "showsFeedback"
    from homework_roster(array(select id from own)) roster
    join homework_section given on given.id = roster.homework_section_id
    join homework content on content.id = given.homework_id
    join configuration_subject subject on subject.id = given.subject_id
    left join homework_result result on result.homework_section_id = given.id and result.student_id = roster.student_id
    left join homework_extension extension on extension.homework_section_id = given.id
      and extension.student_id = roster.student_id
    where roster.student_id = any(${[...studentIds]}::integer[]) and roster.standing <> 'Not on the list'
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
