import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replyPlace } from '#features/admission-form/server/message.ts';
import { aadhaarPlace, sealAadhaar } from '#features/student/server/person/aadhaar.ts';
import { healthPlace } from '#features/student/server/person/health.ts';
import { aadhaarKey } from '#kit/server/security/aadhaar.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { rotateDataKey } from './rotate-key.ts';

let school: School;
beforeAll(async () => {
  school = await openOwnSchool();
});
afterAll(() => school.close());

test('I5 a new data key takes over while families save: no error, nothing left under the old one, links alive', async () => {
  const [submitted, saving, resting] = [await school.inquiry(), await school.inquiry(), await school.inquiry()];
  await submitted.fillAll();
  await submitted.submit();
  await resting.saveBasicInfo({ aadharCardNo: '2341 2341 2346' });
  await saving.draft('health', { allergiesDescription: 'Peanuts' });
  await saving.post('message-to-school', { about: 'Birth Date', messageText: 'It is the 13th.' });
  await resting.saveHealth({ isSpecialNeeds: 'true', specialNeedsDescription: 'Hearing aid' });
  const { keys, files } = school.services;
  const child = await sealStudent();
  const [before] = await school.sql(`select aadhaar_hash from admission_basic_info where inquiry_id = ${resting.id}`);

  let isDone = false;
  const statuses: number[] = [];
  const load = async () => {
    while (!isDone) {
      const answers = await Promise.all([
        // With a picture now and then: more than thirty an hour would be refused.
        statuses.length < 80 ? saving.saveBasicInfo() : saving.saveBasicInfo({}, {}),
        saving.get('basic-info'),
        resting.get('health'),
        saving.saveHealth({}),
      ]);
      statuses.push(...answers.map(({ status }) => status));
      // Faster saves would meet the limit of a link.
      await new Promise((go) => setTimeout(go, 60));
    }
  };
  const rotation = rotateDataKey({
    ownerUrl: school.config.databaseOwnerUrl,
    folder: school.config.folder,
    ring: keys.data,
    files,
  }).finally(() => {
    isDone = true;
  });
  await Promise.all([rotation, load()]);
  expect(await rotation).toBeGreaterThan(5);
  // At least some rounds, even on a busy machine.
  expect(statuses.length).toBeGreaterThan(12);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);

  const ids = await school.sql(`
    select distinct convert_from(substring(sealed from 2 for 5), 'UTF8') as id from (
      select aadhaar as sealed from admission_basic_info union all select answers from admission_health
      union all select copy from admission_submission union all select answer from repeated_request
      union all select aadhaar from student union all select answers from student_health
      union all select text from admission_message union all select reply from admission_message union all select answers from admission_draft) as every
    where sealed is not null`);
  expect(ids).toEqual([{ id: 'data2' }]);
  for (const { id } of await school.sql('select id::text from file')) {
    expect(
      readFileSync(join(school.config.folder, 'files', String(id).slice(0, 2), String(id)))
        .subarray(1, 6)
        .toString(),
    ).toBe('data2');
  }
  const [page] = (await resting.get('basic-info')).json.data.lstStudentAdmissionBasicInfoModel;
  expect(page.aadharCardNo).toBe('XXXX XXXX 2346');
  expect((await resting.get(`files/${page.admissionStudentImagePath}`)).status).toBe(200);
  const [after] = await school.sql(`select aadhaar_hash from admission_basic_info where inquiry_id = ${resting.id}`);
  expect(before?.aadhaar_hash === null).toBe(after?.aadhaar_hash === null);
  expect((await submitted.get('inquiry')).json[0].isFormSubmitted).toBe(true);
  const [own] = await school.sql(`select aadhaar, aadhaar_hash from student where id = ${child.id}`);
  expect(open(keys.data, aadhaarPlace(child.id), own?.aadhaar as Buffer).toString()).toBe(child.number);
  // Another number is refused by the hash of the link key, which stays.
  expect(own?.aadhaar_hash).toEqual(aadhaarKey(keys, child.number));
});

/** A student whose number and health answers are sealed, and a reply to a family. */
async function sealStudent() {
  const { keys } = school.services;
  const id = await seat(school, await openSection(school), 'Asha');
  const number = '2341 2341 2346';
  const hex = (value: Buffer) => `'\\x${value.toString('hex')}'`;
  const { aadhaar, aadhaar_hash } = sealAadhaar({ keys }, id, number);
  await school.sql(`update student set aadhaar = ${hex(aadhaar as Buffer)}, aadhaar_hash = ${hex(aadhaar_hash as Buffer)}
    where id = ${id}`);
  await school.sql(`insert into student_health (student_id, answers)
    values (${id}, ${hex(seal(keys.data, healthPlace(id), '{}'))})`);
  const [message] = await school.sql('select id from admission_message limit 1');
  await school.sql(`update admission_message set reply = ${hex(seal(keys.data, replyPlace(Number(message?.id)), 'Yes'))},
    replied_at = now(), replied_by = (select min(id) from staff), read_at = now(), read_by = (select min(id) from staff)
    where id = ${message?.id}`);
  return { id, number };
}
