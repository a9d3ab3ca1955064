import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { weigh } from './server/cost.ts';
import { titleOf } from './server/leave.ts';
import { addUsual } from './server/usual.ts';

/** The usual lists, leave of most people since the year began, two requests, some people away today, presence, and punches of a week. */
export async function seed(ctx: Context, _app: FastifyInstance, { today }: SeedPlan) {
  await ctx.db.transaction().execute(async (db) => {
    await addUsual({ ...ctx, db });
    const added = await seedLeave({ ...ctx, db }, today);
    if (!added) return;
    await seedPunches({ ...ctx, db }, today);
    await seedPresence({ ...ctx, db }, today, added.fromDay);
  });
}

async function seedLeave({ db, now }: Context, today: string) {
  // The working days of everybody, numbered; each person takes some of them, whatever the year is.
  const { rows: made } = await sql<{ id: number; fromDay: string; toDay: string; state: string; staffId: number }>`
    with year as (select id, starts_on from academic_year where id = academic_year_on(${today}::date) and status = 'Open'),
    -- The register of the last section waits: its class teacher is away.
    waiting as materialized (select academic_class_teacher(max(section.id), ${today}) as staff_id
      from academic_section section join year on year.id = section.academic_year_id),
    people as materialized (
      select staff.id, row_number() over (order by staff.id) as place from staff
      where exists (select from staff_post post where post.staff_id = staff.id)
      order by staff.id in (select staff_id from waiting) desc, staff.id limit 74),
    days as materialized (
      select own.staff_id, own.day, year.id as year_id, people.place, row_number() over (partition by own.staff_id order by own.day) as nth
      from year cross join lateral workday_on(array(select id from people), year.starts_on, ${today}::date + 20) as own
      join people on people.id = own.staff_id
      where own.second_works),
    picked as (
      select staff_id, year_id, day, place, case
          when day = ${today}::date and (place in (9, 17, 26) or staff_id in (select staff_id from waiting)) then 'Granted'
          when day between ${today}::date + 4 and ${today}::date + 8 and place in (5, 31) then 'Asked'
          when day < ${today}::date - 3 and (nth + staff_id * 7) % 41 = 0 then 'Granted' end as state
      from days),
    -- A person asks once.
    first as (select * from (select picked.*, row_number() over (partition by staff_id, state order by day) as turn from picked) as each
      where state = 'Granted' or (state = 'Asked' and turn = 1))
    insert into workday_leave (staff_id, academic_year_id, type_id, from_day, to_day, from_half, to_half, reason, state, asked_by,
      asked_at, decided_by, decided_at)
    select first.staff_id, first.year_id, type.id, first.day, first.day, 1, case when first.place % 5 = 0 then 1 else 2 end,
      case first.place % 4 when 0 then 'Wedding in the family' when 1 then 'Fever' when 2 then 'Bank and papers' else '' end,
      first.state, first.staff_id, (first.day - 2 + time '18:10') at time zone 'Asia/Kolkata',
      case when first.state = 'Granted' then (select min(staff_id) from sign_in_account where 'principal' = any(sets)) end,
      case when first.state = 'Granted' then (first.day - 1 + time '09:05') at time zone 'Asia/Kolkata' end
    from first join workday_leave_type type on type.code = case first.place % 4 when 1 then 'SL' when 3 then 'EL' else 'CL' end
    returning id, staff_id as "staffId", from_day::text as "fromDay", to_day::text as "toDay", state`.execute(db);
  if (made.length === 0) return undefined;
  await sql`insert into workday_leave_half (staff_id, day, half, leave_id)
    select leave.staff_id, leave.from_day, halves.half, leave.id
    from workday_leave leave join (values (1::smallint), (2::smallint)) as halves (half) on halves.half <= leave.to_half
    on conflict do nothing`.execute(db);
  const days = made.map(({ fromDay }) => fromDay).toSorted();
  const [fromDay = today, toDay = today] = [days[0], days.at(-1)];
  await weigh({ db }, { people: [...new Set(made.map(({ staffId }) => staffId))], fromDay, toDay });
  const asked = made
    .filter(({ state }) => state === 'Asked')
    .map(({ id, staffId, ...days }) => ({ id, staffId, title: titleOf(days) }));
  await sql`insert into approval (kind, workday_leave_id, branch_id, title, requested_by, requested_at)
    select 'workday.leave', asked.id, (select branch_id from staff_post where staff_id = asked."staffId" order by effective_from desc limit 1),
      asked.title, asked."staffId", ${now()}
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (id integer, "staffId" integer, title jsonb)`.execute(
    db,
  );
  return { fromDay };
}

/** Those who are no teachers punch in and out for a week, now and then late; the device misses one way out. */
async function seedPunches({ db }: Context, today: string) {
  const { rows } = await sql<{ people: number[] | null; office: number }>`
    with made as (
      insert into workday_punch (staff_id, at, device)
      select own.staff_id, (own.day + own.starts::time + make_interval(mins => punch.minutes)) at time zone 'Asia/Kolkata', 'Gate 1'
      from workday_on(array(select distinct post.staff_id from staff_post post
          where not exists (select from academic_section_teacher taught where taught.staff_id = post.staff_id)),
        ${today}::date - 7, ${today}::date - 1) as own
      cross join lateral (values (own.staff_id * 7 % 23 + extract(day from own.day)::integer * 5 % 13 - 28),
        (case when (own.staff_id + extract(day from own.day)::integer) % 31 <> 0 then 485 + own.staff_id * 3 % 19 end)) as punch (minutes)
      where own.second_works and own.starts <> '' and punch.minutes is not null
        and not exists (select from workday_leave_half half where half.staff_id = own.staff_id and half.day = own.day)
      returning staff_id)
    select (select array_agg(distinct staff_id) from made) as people,
      (select min(staff_id) from sign_in_account where 'office' = any(sets)) as office`.execute(db);
  for (const { people, office } of rows)
    if (people)
      await sql`select workday_derive(${people}::integer[], ${today}::date - 7, ${today}::date - 1, ${office}::integer,
        (${today}::date + time '08:30') at time zone 'Asia/Kolkata')`.execute(db);
}

/** Marks of the working days until yesterday, a few of them late, half or absent, and none on leave. */
const seedPresence = ({ db }: Context, today: string, fromDay: string) =>
  sql`
  insert into workday_presence (staff_id, day, kind, in_at, source, entered_by, entered_at)
  select own.staff_id, own.day, case chance.kind when 'Half day' then case when own.second_works then 'Half day' else 'Present' end
      else chance.kind end,
    case when chance.kind = 'Late' then own.starts::time + make_interval(mins => 12 + own.staff_id % 25) end, 'Office',
    (select min(staff_id) from sign_in_account where 'office' = any(sets)), (own.day + time '09:30') at time zone 'Asia/Kolkata'
  from workday_on(array(select distinct staff_id from staff_post), ${fromDay}, ${today}::date - 1) as own
  cross join lateral (select case (own.staff_id * 13 + extract(doy from own.day)::integer * 7) % 97
    when 3 then 'Absent' when 11 then 'Half day' when 12 then 'Late' when 40 then 'Late' when 41 then 'On duty' else 'Present' end as kind) as chance
  where own.first_works and own.starts <> ''
    and not exists (select from workday_leave_half half where half.staff_id = own.staff_id and half.day = own.day)
    and not exists (select from workday_presence mark where mark.staff_id = own.staff_id and mark.day = own.day)
  order by own.day, own.staff_id`.execute(db);
