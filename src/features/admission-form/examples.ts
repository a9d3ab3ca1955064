import { reviewApi } from '#features/admission/contract/review.ts';
import { idOf, salt, toFamily } from '#testing/addressed.ts';
import type { Examples, MessageExample } from '#testing/examples.ts';
import { familyInquiry, type School } from '#testing/school.ts';

const toInquiry = async (school: School) => toFamily(school, (await school.inquiry()).id);

/** A form that the family corrects. */
async function toCorrect(school: School) {
  const { id } = await school.inquiry();
  await school.sql(`update admission_inquiry set state = 'Correction requested', open_pages = '{1}' where id = ${id}`);
  return toFamily(school, id);
}

/** A family's message; its words are digits. */
async function write(school: School) {
  const family = await school.inquiry({ ...familyInquiry, fatherEmail: 'father@family.example' });
  await family.post('message-to-school', { about: 'Birth Date', messageText: '13' });
  return { family, message: await idOf(school, 'select max(id) as id from admission_message') };
}

/** A message to the school's office about a record. */
async function toOffice(school: School, subjectId: number): Promise<MessageExample> {
  const [row] = await school.sql(`update academic_school set email = 'office@school.example' returning email`);
  return {
    subjectId,
    recipient: String(row?.email),
    change: `update academic_school set email = 'new${subjectId}@school.example'`,
  };
}

export const examples: Examples = {
  messages: {
    'admission.link': toInquiry,
    'admission.reminder': toInquiry,
    'admission.correction': toCorrect,
    'admission.correction-reminder': toCorrect,
    'admission.decision': toInquiry,
    'admission.submitted': toInquiry,
    'admission.reply': async (school) => {
      const { family, message } = await write(school);
      const office = await school.person({ sets: ['office'] });
      await office.call(reviewApi.reply, { id: family.id, message, words: '13' });
      return toFamily(school, family.id, message);
    },
    'admission.message': async (school) => toOffice(school, (await write(school)).message),
    'admission.consent-withdrawn': async (school) => toOffice(school, (await school.inquiry()).id),
    'admission.sibling-code': async (school) => {
      const [sibling, own] = [await school.inquiry(), await school.inquiry()];
      await school.sql(`update admission_inquiry set sibling_inquiry_id = ${sibling.id} where id = ${own.id}`);
      return {
        subjectId: await idOf(
          school,
          `insert into admission_sibling_code (inquiry_id, parent, salt, expires_at)
          values (${own.id}, 'father', ${salt}, now() + interval '1 hour') returning id`,
        ),
        recipient: String(familyInquiry.fatherMobile),
        change: `update admission_inquiry set father_mobile = '9825000002' where id = ${sibling.id}`,
      };
    },
  },
  rows: async (school) => {
    const family = await school.inquiry();
    await family.draft('basic-info', { firstName: 'Mira' });
    await family.post(
      'message-to-school',
      { about: 'First name', messageText: 'It is spelt Mira.' },
      {
        'idempotency-key': 'whole-school-1',
      },
    );
    await school.sql(`insert into admission_sibling_code (inquiry_id, parent, salt, expires_at)
      values (${family.id}, 'father', ${salt}, now() + interval '5 minutes')`);
  },
};
