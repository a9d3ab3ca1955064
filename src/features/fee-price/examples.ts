import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  exports: {
    'GET /fee/plan/export': async ({ office, pupil }) => {
      await pupil();
      return { url: '/fee/plan/export?as=csv&tab=all', by: office };
    },
    'GET /fee/concession/export': async ({ school, office, pupil }) => {
      await pupil();
      await school.sql(`with discount as (insert into fee_discount (name, code, value_kind, percent, all_heads, eligibility, priority,
          needs_approval) values ('Merit', 'M', 'Percent', 1000, true, 'Merit', 1, false) returning id)
        insert into fee_concession (student_id, academic_year_id, discount_id, source, percent, effective_from, effective_to, status)
        select student_id, academic_year_id, discount.id, 'Suggested', 1000, '2026-04-01', '2027-03-31', 'Suggested'
        from student_enrollment, discount where is_standing`);
      return { url: '/fee/concession/export?as=csv', by: office };
    },
  },
  rows: async ({ sql }) => {
    await sql(`with plan as (select * from fee_plan order by id limit 1),
        head as (select fee_head_id, receipt_series_id from fee_due order by id limit 1),
        option as (insert into fee_plan_option select plan.id, fee_head_id, 0, 11 from plan, head)
      insert into fee_plan_month select plan.id, fee_head_id, 0, 100 from plan, head`);
    await sql(`insert into fee_proposal (kind, name, input, lines, asked_by, asked_at)
      select 'Discount', 'Waiver', '{}', '[]', min(id), now() from staff`);
    await sql(`insert into fee_relief (plan_id, kind, part, facts, effective_from, lowers, asked_by, asked_at)
      select max(plan.id), 'Withdrawn', 'days', '{}', current_date, 100, min(staff.id), now() from fee_plan plan, staff`);
  },
};
