import { idOf, toAccount } from '#testing/addressed.ts';
import type { Examples, MessageExample } from '#testing/examples.ts';
import { nextNumber } from '#testing/numbers.ts';
import type { School } from '#testing/school.ts';
import { noJobs } from './server/warnings.ts';

/** An alert that Admins are told of. */
const toAdmins = (school: School, ended: 'null' | 'now()'): Promise<MessageExample> =>
  toAccount(school, {
    isAdmin: true,
    subject: () =>
      idOf(
        school,
        `insert into alert (name, text, began_at, told_at, gone_at, ended_at)
        values ('no-jobs-${nextNumber()}', '${JSON.stringify(noJobs)}', now(), now(), ${ended}, ${ended}) returning id`,
      ),
  });

export const examples: Examples = {
  messages: {
    'alert-began': (school) => toAdmins(school, 'null'),
    'alert-ended': (school) => toAdmins(school, 'now()'),
  },
  rows: (school) => toAdmins(school, 'now()'),
};
