import type { Examples, Stage } from '#testing/examples.ts';

/** A payment from home. */
async function plantPayment({ school, pupil }: Stage) {
  await pupil();
  await school.sql(`insert into fee_receipt_series (name, short_name) select 'Home', 'HOME'
      where not exists (select from fee_receipt_series);
    with adult as (insert into guardian (first_name, last_name, mobile) values ('Nilam', 'Shah', '9825000044') returning id)
    insert into home_payment (guardian_id, student_id, receipt_series_id, reference, paid_on, amount)
      select adult.id, (select max(id) from student), (select min(id) from fee_receipt_series), '412345678901', '2026-06-01', 100
      from adult`);
}

export const examples: Examples = {
  exports: {
    'GET /online/home-payment/export': async (stage) => {
      await plantPayment(stage);
      return { url: '/online/home-payment/export?as=csv&tab=all', by: stage.principal };
    },
  },
  rows: ({ sql }) =>
    sql(`insert into home_payment (guardian_id, student_id, receipt_series_id, reference, paid_on, amount)
      select link.guardian_id, link.student_id, series.id, '412345678901', '2026-06-01', 100
      from (select guardian_id, student_id from student_guardian order by 1, 2 limit 1) link,
        (select min(id) as id from fee_receipt_series having min(id) is not null) series on conflict do nothing`),
};
