import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  exports: {
    'GET /workday/leave/export': async ({ school, principal }) => {
      await school.sql(`insert into workday_leave_type (code, name)
          select 'CL', 'Casual leave' where not exists (select from workday_leave_type);
        insert into workday_leave (staff_id, academic_year_id, type_id, from_day, to_day, from_half, to_half, state, asked_by, asked_at)
        select (select min(id) from staff), year.id, (select min(id) from workday_leave_type), year.starts_on, year.starts_on, 1, 2,
          'Cancelled', (select min(id) from staff), now()
        from academic_year year where year.status = 'Open' and not exists (select from workday_leave) order by year.starts_on limit 1`);
      return { url: '/workday/leave/export?as=csv&tab=all', by: principal };
    },
    'GET /workday/month/file': async ({ principal }) => ({ url: '/workday/month/file?as=csv', by: principal }),
    'GET /workday/month/kept/:id': async ({ school, principal }) => {
      const month = new Date((school.clock.now ?? new Date()).getTime() - 32 * 86_400_000).toISOString().slice(0, 7);
      await school.sql(`delete from workday_month; update staff_employment set joined_on = joined_on - 70`);
      await principal.send({ method: 'POST', url: '/api/workday/month/close', body: { month } });
      const [closed] = await school.sql(`select id from workday_month`);
      return { url: `/workday/month/kept/${closed?.id}`, by: principal };
    },
  },
  rows: ({ sql }) =>
    sql(`insert into workday_shift_person (staff_id, shift_id, effective_from)
        select min(staff.id), (select min(id) from workday_shift), '2026-06-01' from staff
        where exists (select from workday_shift) having min(staff.id) is not null;
      insert into workday_credit (staff_id, academic_year_id, type_id, kind, halves, reason, entered_by, entered_at)
        select (select min(id) from staff), year.id, type.id, 'Opening', 4, 'Kept in the old system', (select min(id) from staff), now()
        from academic_year year, workday_leave_type type where year.status = 'Open' limit 1;
      insert into workday_month (month, closed_by, closed_at) select '2026-01-01', min(id), now() from staff having min(id) is not null;
      insert into workday_punch (staff_id, at) select min(id), '2026-06-15 03:30+00' from staff having min(id) is not null`),
};
