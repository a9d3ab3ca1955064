import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { digestsOf } from '#testing/digests.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { openSchool, type School } from '#testing/school.ts';
import { inquiryApi } from '../../contract/inquiry.ts';

let school: School;
let office: Person;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  await school.person({ name: 'Farida', sets: ['office'] });
  await openAdmission(school, 'academic_year.id = academic_year_on()');
});
afterAll(() => school.close());

const idOf = async (query: string) => Number((await school.sql(query))[0]?.id);
async function add(over: object = {}) {
  const values = {
    ...{ firstName: 'Slip', lastName: 'Mehta', gender: 'Female', quota: 'General', isAnotherChild: false },
    birthDate: String(
      (await school.sql('select (age_cutoff_on - 2372)::text as d from academic_year where id = academic_year_on()'))[0]
        ?.d,
    ),
    academicYearId: await idOf('select id from academic_year where id = academic_year_on()'),
    branchId: 1,
    programId: await idOf('select id from academic_program where board_id is not null order by id'),
    gradeId: await idOf("select id from academic_grade where name = 'Grade 1'"),
    leadSourceId: await idOf("select id from academic_lookup where kind = 'Lead source' and name = 'Walk-in'"),
    ...{ fatherMobile: '5550201944', motherMobile: '', fatherEmail: '', motherEmail: '', fatherFirstName: 'Nilesh' },
    ...{ fatherLastName: '', motherFirstName: '', motherLastName: '', nextFollowUpOn: '', remark: '', ageReason: '' },
    ...{ assignedToId: '', sendsForm: false, ...over },
  };
  return office.call(inquiryApi.create, values as never);
}
const mayRemove = async (id: number) => (await office.call(inquiryApi.read, { id })).may.remove;

test('Q1.5 an inquiry entered by mistake is removed within a day: nothing of it is left but the log, and nobody is told', async () => {
  const before = await digestsOf(school);
  const farida = await idOf(`select id from staff where name = 'Farida'`);
  const made = await add({ assignedToId: farida });
  expect(await mayRemove(made.id)).toBe(true);
  expect(await office.call(inquiryApi.remove, made)).toEqual({ blocks: [] });
  expect((await digestsOf(school)).filter(({ name }) => name !== 'notice')).toEqual(
    before.filter(({ name }) => name !== 'notice'),
  );
  expect(await school.sql('select id from notice where read_at is null')).toEqual([]);
  await expect(mayRemove(made.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('Q1.5 an inquiry with a follow-up is not removed, and the answer names it', async () => {
  const { id } = await add();
  const nextOn = addDays(toLocalDate(new Date()), 3);
  await office.call(inquiryApi.logFollowUp, { id, channel: 'Call', note: 'Rang', nextOn });
  const { version } = await office.call(inquiryApi.update, { ...(await saved(id)), id } as never);
  const { blocks } = await office.call(inquiryApi.remove, { id, version });
  expect(blocks.map(english)).toEqual(['Follow-ups: 1']);
  expect(await mayRemove(id)).toBe(true);
});
const saved = async (id: number) => {
  const { version, values } = await office.call(inquiryApi.read, { id });
  return { ...values, version };
};

test('Q1.5 an inquiry whose form was sent, and one of another day, is marked as lost instead', async () => {
  const sent = await add({ lastName: 'Sent' });
  await office.call(inquiryApi.copyLink, { id: sent.id });
  expect(await mayRemove(sent.id)).toBe(false);
  const { version } = await saved(sent.id);
  await expect(office.call(inquiryApi.remove, { id: sent.id, version })).rejects.toMatchObject({ code: 'conflict' });
  const old = await add({ lastName: 'Old' });
  await school.sql(`update admission_inquiry set created_at = created_at - interval '26 hours' where id = ${old.id}`);
  expect(await mayRemove(old.id)).toBe(false);
  await expect(office.call(inquiryApi.remove, { ...old, ...(await saved(old.id)) } as never)).rejects.toMatchObject({
    code: 'conflict',
  });
});
