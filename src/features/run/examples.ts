import { idOf } from '#testing/addressed.ts';
import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  exports: {
    'GET /run/:id/result': async ({ school, office }) => {
      const id = await idOf(
        school,
        `with run as (
          insert into run (kind, account_id, actor, input, total, started_at, finished_at)
          values ('admission.remind', ${office.id}, 'Office', '{}', 1, now(), now()) returning id),
        row as (insert into run_row (run_id, subject_id, name, status) select id, 1, 'Diya', 'Done' from run)
        select id from run`,
      );
      return { url: `/run/${id}/result`, by: office };
    },
  },
  rows: async ({ sql }) => {
    await sql(`with run as (insert into run (kind, actor, input, total, started_at)
        values ('admission.remind', 'Shala', '{}', 1, now()) returning id)
      insert into run_row (run_id, subject_id, name) select id, 1, 'Mira' from run`);
    await sql(`insert into daily_task (name, day) values ('admission.reminders', current_date)`);
  },
};
