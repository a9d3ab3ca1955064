import { plantAnnouncement } from '#testing/announcements.ts';
import type { Examples } from '#testing/examples.ts';
import { nextNumber } from '#testing/numbers.ts';
import type { School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';

/** A message of an announcement to the father of a child. */
async function message(school: School) {
  const studentId = await seat(school, await openSection(school), 'Aarav');
  const recipient = `adult${nextNumber()}@family.example`;
  const guardianId = await raise(school, [studentId], { firstName: 'Nikhil', mobile: '9825000009' });
  await school.sql(`update guardian set email = '${recipient}' where id = ${guardianId}`);
  const { deliveryId } = await plantAnnouncement(school, { studentId, guardianId, words: '13' });
  const change = `update guardian set email = 'new@family.example' where id = ${guardianId}`;
  return { subjectId: deliveryId, recipient, change };
}

export const examples: Examples = {
  exports: {
    'GET /announcement/:id/receipt/export': async ({ school, office, pupil }) => {
      await pupil();
      const [child] = await school.sql('select max(student_id) as id from student_section');
      const { id } = await plantAnnouncement(school, { studentId: Number(child?.id) });
      return { url: `/announcement/${id}/receipt/export?as=csv`, by: office };
    },
    'GET /announcement/:id/answer/export': async ({ school, office, pupil }) => {
      await pupil();
      const [child] = await school.sql('select max(student_id) as id from student_section');
      const { id } = await plantAnnouncement(school, { studentId: Number(child?.id) });
      return { url: `/announcement/${id}/answer/export?as=csv`, by: office };
    },
  },
  messages: {
    'announcement.notice': message,
    'announcement.emergency': message,
    'announcement.test': async (school) => {
      const { subjectId } = await message(school);
      const author = await school.person({ sets: ['office'] });
      const [made] = await school.sql(`insert into announcement_test (announcement_id, staff_id, language, sent_at)
        select announcement_id, ${author.staffId}, 'gu', now() from announcement_delivery where id = ${subjectId} returning id`);
      const change = `update staff set email = 'new${nextNumber()}@school.example' where id = ${author.staffId}`;
      return { subjectId: Number(made?.id), recipient: author.email, change };
    },
  },
  rows: ({ sql }) =>
    sql(`insert into announcement_file (announcement_id, file_id, from_version)
      select min(announcement.id), (select id from file limit 1), 1 from announcement;
      insert into announcement_test (announcement_id, staff_id, language, sent_at)
      select min(announcement.id), (select min(id) from staff), 'en', now() from announcement;
      insert into taken_list (sha256, names, taken_at) values (sha256('list'), 2, now()) on conflict do nothing`),
};
