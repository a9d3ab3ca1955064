import { afterAll, beforeAll, expect, test } from 'vitest';
import { correctOnce } from '#kit/server/job/corrections.ts';
import { seal } from '#kit/server/security/sealed.ts';
import { openSchool, photo, type School } from '#testing/school.ts';
import { aadhaarHash, openAadhaar, readScriptDigits } from './aadhaar.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const rowOf = (answer: { json: { data: { lstStudentAdmissionBasicInfoModel: Record<string, unknown>[] } } }) =>
  answer.json.data.lstStudentAdmissionBasicInfoModel[0];

test('S015 S019 what page 1 saved comes back, and is what is loaded from then on', async () => {
  const family = await school.inquiry();
  const before = await family.get('basic-info');
  expect(before.status).toBe(200);
  expect(before.json).toEqual({
    isSuccess: false,
    message: '',
    data: { lstStudentAdmissionBasicInfoModel: [], rowVersion: null },
  });
  expect((await family.saveBasicInfo({ religion: 'Jain' })).json).toMatchObject({ isSuccess: true });
  expect(rowOf(await family.get('basic-info'))).toMatchObject({
    religion: 'Jain',
    admissionID: family.id,
    inquiryNo: family.inquiryNo,
  });
  expect(rowOf(await family.get(`basic-info/${family.id}`))).toMatchObject({ religion: 'Jain' });
});

test('S048 RA19 a photo is asked for when none is stored or sent, in the envelope of the form', async () => {
  const family = await school.inquiry();
  const refused = await family.saveBasicInfo({}, {});
  const message = 'Child Photo is required. Please upload Child Photo.';
  expect(refused.status).toBe(422);
  expect(refused.json).toEqual({
    isSuccess: false,
    code: 'invalid',
    message,
    text: { id: message },
    errors: { admissionStudentImageIFormFile: message },
    texts: { admissionStudentImageIFormFile: { id: message } },
    data: {},
  });
});

test('S049 a photo is not asked for again, and another one takes its place', async () => {
  const family = await school.inquiry();
  const first = rowOf(await family.saveBasicInfo())?.admissionStudentImagePath;
  expect((await family.saveBasicInfo({ caste: 'General' }, {})).status).toBe(200);
  expect(rowOf(await family.get('basic-info'))).toMatchObject({ caste: 'General', admissionStudentImagePath: first });
  const second = rowOf(
    await family.saveBasicInfo({}, { admissionStudentImageIFormFile: await photo() }),
  )?.admissionStudentImagePath;
  expect(second).not.toBe(first);
  expect((await family.get(`files/${first}`)).status).toBe(404);
  expect((await family.get(`files/${second}`)).status).toBe(200);
});

test('every refusal of a save names its field, all at once', async () => {
  const family = await school.inquiry();
  const { status, json } = await family.saveBasicInfo({ religion: '', emergencyMobileNo: '12', bloodGroup: 'X' });
  expect(status).toBe(422);
  expect(json).toMatchObject({
    isSuccess: false,
    code: 'invalid',
    errors: {
      religion: 'Religion is required.',
      emergencyMobileNo: 'Emergency (Mobile) Number is not valid.',
      bloodGroup: 'Blood Group is not valid.',
    },
  });
});

test('S018 B06 RA6 RA7 B7 what the inquiry knows, and what is not the parent’s to say, is not changed by a request', async () => {
  const family = await school.inquiry();
  const forged = {
    firstName: 'Mallory',
    lastName: 'Other',
    birthDate: '2019-01-01',
    gender: 'true',
    grade: 'Grade 12',
    admissionGradeID: '12',
    isFormSubmitted: 'true',
    createdBy: '7',
    updatedBy: '7',
    createdByName: 'Principal',
    admissionStudentImagePath: 'x',
    admissionFormEntryDate: '2000-01-01',
    inquiry_id: '99',
    version: '50',
  };
  for (const round of ['before', 'after']) {
    expect((await family.saveBasicInfo(forged)).status, round).toBe(200);
    expect(rowOf(await family.get('basic-info'))).toMatchObject({
      firstName: 'Meera',
      lastName: 'Patel',
      birthDate: '2020-03-12',
      gender: false,
      grade: 'Grade 1',
      createdBy: 0,
      createdByName: 'Parent',
    });
  }
  expect((await family.get('inquiry')).json[0]).toMatchObject({ isFormSubmitted: false, firstName: 'Meera' });
});

test('RA7 a field the inquiry has no value for is the parent’s to fill in', async () => {
  const family = await school.inquiry({ firstName: 'Meera', fatherMobile: '9825011111' });
  await family.saveBasicInfo({ firstName: 'Mallory', lastName: 'Desai' });
  expect(rowOf(await family.get('basic-info'))).toMatchObject({ firstName: 'Meera', lastName: 'Desai' });
});

test('RA6 a third gender has no boolean', async () => {
  const family = await school.inquiry({ gender: 'T' });
  expect((await family.get('inquiry')).json[0].gender).toBeNull();
  await expect(school.sql(`update admission_inquiry set gender = 'X' where id = ${family.id}`)).rejects.toThrow(
    'check',
  );
});

test('S047 ticked, the copy of the present address is what is saved', async () => {
  const family = await school.inquiry();
  await family.saveBasicInfo({ sameAsPresentAddress: 'true', permanentCity: 'Elsewhere', permanentStreetNo: '' });
  expect(rowOf(await family.get('basic-info'))).toMatchObject({ permanentCity: 'Surat', permanentStreetNo: '12' });
});

test('B28 RA15 a mobile number is stored as its ten digits', async () => {
  const family = await school.inquiry();
  for (const mobile of ['+91 98765 43210', '098765-43210']) {
    expect(rowOf(await family.saveBasicInfo({ emergencyMobileNo: mobile }))).toMatchObject({
      emergencyMobileNo: '9876543210',
    });
  }
});

test('B07 B08 I2 RA11 an Aadhaar number is stored unreadably, shown masked, and kept when its mask comes back', async () => {
  const family = await school.inquiry();
  await family.saveBasicInfo({ aadharCardNo: '5432 1098 7654' });
  const stored = () =>
    school.sql(
      `select aadhaar, encode(aadhaar, 'escape') as text from admission_basic_info where inquiry_id = ${family.id}`,
    );
  const [before] = await stored();
  expect(String(before?.text)).not.toMatch(/5432|1098|7654/);
  expect(rowOf(await family.get('basic-info'))).toMatchObject({ aadharCardNo: 'XXXX XXXX 7654' });

  await family.saveBasicInfo({ aadharCardNo: 'XXXX XXXX 7654', religion: 'Sikh' });
  expect(rowOf(await family.get('basic-info'))).toMatchObject({ aadharCardNo: 'XXXX XXXX 7654', religion: 'Sikh' });
  expect(school.answers()).not.toMatch(/5432 ?1098/);
  expect(school.log()).not.toMatch(/5432 ?1098/);

  await family.saveBasicInfo({ aadharCardNo: 'Applied for' });
  expect(rowOf(await family.get('basic-info'))).toMatchObject({ aadharCardNo: 'Applied for' });
  await family.saveBasicInfo({ aadharCardNo: 'K1234567' });
  expect(rowOf(await family.get('basic-info'))).toMatchObject({ aadharCardNo: 'XXXX4567' });
});

test.each([
  '૯૯૯૯ ૪૧૦૫ ૭૦૫૮',
  '९९९९ ४१०५ ७०५८',
  '9999 ૪૧૦૫ 7058',
  'No. ૯૯૯૯૪૧૦૫૭૦૫૮',
  '９９９９４１０５７０５８',
  '٩٩٩٩٤١٠٥٧٠٥٨',
])('B08 an Aadhaar number typed as %s is shown masked, and its mask keeps it', async (typed) => {
  const family = await school.inquiry();
  for (const aadharCardNo of [typed, 'XXXX XXXX 7058']) {
    const saved = rowOf(await family.saveBasicInfo({ aadharCardNo }));
    expect(saved).toMatchObject({ aadharCardNo: 'XXXX XXXX 7058' });
  }
  const [row] = await school.sql(`select aadhaar_hash from admission_basic_info where inquiry_id = ${family.id}`);
  expect(row?.aadhaar_hash).toEqual(aadhaarHash(school.services.keys.data, '999941057058'));
});

test('B08 numbers stored in the digits of another script are found once they are corrected, others stay', async () => {
  const { keys } = school.services;
  const store = async (number: string) => {
    const family = await school.inquiry();
    await family.saveBasicInfo();
    const sealed = seal(keys.data, `admission_basic_info.aadhaar:${family.id}`, number).toString('hex');
    await school.sql(`update admission_basic_info set aadhaar = '\\x${sealed}', aadhaar_hash = null
      where inquiry_id = ${family.id}`);
    return family;
  };
  const read = async ({ id }: { id: number }) => {
    const [row] = await school.sql(`select aadhaar, aadhaar_hash from admission_basic_info where inquiry_id = ${id}`);
    return [openAadhaar({ keys }, id, row?.aadhaar as Buffer), row?.aadhaar_hash ?? null];
  };
  const number = 'No. ૯૯૯૯ ૪૧૦૫ ૭૦૫૮';
  const [family, other] = [await store(number), await store('Applied for')];
  expect(rowOf(await family.get('basic-info'))).toMatchObject({ aadharCardNo: 'XXXX XXXX 7058' });
  await school.sql('delete from data_correction');
  for (let times = 0; times < 2; times++) {
    await correctOnce(school.services, readScriptDigits);
    expect(await read(family)).toEqual(['No. 9999 4105 7058', aadhaarHash(keys.data, '999941057058')]);
    expect(await read(other)).toEqual(['Applied for', null]);
  }
  // A second run would find it; the correction is done only once.
  const late = await store(number);
  await correctOnce(school.services, readScriptDigits);
  expect(await read(late)).toEqual([number, null]);
});

test('B7 F1 the kinds of value a field cannot hold are refused, never stored and never an error of ours', async () => {
  const family = await school.inquiry();
  for (const [name, value] of [
    ['birthDate', '2020-02-30'],
    ['birthDate', '2999-01-01'],
    ['isTransportServiceOpted', 'maybe'],
    ['foodOption', 'Meat'],
  ]) {
    const { status, json } = await family.saveBasicInfo({ [String(name)]: value });
    expect([status, Object.keys(json.errors)]).toEqual([422, [name]]);
  }
});

test('F5 names in any script and emoji come back as they were typed, without marks that no one sees', async () => {
  const family = await school.inquiry({ gender: 'F' });
  for (const name of ['ક્ષત્રિય', 'श्रीमती', '👩‍👧', 'שלום'])
    expect(rowOf(await family.saveBasicInfo({ firstName: name }))).toMatchObject({ firstName: name });
  for (const [typed, stored] of [
    ['e\u0301', '\u00e9'],
    ['a\u202eb', 'ab'],
    ['\u200fAsha \u00a0 Ben\n', 'Asha Ben'],
  ] as const)
    expect(rowOf(await family.saveBasicInfo({ firstName: typed }))).toMatchObject({ firstName: stored });
  const refused = await family.saveBasicInfo({ firstName: 'a\u0000b' });
  expect([refused.status, refused.json.errors.firstName]).toEqual([
    422,
    'This contains a character that can’t be stored. Type it again.',
  ]);
});

test('K2 a page that was changed since it was read is refused with the times of both versions', async () => {
  const family = await school.inquiry();
  const first = await family.saveBasicInfo({ religion: 'Hindu' });
  const version = first.json.data.rowVersion;
  expect((await family.saveBasicInfo({ religion: 'Jain', rowVersion: version })).status).toBe(200);
  const stale = await family.saveBasicInfo({ religion: 'Sikh', rowVersion: version });
  expect(stale.status).toBe(409);
  expect(stale.json).toMatchObject({ isSuccess: false, code: 'stale', data: { rowVersion: version + 1 } });
  const { savedDateTime, readDateTime } = stale.json.data;
  expect(Date.parse(savedDateTime)).toBeGreaterThan(Date.parse(readDateTime));
  expect(rowOf(await family.get('basic-info'))).toMatchObject({ religion: 'Jain' });

  const race = await Promise.all(
    ['A', 'B', 'C'].map((caste) => family.saveBasicInfo({ caste, rowVersion: version + 1 })),
  );
  expect(race.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});
