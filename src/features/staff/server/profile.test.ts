import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownAccountApi } from '#features/account/contract/own-account.ts';
import type { Person } from '#testing/browser.ts';
import { fileOf, form, openSchool, photo, type School } from '#testing/school.ts';
import { teach } from '#testing/teachers.ts';
import { staffRecordApi } from '../contract/record.ts';
import { staffApi } from '../contract/staff.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('a person’s own page says how they sign in and what they may do', async () => {
  const [asha, admin] = [await school.person({ sets: ['office'] }), await school.person({ role: 'Admin' })];
  const own = { userName: '', roles: ['Staff'], sets: ['office'], hasPassword: false, needsPassword: false };
  expect(await asha.call(ownAccountApi.read, {})).toEqual(own);
  expect(await admin.call(ownAccountApi.read, {})).toMatchObject({ roles: ['Admin'], needsPassword: false });
  await school.sql(`update sign_in_account set is_admin = true, user_name = 'asha' where id = ${asha.id}`);
  expect(await asha.call(ownAccountApi.read, {})).toMatchObject({ userName: 'asha', needsPassword: true });
  await teach(school, asha);
  expect((await asha.call(ownAccountApi.read, {})).sets).toEqual(['office', 'classTeacher']);
});

test('a picture is saved, shown to colleagues until the person has left, and the one before is removed', async () => {
  const [asha, ravi] = [await school.person(), await school.person()];
  const save = async (file: File) =>
    asha.send({ method: 'POST', url: `/api/staff/${asha.staffId}/picture`, body: form({}, { picture: file }) });
  const first = (await save(await photo())).json.picture;
  const second = (await save(await photo())).json.picture;
  expect((await ravi.send({ url: first })).status).toBe(404);
  const shown = await ravi.send({ url: second });
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect((await school.send({ url: second })).status).toBe(401);
  expect((await save(fileOf('a.jpg', 'no picture'))).status).toBe(422);
  expect((await asha.call(staffRecordApi.read, { id: asha.staffId })).card.picture).toBe(second);
  await school.sql(`update staff_employment set joined_on = '2020-01-01', last_day = '2020-01-31'
    where staff_id = ${asha.staffId}`);
  expect((await ravi.send({ url: second })).status).toBe(404);
});

test('HR sets and removes the picture of a person, which is in the history; a colleague can do neither', async () => {
  const [hr, ravi, clerk] = [await school.person({ sets: ['hr'] }), await school.person(), await school.person()];
  const url = `/api/staff/${ravi.staffId}/picture`;
  const save = async (by: Person) => by.send({ method: 'POST', url, body: form({}, { picture: await photo() }) });
  const pictureOf = async () => (await clerk.call(staffRecordApi.read, { id: ravi.staffId })).card.picture;
  expect((await save(clerk)).status).toBe(404);
  const { picture } = (await save(hr)).json;
  expect(await pictureOf()).toBe(picture);
  await expect(clerk.call(staffApi.removePicture, { id: ravi.staffId })).rejects.toMatchObject({ code: 'not_found' });
  await hr.call(staffApi.removePicture, { id: ravi.staffId });
  expect([await pictureOf(), (await clerk.send({ url: picture })).status]).toEqual(['', 404]);
  await expect(hr.call(staffApi.removePicture, { id: ravi.staffId })).rejects.toMatchObject({ code: 'not_found' });
  const { rows } = await hr.call(staffRecordApi.history, { id: ravi.staffId });
  expect(rows.map(({ actor, act }) => [actor, act.id])).toEqual([
    [hr.name, 'Removed the picture'],
    [hr.name, 'Changed the picture'],
  ]);
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

test('of two people with the same name a picker says the employee number', async () => {
  for (const name of ['Meena Same', 'meena same', 'Meena Other']) await school.person({ name });
  const numbers = await school.sql(
    `select employee_number as number from staff where name ilike 'meena same' order by id`,
  );
  await school.sql(`insert into academic_department (name) values ('Maths')`);
  await school.sql(`insert into academic_designation (name, level) values ('Reader', 9)`);
  await school.sql(`insert into staff_post (staff_id, effective_from, department_id, designation_id, branch_id)
    select staff.id, joined_on, department.id, designation.id, branch.id
    from staff, staff_employment spell, academic_department department, academic_designation designation, academic_branch branch
    where staff.name = 'Meena Same' and spell.staff_id = staff.id and department.name = 'Maths' and designation.name = 'Reader'
    limit 1`);
  const admin = await school.person({ role: 'Admin' });
  const [one, other] = numbers.map(({ number }) => number);
  expect((await admin.call(staffApi.options, { search: 'meena' })).map(({ name, detail }) => [name, detail])).toEqual([
    ['Meena Other', expect.any(String)],
    ['Meena Same', expect.stringContaining(String(one))],
    ['meena same', expect.stringContaining(String(other))],
  ]);
});
