import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileOf, form, openSchool, photo, type School } from '#testing/school.ts';
import { teach } from '#testing/teachers.ts';
import { staffApi } from '../contract/staff.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('a person’s own page shows all of it, a colleague’s a card, and an Admin everybody’s', async () => {
  const [asha, ravi, admin] = [
    await school.person({ name: 'Asha', sets: ['office'] }),
    await school.person({ name: 'Ravi' }),
    await school.person({ role: 'Admin' }),
  ];
  const own = await asha.call(staffApi.profile, { userID: asha.staffId });
  expect(own).toMatchObject({
    name: 'Asha',
    isOwn: true,
    account: { mobile: asha.mobile, roles: ['Staff'], sets: ['office'] },
  });
  expect(await ravi.call(staffApi.profile, { userID: asha.staffId })).toEqual({
    userID: asha.staffId,
    name: 'Asha',
    picture: '',
    email: asha.email,
    isOwn: false,
    isEditable: false,
    account: null,
  });
  expect(await admin.call(staffApi.profile, { userID: asha.staffId })).toMatchObject({
    isEditable: true,
    account: { sets: ['office'] },
  });
  await teach(school, asha);
  for (const reader of [asha, admin])
    expect((await reader.call(staffApi.profile, { userID: asha.staffId })).account?.sets).toEqual([
      'office',
      'classTeacher',
    ]);
});

test('an unknown and a closed account answer alike', async () => {
  const [asha, gone] = [await school.person(), await school.person()];
  await school.sql(`update sign_in_account set is_active = false where id = ${gone.id}`);
  const answers = await Promise.all(
    [gone.id, 999_999, 'x'].map((id) => asha.send({ url: `/api/staff/${id}/profile` })),
  );
  for (const { status, json } of answers)
    expect([status, json]).toEqual([
      404,
      { error: { code: 'not_found', message: 'Not found.', text: { id: 'Not found.' } } },
    ]);
});

test('a picture is saved, shown to colleagues, and the one before is removed', async () => {
  const [asha, ravi] = [await school.person(), await school.person()];
  const save = async (file: File) =>
    asha.send({ method: 'POST', url: '/api/staff/picture', body: form({}, { picture: file }) });
  const first = (await save(await photo())).json.picture;
  const second = (await save(await photo())).json.picture;
  expect((await ravi.send({ url: first })).status).toBe(404);
  const shown = await ravi.send({ url: second });
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect((await school.send({ url: second })).status).toBe(401);
  expect((await save(fileOf('a.jpg', 'no picture'))).status).toBe(422);
  expect((await asha.call(staffApi.profile, { userID: asha.staffId })).picture).toBe(second);
});

test('a picker gets the first staff whose names match, and the chosen one with them', async () => {
  const chosen = await school.person({ name: 'Zubin Chosen' });
  for (const name of ['Picked Left', 'Picked One', 'Picked Two', 'Picked Three']) await school.person({ name });
  const [staff] = await school.sql(`select staff_id as id from sign_in_account where id = ${chosen.id}`);
  await school.sql(`update sign_in_account set is_active = false
    where staff_id = (select id from staff where name = 'Picked Left')`);
  const admin = await school.person({ name: 'Asked by', role: 'Admin' });
  const find = async (input: object) => (await admin.call(staffApi.options, input)).map(({ name }) => name);

  expect(await find({ search: 'PICKED', limit: 2 })).toEqual(['Picked Left', 'Picked One']);
  expect(await find({ search: 'picked', state: 'active', limit: 2 })).toEqual(['Picked One', 'Picked Three']);
  expect(await find({ search: 'picked t', chosenId: Number(staff?.id) })).toEqual([
    'Picked Three',
    'Picked Two',
    'Zubin Chosen',
  ]);
  expect(await find({ search: '%' })).toEqual([]);
});
