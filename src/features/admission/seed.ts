import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';
import type { SeedPlan } from '#kit/server/feature.ts';
import { seedAccounts } from './seed-account.ts';
import { seedSeats } from './seed-seats.ts';
import { tellAssigned } from './server/inquiry/assigned-notice.ts';

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
    await seedReviews(db, staff.id);
    await sql`update admission_inquiry set state = 'Lost', ended_state = state, ended_reason = 'Chose a school nearer home', next_follow_up_on = null
      where state = 'Form sent' and id % 7 = 3`.execute(db);
    await seedSibling(db);
    await seedSeats(db, staff.id, today);
  });
}

/** One family fills in its second form, and the office has linked the first. */
const seedSibling = (db: Database) =>
  sql`update admission_inquiry own set sibling_inquiry_id = elder.id, sibling_names = concat_ws(' ', elder.first_name, elder.last_name),
      last_name = elder.last_name, father_first_name = elder.father_first_name, father_last_name = elder.father_last_name,
      father_mobile = elder.father_mobile, father_email = elder.father_email, mother_first_name = elder.mother_first_name,
      mother_last_name = elder.mother_last_name, mother_mobile = elder.mother_mobile, mother_email = elder.mother_email
    from (select * from admission_inquiry where state = 'Submitted' order by id limit 1) as elder
    where own.id = (select min(id) from admission_inquiry where state = 'Form sent')`.execute(db);

/** The head of the office assigns inquiries to the office, and the office has read what came first. */
export async function finish(ctx: Context) {
  const { db } = ctx;
  const people = await db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('staff.name', 'in', ['Kiran Parmar', 'Meena Chauhan'])
    .select(['account.id', 'staff_id as staffId', 'name'])
    .orderBy('name')
    .execute();
  const [head, office] = people;
  if (!head || !office) return;
  const nothing = {
    role: 'Staff',
    sets: [],
    scope: { branches: [], led: [], taught: [], covered: [] },
    session: 0,
    confirmedFor: 0,
  };
  const inquiries = await db
    .selectFrom('admission_inquiry')
    .where('assigned_to_id', '=', office.staffId)
    .where('state', 'in', ['Form sent', 'In progress'])
    .select(['id', 'inquiry_no as number'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  for (const inquiry of inquiries)
    await tellAssigned({ ...ctx, user: { ...head, ...nothing } }, office.staffId, inquiry);
  await seedAccounts(ctx, { ...office, ...nothing, sets: ['office'] });
  await sql`update notice set read_at = created_at from (select id, row_number() over (partition by account_id order by id desc)
    as place from notice) as own where own.id = notice.id and place > 5`.execute(db);
}

/** Of every five submitted forms two wait, and one each is under review, back with its family, and verified. */
async function seedReviews(db: Database, staffId: number) {
  const turn = sql`(select id, case when row_number() over (order by id desc) <= 9 then 4
      else row_number() over (order by id) % 5 end as turn from admission_inquiry where submitted_at is not null) as form`;
  // The verified ones came first: their decisions are a week old.
  await sql`update admission_inquiry inquiry
    set submitted_at = submitted_at - case turn when 4 then interval '9 days' else interval '2 days' end
    from ${turn} where form.id = inquiry.id and turn in (2, 3, 4)`.execute(db);
  await sql`insert into admission_verdict (inquiry_id, section, result, staff_id, decided_at)
    select form.id, section, case when turn = 3 and section = 'Family' then 'Needs correction' else 'Accepted' end,
      ${staffId}, inquiry.submitted_at + interval '1 day'
    from ${turn} join admission_inquiry inquiry using (id),
      unnest(array['Child', 'Family', 'Health', 'Contacts', 'Languages']) as section
    where turn in (3, 4) or (turn = 2 and section in ('Child', 'Family'))`.execute(db);
  await sql`insert into admission_document_verdict (document_id, result, staff_id, decided_at)
    select document.id, 'Verified', ${staffId}, inquiry.submitted_at + interval '1 day'
    from ${turn} join admission_inquiry inquiry using (id)
    join admission_document document on document.inquiry_id = form.id where turn in (3, 4)`.execute(db);
  await sql`with correction as (
      insert into admission_correction (inquiry_id, pages, staff_id, requested_at)
      select form.id, '{2}', ${staffId}, inquiry.submitted_at + interval '1 day'
      from ${turn} join admission_inquiry inquiry using (id) where turn = 3 returning id, inquiry_id)
    insert into admission_remark (inquiry_id, section, field, remark, correction_id)
    select inquiry_id, 'Family', 'fatherFirstName', 'Please write the name as on the Aadhaar card.', id
    from correction`.execute(db);
  await sql`update admission_inquiry inquiry set
      state = case turn when 2 then 'Under review' when 3 then 'Correction requested' else 'Verified' end,
      status = case turn when 2 then 'Under review' when 3 then 'Correction needed' else 'Checked' end,
      open_pages = case turn when 3 then '{2}'::smallint[] else '{}' end,
      submitted_at = case turn when 3 then null else submitted_at end, reviewer_id = ${staffId}
    from ${turn} where form.id = inquiry.id and turn in (2, 3, 4)`.execute(db);
}
