import { afterAll, beforeAll, expect, test } from 'vitest';
import { educationAnswers } from '#database/seed/answers.ts';
import type { Person } from '#testing/browser.ts';
import { familyInquiry, openSchool, type School } from '#testing/school.ts';
import { siblingApi } from '../../contract/sibling.ts';

let school: School;
let office: Person;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ role: 'Staff', sets: ['office'] });
});
afterAll(() => school.close());

/** A child whose form is submitted. */
async function submitted(fatherMobile: string) {
  const elder = await school.inquiry({ ...familyInquiry, firstName: 'Asha', fatherMobile, motherMobile: '9825022222' });
  await elder.fillAll();
  await elder.post('education-history', educationAnswers);
  expect((await elder.submit()).status).toBe(200);
  return elder;
}

test('the office links only a child of the same parents, and the family’s page 3 names it', async () => {
  const own = await school.inquiry({ ...familyInquiry, firstName: 'Nirav', fatherMobile: '9825011111' });
  const stranger = await school.inquiry({ ...familyInquiry, fatherMobile: '9825033333', motherMobile: '9825044444' });
  const elder = await submitted('9825011111');
  const { rows } = await office.call(siblingApi.list, { id: own.id });
  expect(rows.map(({ id }) => id)).toContain(elder.id);
  expect(rows.map(({ id }) => id)).not.toContain(stranger.id);
  const version = async () =>
    Number((await school.sql(`select version from admission_inquiry where id = ${own.id}`))[0]?.version);
  const link = async (siblingId: number | null) =>
    office.send({
      method: 'PUT',
      url: `/api/inquiry/${own.id}/sibling`,
      body: { version: await version(), siblingId },
    });
  const offer = async () => (await own.get('inquiry')).json[0].sibling;
  expect((await link(stranger.id)).json.error.fields).toHaveProperty('siblingId');
  expect((await link(elder.id)).status).toBe(200);
  expect(await offer()).toMatchObject({ firstName: 'Asha' });
  const names = async () => (await own.get('siblings')).json.data.lstStudentAdmissionSiblingDetailsModel;
  expect(await names()).toMatchObject([{ siblingName: expect.stringContaining('Asha') }]);
  expect((await link(null)).status).toBe(200);
  expect([await offer(), await names()]).toEqual([null, []]);
});
