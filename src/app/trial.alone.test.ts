import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { reviewApi } from '#features/admission/contract/review.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { ticketTemplates } from '#features/ticket/server/notices.ts';
import { activateCatalogue, translate } from '#kit/browser/text.ts';
import type { Text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { confirmSeat, plantWaiting } from '#testing/admission.ts';
import { plantAnnouncement } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { openFamilyPage } from '#testing/family.ts';
import { plantReceipt, plantReminder } from '#testing/fee-reminders.ts';
import { plantDigest } from '#testing/homework.ts';
import { create } from '#testing/masters.ts';
import { pagesOf } from '#testing/pdf.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { enroll, type Place } from '#testing/students.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { plantTicket } from '#testing/tickets.ts';
import { inTrial, outsideBrackets, readTexts } from '#testing/trial.ts';
import { allMessages } from './features.server.ts';

// The server writes English so far; here it writes the trial language.
const reader = vi.hoisted(() => ({ read: undefined as ((text: Text) => string) | undefined }));
vi.mock('#kit/contract/text.ts', async (load) => {
  const real = await load<typeof import('#kit/contract/text.ts')>();
  return { ...real, english: (text: Text) => (reader.read ?? real.english)(text) };
});

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openOwnSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha Shah' });
  activateCatalogue('en', inTrial(await readTexts()));
});
afterAll(() => school.close());

async function inTrialLanguage<Made>(make: () => Promise<Made>): Promise<Made> {
  reader.read = translate;
  try {
    return await make();
  } finally {
    reader.read = undefined;
  }
}

const idOf = async (statement: string) => Number((await school.sql(statement))[0]?.id);
const secret = `sha256('x')`;
async function correctionRequested() {
  const { id } = await school.inquiry();
  await school.sql(`update admission_inquiry set state = 'Correction requested', open_pages = '{1}' where id = ${id}`);
  return id;
}
/** Absent, and then late once the family was told: the last message about it. */
async function told(...marks: string[]) {
  const today = toLocalDate(new Date());
  const day = `'${today}'`;
  const teacher = await school.person();
  await openSection(school, { day });
  await setDay(school, today, 'Working day');
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day }) });
  const child = await seat(school, section, 'Aarav');
  const adult = await raise(school, [child], { firstName: 'Nikhil', mobile: '9825000009' });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${adult}`);
  for (const mark of marks) {
    await school.sql(`update outbox set status = 'sent' where template = 'attendance.absent'`);
    await takeRegister(teacher, section, '', { Aarav: mark });
  }
  return idOf(`select max(id) as id from attendance_message where student_id = ${child}`);
}
/** A message of an announcement to the father of a child. */
async function announced() {
  const section = await openSection(school);
  const studentId = await seat(school, section, 'Aarav');
  const guardianId = await raise(school, [studentId], { firstName: 'Nikhil', mobile: '9825000009' });
  return (await plantAnnouncement(school, { studentId, guardianId, words: '13' })).deliveryId;
}
/** The subject of each message, where it is not the Admin's account. */
const subjects: Record<string, () => Promise<number>> = {
  'admission.link': async () => (await school.inquiry()).id,
  'admission.consent-withdrawn': async () => (await school.inquiry()).id,
  'admission.submitted': async () => (await school.inquiry()).id,
  'admission.correction': correctionRequested,
  'admission.correction-reminder': correctionRequested,
  'admission.reminder': async () => (await school.inquiry()).id,
  'admission.meeting': async () => {
    const { id, slotId } = await plantWaiting(school);
    await school.sql(`update admission_slot set starts_at = starts_at + interval '1 day', ends_at = ends_at + interval '1 day'
      where id = ${slotId}`);
    return id;
  },
  'admission.offer-reminder': async () => {
    const { id } = await plantWaiting(school);
    await school.sql(`update admission_inquiry set state = 'Offered', waitlist_position = null, offer_expires_on = current_date + 9
      where id = ${id}`);
    return id;
  },
  'admission.welcome': async () => {
    const { id } = await confirmSeat(school, await openSection(school));
    const studentId = await seat(school, await openSection(school), 'Ishaan');
    await school.sql(`update admission_inquiry set state = 'Admitted', student_id = ${studentId} where id = ${id}`);
    return id;
  },
  'admission.reply': async () => {
    const family = await school.inquiry({ fatherEmail: 'father@family.example' });
    await family.post('message-to-school', { about: 'Birth Date', messageText: '13' });
    const message = await idOf('select max(id) as id from admission_message');
    const office = await school.person({ sets: ['office'] });
    await office.call(reviewApi.reply, { id: family.id, message, words: '13' });
    return message;
  },
  'admission.sibling-code': async () => {
    const { id } = await school.inquiry();
    return idOf(`insert into admission_sibling_code (inquiry_id, parent, salt, expires_at)
      values (${id}, 'father', substr(${secret}, 1, 16), now() + interval '1 hour') returning id`);
  },
  'staff.documents-due': async () => {
    const { staffId } = await school.person();
    await school.sql(`insert into file (id, owner, owner_id, media_type, name, bytes, sha256)
        values ('0b0e5f9c-0000-4000-8000-000000000001', 'staff', ${staffId}, 'image/png', 'x.png', 1, ${secret});
      insert into staff_document (staff_id, document_type_id, file_id, expires_on, status, decided_by, decided_at)
        select ${staffId}, min(id), '0b0e5f9c-0000-4000-8000-000000000001', current_date - 1, 'Verified', ${staffId}, now()
        from hris_document_type`);
    return admin.id;
  },
  'admission.message': async () => {
    await (await school.inquiry()).post('message-to-school', { about: 'Birth Date', messageText: '13' });
    return idOf('select max(id) as id from admission_message');
  },
  'sign-in-code': () =>
    idOf(`insert into sign_in_code (challenge, method, target, account_id, salt, expires_at)
      values (${secret}, 'Email', 'a@b.example', ${admin.id}, substr(${secret}, 1, 16), now() + interval '1 hour') returning id`),
  'sign-in-reset': () =>
    idOf(`insert into sign_in_reset (account_id, salt, expires_at)
      values (${admin.id}, substr(${secret}, 1, 16), now() + interval '1 hour') returning id`),
  'contact-code': () =>
    idOf(`insert into sign_in_contact (account_id, channel, target, salt, expires_at)
      values (${admin.id}, 'email', 'a@b.example', substr(${secret}, 1, 16), now() + interval '1 hour') returning id`),
  'announcement.notice': announced,
  'announcement.emergency': announced,
  'attendance.absent': () => told('A'),
  'attendance.update': () => told('A', 'L 00:00'),
  'family.link': async () => (await openFamilyPage(school)).guardianId,
  'fee.receipt': async () => {
    const studentId = await seat(school, await openSection(school), 'Aarav');
    const guardianId = await raise(school, [studentId], { firstName: 'Nikhil', mobile: '9825000008' });
    return plantReceipt(school, { studentId, guardianId });
  },
  'fee.reminder': async () => {
    const studentId = await seat(school, await openSection(school), 'Aarav');
    const guardianId = await raise(school, [studentId], { firstName: 'Nikhil', mobile: '9825000009' });
    return plantReminder(school, { studentId, guardianId });
  },
  'homework.digest': () => plantDigest(school),
  ...Object.fromEntries(Object.keys(ticketTemplates).map((name) => [name, () => plantTicket(school, admin.staffId)])),
  'act-reported': async () => {
    await create(admin, yearMaster);
    return idOf(`select max(id) as id from audit where role = 'Admin'`);
  },
};

test.each(Object.entries(allMessages))('the message %s is whole in the trial language', async (name, template) => {
  const subject = (await subjects[name]?.()) ?? admin.id;
  const message = await inTrialLanguage(() => render(school.services, template, subject));
  expect(message?.subject).toMatch(/^«.*»$/);
  // A family's own words form a separate paragraph.
  expect(outsideBrackets([message?.text ?? 'nothing'])).toEqual([]);
});

test('a promotion list is whole in the trial language', async () => {
  const place = (await create(admin, sectionMaster)) as unknown as Place;
  const [year, grade] = [await create(admin, yearMaster), await create(admin, gradeMaster)];
  const { academicYearId, gradeId } = place;
  await school.sql(`update academic_grade set next_grade_id = ${grade.id} where id = ${gradeId}`);
  const students = [];
  for (const decision of ['Promote', 'Detain', 'Leave'])
    students.push({ enrollmentId: await enroll(school, place, 'Diya'), decision });
  const body = { academicYearId, gradeId, toYearId: year.id, keepsSection: false, students };
  const promote = (more = {}) =>
    admin.send({ method: 'POST', url: '/api/academic/section-student/promotion', body: { ...body, ...more } });
  await promote({ confirmToken: (await promote()).json.confirmToken });
  const id = await idOf('select max(id) as id from academic_promotion');
  school.papers.isReal = true;
  const list = await inTrialLanguage(() => admin.send({ url: `/api/academic/section-student/promoted/${id}` }));
  const pages = await pagesOf(list.bytes);
  expect(pages.join()).toContain('«Proomootiioon liist»');
  const entered = JSON.stringify([
    await school.sql('select * from academic_school'),
    await school.sql('select name from academic_grade'),
    await school.sql('select name, gr_no from student'),
  ]);
  const words = outsideBrackets([pages.join(' ')]).flatMap((rest) => rest.match(/\p{L}[\p{L}\d]*/gu) ?? []);
  expect(words.filter((word) => !entered.includes(word))).toEqual([]);
});
