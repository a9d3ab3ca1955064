import { withFamilyLink } from '#testing/addressed.ts';
import type { Examples } from '#testing/examples.ts';
import { plantDigest, plantMissing } from '#testing/homework.ts';

export const examples: Examples = {
  exports: {
    'GET /homework/missing/export': async ({ school, office, openThisYear }) => {
      await openThisYear();
      await plantMissing(school);
      return { url: '/homework/missing/export?as=csv', by: office };
    },
  },
  messages: {
    'homework.digest': async (school) => {
      const id = await plantDigest(school);
      const [digest] = await school.sql(`select guardian_id as id from homework_digest where id = ${id}`);
      return withFamilyLink(school, Number(digest?.id), id);
    },
    'homework.reminder': async (school) => {
      const digest = await plantDigest(school);
      const [reminder] = await school.sql(`insert into homework_reminder (homework_section_id, guardian_id, day)
        select (select max(id) from homework_section), guardian_id, day from homework_digest where id = ${digest}
        returning id, guardian_id`);
      return withFamilyLink(school, Number(reminder?.guardian_id), Number(reminder?.id));
    },
  },
  rows: ({ sql }) =>
    sql(`insert into homework_file (homework_id, file_id)
      select (select min(id) from homework), (select id from file limit 1)`),
};
