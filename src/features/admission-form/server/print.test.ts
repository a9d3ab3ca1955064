import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requestCorrection } from '#testing/correction.ts';
import { bare } from '#testing/papers.ts';
import { type Family, openSchool, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(async () => {
  school.clock.now = undefined;
  await school.sql('delete from attempt');
});

async function submitted(): Promise<Family> {
  const family = await school.inquiry();
  await family.fillAll();
  expect((await family.submit()).status).toBe(200);
  return family;
}
const inHours = (hours: number) => {
  school.clock.now = new Date(Date.now() + hours * 3_600_000);
};

test('B22 the link gives the family its answers as a PDF for 24 hours after the submission', async () => {
  const family = await submitted();
  const { status, headers } = await family.get('print');
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/pdf',
    'private, no-store',
  ]);
  const number = family.inquiryNo.replaceAll('/', '-');
  expect(headers['content-disposition']).toContain(`attachment; filename="admission-form-${number}.pdf"`);
  expect(school.papers.last().words).toContain(bare('Patel Textiles'));
  const acts = await school.sql(`select actor, entity_id from audit where action = 'admission.form.printed'`);
  expect(acts).toEqual([{ actor: 'Parent', entity_id: family.id }]);

  inHours(23.9);
  expect((await family.get('print')).status).toBe(200);
  inHours(24.1);
  const late = await family.get('print');
  expect([late.status, late.json]).toEqual([
    404,
    expect.objectContaining({
      isSuccess: false,
      code: 'not_found',
      message: 'You can download this for 24 hours after you submit. Later, ask the school.',
    }),
  ]);
});

test('B22 no other link opens the answers, nor does one that has ended', async () => {
  const [family, other] = [await submitted(), await school.inquiry()];
  const refusalOf = async (path: string, by: Family) => {
    const { status, json } = await by.get(path);
    return [status, json.code];
  };
  expect(await refusalOf('print', other)).toEqual([409, 'conflict']);
  expect(await refusalOf(`print?admissionID=${family.id}`, other)).toEqual([404, 'not_found']);
  expect(await refusalOf(`print?inquiryNoMD5=${family.link}`, other)).toEqual([404, 'not_found']);
  expect((await school.send({ url: '/api/admission/print' })).status).toBe(404);
  await school.sql(`update admission_inquiry set link_revoked_at = now() where id = ${family.id}`);
  expect(await refusalOf('print', family)).toEqual([404, 'not_found']);
});

test('B22 a form that is open for a correction is not printed for the family', async () => {
  const family = await submitted();
  const { staffId } = await school.person();
  await requestCorrection(school, family, { staffId, pages: [2] });
  expect((await family.get('print')).json.code).toBe('not_found');
});

test('the eleventh PDF of one form within an hour is refused', async () => {
  const family = await submitted();
  await school.sql(`insert into attempt (kind, subject, hits, window_ends)
    values ('form-print-link', '${family.id}', 10, now() + interval '1 hour')`);
  const { status, headers } = await family.get('print');
  expect([status, Number(headers['retry-after']) > 3000]).toEqual([429, true]);
});
