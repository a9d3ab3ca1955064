import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import type { SeedPlan } from '#kit/server/feature.ts';

const notes = [
  'Asked about fees and the school bus.',
  'Will visit the school with the grandparents.',
  'Needs the form again, the link was not opened.',
  'Compares with another school, decides next week.',
];

/** The office's work on the inquiries of the demo: sources, follow-ups of the last days, and lost families. */
export async function seed(ctx: Context, _app: unknown, { today }: SeedPlan) {
  const staff = await ctx.db.selectFrom('staff').where('name', '=', 'Meena Chauhan').select('id').executeTakeFirst();
  if (!staff) return;
  await ctx.db.transaction().execute(async (db) => {
    await sql`update admission_inquiry inquiry set
        lead_source_id = coalesce(lead_source_id, (select id from academic_lookup
          where kind = 'Lead source' and is_active order by md5(inquiry.inquiry_no || name) limit 1)),
        assigned_to_id = case when id % 3 > 0 then ${staff.id}::integer end,
        next_follow_up_on = case when state not in ('Submitted', 'Lost') and id % 2 = 0
          then ${addDays(today, -3)}::date + (id % 9)::integer end`.execute(db);
    await sql`insert into admission_follow_up (inquiry_id, channel, note, next_on, staff_id, contacted_at)
      select id, (array['Call', 'Visit', 'WhatsApp'])[1 + id % 3], (${notes}::text[])[1 + id % ${notes.length}::integer],
        next_follow_up_on, ${staff.id}, least(created_at + interval '1 day', ${today}::timestamptz)
      from admission_inquiry where next_follow_up_on is not null`.execute(db);
    await sql`update admission_inquiry set state = 'Lost', lost_reason = 'Chose a school nearer home', next_follow_up_on = null
      where state = 'Form sent' and id % 7 = 3`.execute(db);
  });
}
