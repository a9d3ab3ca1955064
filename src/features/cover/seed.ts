import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';

/** Every other class without a teacher today gets one of its branch; registers that are not taken yet are left open. */
export async function finish(ctx: Context, _app: unknown, { today }: SeedPlan) {
  await sql`
    with open as (
      select need.academic_year_id, need.branch_id, need.section_id, need.subject_id, min(need.absent_id) as absent_id,
        min(need.half) as from_half, max(need.half) as to_half,
        row_number() over (order by need.section_id, need.subject_id nulls first) as place
      from cover_needed(${today}::date) need group by 1, 2, 3, 4)
    insert into cover (academic_year_id, day, section_id, subject_id, from_half, to_half, absent_id, staff_id, given_by, given_at)
    select open.academic_year_id, ${today}::date, open.section_id, open.subject_id, open.from_half, open.to_half, open.absent_id,
      teacher.staff_id, office.staff_id, (${today}::date + time '08:05')::timestamp at time zone 'Asia/Kolkata'
    from open
    join lateral (select distinct own.staff_id from academic_section_teacher own
      join academic_section section on section.id = own.section_id and section.branch_id = open.branch_id
      where ${today}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
        and own.section_id <> open.section_id
        and not exists (select from workday_away away where away.day = ${today}::date and away.staff_id = own.staff_id)
      order by own.staff_id offset open.place limit 1) teacher on true
    join lateral (select staff_id from sign_in_account where 'office' = any (sets) order by id limit 1) office on true
    where open.place % 2 = 1 and open.from_half = 1
      and (open.subject_id is not null or exists (select from attendance_register register
        where register.section_id = open.section_id and register.day = ${today}::date))`.execute(ctx.db);
}
