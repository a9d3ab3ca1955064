import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { educationApi } from '../contract/education.ts';

let school: School;
let idOf: Map<unknown, number>;
beforeAll(async () => {
  school = await openSchool();
  const rows = await school.sql('select id, name from hris_qualification');
  idOf = new Map(rows.map(({ id, name }) => [name, Number(id)]));
});
afterAll(() => school.close());

const degree = (name: string, over: object = {}) => ({
  qualificationId: idOf.get(name) ?? 0,
  subject: '',
  institute: '',
  year: null,
  result: '',
  ...over,
});
const job = { employer: 'Bal Bhavan', jobTitle: 'Teacher', fromDay: '2015-06-01', untilDay: '2019-04-30' };
const notThere = { code: 'not_found', message: 'Not found.' };

test('HR and Admins add qualifications and earlier work, and the person reads them, the latest first', async () => {
  const [asha, hr, admin] = [
    await school.person(),
    await school.person({ sets: ['hr'] }),
    await school.person({ role: 'Admin' }),
  ];
  const id = asha.staffId;
  await hr.call(educationApi.addQualification, { id, ...degree('B.Sc.', { year: 2010, subject: 'Physics' }) });
  await admin.call(educationApi.addQualification, {
    id,
    ...degree('B.Ed.', { year: 2012, institute: 'VNSGU', result: '68%' }),
  });
  await hr.call(educationApi.addQualification, { id, ...degree('CTET') });
  await hr.call(educationApi.addExperience, { id, ...job });
  await hr.call(educationApi.addExperience, { id, ...job, employer: 'Vidyalaya', fromDay: '2019-06-01', untilDay: '' });

  const seen = await asha.call(educationApi.education, { id });
  expect(seen.qualifications).toMatchObject([
    { name: 'B.Ed.', isTeacherTraining: true, institute: 'VNSGU', year: 2012, result: '68%' },
    { name: 'B.Sc.', isTeacherTraining: false, subject: 'Physics', year: 2010 },
    { name: 'CTET', year: null },
  ]);
  expect(seen.experience).toMatchObject([{ employer: 'Vidyalaya', untilDay: '' }, job]);
  for (const keeper of [hr, admin]) expect(await keeper.call(educationApi.education, { id })).toEqual(seen);
});

test('to a colleague, and of an unknown person, there are no qualifications', async () => {
  const [asha, office] = [await school.person(), await school.person({ sets: ['office', 'principal'] })];
  const admin = await school.person({ role: 'Admin' });
  const read = (id: number) => office.call(educationApi.education, { id });
  await expect(read(asha.staffId)).rejects.toMatchObject(notThere);
  await expect(read(999_999)).rejects.toMatchObject(notThere);
  await expect(admin.call(educationApi.education, { id: 999_999 })).rejects.toMatchObject(notThere);
  expect((await school.send({ url: `/api/staff/${asha.staffId}/education` })).status).toBe(401);
});

test('nobody but HR and Admins adds or removes qualifications and work, not even one’s own', async () => {
  const [asha, office] = [await school.person(), await school.person({ sets: ['office'] })];
  const hr = await school.person({ sets: ['hr'] });
  const id = asha.staffId;
  await hr.call(educationApi.addQualification, { id, ...degree('B.A.') });
  await hr.call(educationApi.addExperience, { id, ...job });
  const before = await hr.call(educationApi.education, { id });
  const [qualification, experience] = [before.qualifications[0]?.id ?? 0, before.experience[0]?.id ?? 0];
  for (const person of [asha, office]) {
    const acts = [
      () => person.call(educationApi.addQualification, { id, ...degree('M.A.') }),
      () => person.call(educationApi.removeQualification, { id, qualification }),
      () => person.call(educationApi.addExperience, { id, ...job }),
      () => person.call(educationApi.removeExperience, { id, experience }),
    ];
    for (const act of acts) await expect(act()).rejects.toMatchObject({ code: 'forbidden' });
  }
  expect(await hr.call(educationApi.education, { id })).toEqual(before);
});

test('a removed qualification and a removed employer are gone, and one of another person is not found', async () => {
  const [asha, ravi, hr] = [await school.person(), await school.person(), await school.person({ sets: ['hr'] })];
  const id = asha.staffId;
  await hr.call(educationApi.addQualification, { id, ...degree('B.Com.') });
  await hr.call(educationApi.addExperience, { id, ...job });
  const { qualifications, experience } = await hr.call(educationApi.education, { id });
  const own = { qualification: qualifications[0]?.id ?? 0, experience: experience[0]?.id ?? 0 };
  const removeOf = (person: number) => [
    () => hr.call(educationApi.removeQualification, { id: person, qualification: own.qualification }),
    () => hr.call(educationApi.removeExperience, { id: person, experience: own.experience }),
  ];
  for (const act of removeOf(ravi.staffId)) await expect(act()).rejects.toMatchObject(notThere);
  for (const act of removeOf(id)) await act();
  expect(await hr.call(educationApi.education, { id })).toEqual({ qualifications: [], experience: [] });
  for (const act of removeOf(id)) await expect(act()).rejects.toMatchObject(notThere);
});

test('each act is in the history of the person, by the name of the qualification or employer', async () => {
  const [asha, hr] = [await school.person(), await school.person({ name: 'Hina', sets: ['hr'] })];
  const id = asha.staffId;
  await hr.call(educationApi.addQualification, { id, ...degree('Ph.D.') });
  await hr.call(educationApi.addExperience, { id, ...job });
  const { qualifications, experience } = await hr.call(educationApi.education, { id });
  await hr.call(educationApi.removeQualification, { id, qualification: qualifications[0]?.id ?? 0 });
  await hr.call(educationApi.removeExperience, { id, experience: experience[0]?.id ?? 0 });
  const rows = await school.sql(`select actor, action, details from audit
    where entity = 'staff' and entity_id = ${id} and actor = 'Hina' order by id`);
  const [actor, qualification, employer] = ['Hina', { qualification: 'Ph.D.' }, { employer: 'Bal Bhavan' }];
  expect(rows).toEqual([
    { actor, action: 'staff.qualification-added', details: qualification },
    { actor, action: 'staff.experience-added', details: employer },
    { actor, action: 'staff.qualification-removed', details: qualification },
    { actor, action: 'staff.experience-removed', details: employer },
  ]);
});

test('a qualification of an inactive or unknown kind, an end before the begin and an odd year are refused at the field', async () => {
  const [asha, hr] = [await school.person(), await school.person({ sets: ['hr'] })];
  const id = asha.staffId;
  await school.sql(`update hris_qualification set is_active = false where name = 'M.Com.'`);
  const inactive = { fields: { qualificationId: { id: 'This entry is inactive. Choose another one.' } } };
  for (const qualificationId of [idOf.get('M.Com.') ?? 0, 999_999])
    await expect(
      hr.call(educationApi.addQualification, { id, ...degree('', { qualificationId }) }),
    ).rejects.toMatchObject(inactive);
  await expect(hr.call(educationApi.addQualification, { id, ...degree('B.A.', { year: 1939 }) })).rejects.toMatchObject(
    {
      fields: { year: { id: 'Enter a year from 1940 to 2100.' } },
    },
  );
  await expect(hr.call(educationApi.addExperience, { id, ...job, untilDay: '2015-05-31' })).rejects.toMatchObject({
    fields: { untilDay: { id: 'Enter a day on or after the first day.' } },
  });
  await expect(hr.call(educationApi.addExperience, { id: 999_999, ...job })).rejects.toMatchObject(notThere);
  expect(await hr.call(educationApi.education, { id })).toEqual({ qualifications: [], experience: [] });
});
