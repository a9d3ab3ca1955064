import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('S015 S019 what page 1 saved comes back, and is what is loaded from then on', async () => {
  const family = await school.inquiry();
  expect((await family.get('basic-info')).json).toMatchObject({
    isSuccess: false,
    data: { lstStudentAdmissionBasicInfoModel: [] },
  });
  const saved = await family.saveBasicInfo({ religion: 'Jain' });
  expect(saved.json).toMatchObject({ isSuccess: true });
  const [row] = (await family.get('basic-info')).json.data.lstStudentAdmissionBasicInfoModel;
  expect(row).toMatchObject({ religion: 'Jain', admissionID: family.id, inquiryNo: family.inquiryNo });
});

describe('S048 S049 the child photo', () => {
  test('S048 is asked for when none is stored or sent', async () => {
    const family = await school.inquiry();
    const refused = await family.saveBasicInfo({}, {});
    expect(refused.status).toBe(422);
    expect(refused.json).toEqual({
      isSuccess: false,
      code: 'invalid',
      message: 'Child Photo is required. Please upload Child Photo.',
      errors: { admissionStudentImageIFormFile: 'Child Photo is required. Please upload Child Photo.' },
      data: {},
    });
  });
  test('S049 is not asked for again once it is stored', async () => {
    const family = await school.inquiry();
    await family.saveBasicInfo();
    expect((await family.saveBasicInfo({ caste: 'General' }, {})).status).toBe(200);
  });
});
