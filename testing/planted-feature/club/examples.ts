import { toAccount, toGuardian } from '#testing/addressed.ts';
import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  exports: {
    'GET /club-meeting/export': async ({ school, office }) => {
      await school.sql(`insert into club_meeting (name) values ('Diya')`);
      return { url: '/club-meeting/export?as=csv&tab=all', by: office };
    },
  },
  messages: {
    'club.invited': (school) => toAccount(school),
    'club.joined': (school) => toGuardian(school, async ({ studentId }) => studentId),
  },
  rows: ({ sql }) =>
    sql(`insert into club_meeting (name) values ('Diya');
      with one as (insert into club (name) values ('Debate') returning id)
        insert into club_member (club_id, student_id) select one.id, (select min(id) from student) from one`),
};
