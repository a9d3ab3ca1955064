import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { usualCategories, usualHours, usualReplies, usualTargets } from '../contract/usual.ts';

const noDepartment = text`Add a department in the Organizational Master first.`;

/** Writes the usual categories, targets, business hours and replies of a school that has no category yet. */
export async function writeUsual({ db, now }: Pick<Context, 'db' | 'now'>, fromDay: string, staffId: number | null) {
  const found = await db
    .selectFrom('academic_department')
    .where('is_active', '=', true)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
  const [fallback] = found;
  if (!fallback) throw new AppError('conflict', noDepartment);
  const policy = await db
    .insertInto('ticket_policy')
    .values({ name: 'Usual', is_default: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  const made = await db
    .insertInto('ticket_policy_version')
    .values({ policy_id: policy.id, number: 1, pauses_on_hold: true, made_at: now(), made_by: staffId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('ticket_policy_target')
    .values(
      Object.entries(usualTargets).map(([priority, [response_minutes, resolution_minutes]]) => ({
        version_id: made.id,
        priority,
        response_minutes,
        resolution_minutes,
      })),
    )
    .execute();
  const rows = usualCategories.map(({ departments, ...category }) => ({
    ...category,
    departmentId:
      departments.map((name) => found.find((one) => one.name === name)?.id).find((id) => id !== undefined) ??
      fallback.id,
  }));
  await sql`
    with given as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as category (name text,
        "departmentId" integer, priority text, needs text, "isConfidential" boolean, template text, parts jsonb)),
    whole as (insert into ticket_category (name, department_id, priority, requires_student, requires_place, is_confidential, template)
      select name, "departmentId", priority, coalesce(needs = 'student', false), coalesce(needs = 'place', false),
        coalesce("isConfidential", false), coalesce(template, '') from given returning *)
    insert into ticket_category (parent_id, name, department_id, priority, requires_student, requires_place, is_confidential, template)
    select whole.id, part.name, whole.department_id, whole.priority, whole.requires_student, whole.requires_place,
      whole.is_confidential, whole.template
    from given join whole on whole.name = given.name
    cross join lateral jsonb_array_elements_text(given.parts) as part(name)`.execute(db);
  await db
    .insertInto('ticket_canned_reply')
    .values([...usualReplies])
    .execute();
  await writeHours({ db }, fromDay, usualHours);
}

interface WeekDay {
  weekday: number;
  opens: number;
  closes: number;
  halfDayCloses: number;
  breaks: readonly { from: number; to: number }[];
}

/** Business hours from a day on, in place of those of the same day. */
export async function writeHours({ db }: Pick<Context, 'db'>, fromDay: string, days: readonly WeekDay[]) {
  await db.deleteFrom('ticket_hours').where('from_day', '=', fromDay).execute();
  const { id } = await db
    .insertInto('ticket_hours')
    .values({ from_day: fromDay })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('ticket_hours_day')
    .values(
      days.map(({ weekday, opens, closes, halfDayCloses }) => ({
        hours_id: id,
        weekday,
        opens,
        closes,
        half_day_closes: halfDayCloses,
      })),
    )
    .execute();
  const breaks = days.flatMap(({ weekday, breaks: own }) =>
    own.map(({ from, to }) => ({ hours_id: id, weekday, from_minute: from, to_minute: to })),
  );
  if (breaks.length > 0) await db.insertInto('ticket_hours_break').values(breaks).execute();
  return id;
}
