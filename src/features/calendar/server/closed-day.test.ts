import { afterAll, beforeAll, expect, test } from 'vitest';
import { coverApi } from '#features/cover/contract/cover.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { checkHomework, giveHomework, openStage, readHomework, teachSubject } from '#testing/homework.ts';
import { setDay } from '#testing/registers.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { teach } from '#testing/teachers.ts';
import { calendarApi } from '../contract/calendar.ts';

let school: School;
let admin: Person;
let office: Person;
const [thursday, friday, monday] = ['2026-11-26', '2026-11-27', '2026-11-30'];
const at = (day: string) => {
  school.clock.now = new Date(`${day}T10:00:00+05:30`);
};
beforeAll(async () => {
  school = await openOwnSchool();
  at(thursday);
  admin = await school.person({ role: 'Admin' });
  office = await school.person({ name: 'Meena', sets: ['office'] });
});
afterAll(() => school.close());

/** Changes Friday for a grade as the calendar’s page does; returns what was asked first. */
async function setFriday(kind: 'Holiday' | 'Working day', gradeId: number): Promise<string[]> {
  const [year] = await school.sql(`select id from academic_year where '${friday}' between starts_on and ends_on`);
  const send = async (warned: string) =>
    admin.send({
      method: 'PUT',
      url: '/api/academic/calendar/day',
      body: {
        academicYearId: year?.id,
        rowVersion: (await admin.call(calendarApi.read, { academicYearId: Number(year?.id) })).rowVersion,
        ...{ from: friday, to: friday, kind, name: 'Rain', gradeId, warned },
      },
    });
  const asked = await send('');
  if (asked.status === 200) return [];
  const { texts, token } = (asked.json.error as { data: { texts: Text[]; token: string } }).data;
  expect((await send(token)).status).toBe(200);
  return texts.map(english).toSorted();
}

const employed = async (name: string) => {
  const person = await school.person({ name });
  await school.sql(`update staff_employment set joined_on = '2020-06-01' where staff_id = ${person.staffId}`);
  return person;
};

test('CM1 one question names the homework and the covers of a closed Friday; no child is late until Monday; reopened, homework is due on Friday again and the covers are open', async () => {
  const [teacher, absent, substitute] = [await employed('Ravi'), await employed('Hiral'), await employed('Sita')];
  const seventh = await openStage(school, { stage: 'Middle', names: ['Asha', 'Bina'] });
  const ninth = await openStage(school, { stage: 'Secondary', names: ['Chirag'] });
  for (const day of [thursday, friday, monday]) await setDay(school, day, 'Working day');
  await setDay(school, '2026-11-28', 'Holiday');
  const subjectId = await teachSubject(school, teacher, [seventh, ninth]);
  const [own = 0, others = 0] = await giveHomework(teacher, [seventh, ninth], { subjectId, dueOn: friday });
  await teach(school, absent, { sectionId: seventh.id });
  await teach(school, substitute, { sectionId: ninth.id });
  await school.sql(`insert into workday_presence (staff_id, day, kind, source, entered_by, entered_at)
    values (${absent.staffId}, '${friday}', 'Absent', 'Office', ${office.staffId}, now())`);
  const lines = async () =>
    (await office.call(coverApi.read, { day: friday })).lines.filter(({ absentId }) => absentId === absent.staffId);
  const [line] = await lines();
  if (!line) throw new Error('Nothing to cover.');
  const { sectionId, subjectId: covered, absentId, fromHalf, toHalf } = line;
  const rows = [{ sectionId, subjectId: covered, absentId, fromHalf, toHalf, staffId: substitute.staffId }];
  await office.call(coverApi.give, { day: friday, rows });

  const [sixth] = await school.sql(
    `select id from academic_grade where stage = 'Middle' and id <> ${seventh.gradeId} limit 1`,
  );
  expect(await setFriday('Holiday', Number(sixth?.id))).toEqual([]);
  expect(await setFriday('Holiday', seventh.gradeId)).toEqual([
    '1 substitute is cancelled, with a message.',
    `${seventh.name}: Exercise 4.2 counts until 30 Nov 2026.`,
  ]);
  expect(await lines()).toEqual([]);
  const told = await school.sql(
    `select kind from notice where account_id = ${substitute.id} and kind = 'cover.cancelled'`,
  );
  expect(told).toHaveLength(1);

  const statuses = async (id: number) => (await readHomework(teacher, id)).children.map(({ status }) => status);
  for (const day of ['2026-11-28', '2026-11-29', monday]) {
    at(day);
    expect([day, await statuses(own), await statuses(others)]).toEqual([day, ['Pending', 'Pending'], ['Missing']]);
  }
  const [asha = 0] = seventh.children;
  await checkHomework(teacher, own, [{ studentId: asha, result: 'Submitted', handedInOn: monday }]);
  expect(await statuses(own)).toEqual(['Submitted', 'Pending']);

  at(thursday);
  expect(await setFriday('Working day', seventh.gradeId)).toEqual([
    `${seventh.name}: Exercise 4.2 counts until 27 Nov 2026.`,
  ]);
  expect(await lines()).toMatchObject([{ sectionId: seventh.id, cover: null }]);
  at(monday);
  expect(await statuses(own)).toEqual(['Late', 'Missing']);
});

test('the question names the follow-ups of open inquiries on a day on which the school closes', async () => {
  at(thursday);
  const day = '2026-12-08';
  await setDay(school, day, 'Working day');
  await school.inquiry();
  await school.inquiry();
  const lost = await school.inquiry();
  await school.sql(`update admission_inquiry set next_follow_up_on = '${day}';
    update admission_inquiry set state = 'Lost' where inquiry_no = '${lost.inquiryNo}'`);
  const [year] = await school.sql(`select id from academic_year where '${day}' between starts_on and ends_on`);
  const asked = await admin.send({
    method: 'PUT',
    url: '/api/academic/calendar/day',
    body: {
      academicYearId: year?.id,
      rowVersion: (await admin.call(calendarApi.read, { academicYearId: Number(year?.id) })).rowVersion,
      ...{ from: day, to: day, kind: 'Holiday', name: 'Rain', gradeId: '', warned: '' },
    },
  });
  const { texts } = (asked.json.error as { data: { texts: Text[] } }).data;
  expect(texts.map(english)).toContain('2 follow-ups of inquiries are due on 8 Dec 2026. This day does not move.');
});
