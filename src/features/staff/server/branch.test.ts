import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { searchApi } from '#features/search/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { inEnglish } from '#testing/messages.ts';
import { form, openSchool, paper, photo, type School } from '#testing/school.ts';
import { staffDocumentApi } from '../contract/document.ts';
import { staffImportApi } from '../contract/import.ts';
import { staffList } from '../contract/list.ts';
import { staffRecordApi } from '../contract/record.ts';

let school: School;
let hr: Person;
const branches: number[] = [];
const people: number[] = [];
beforeAll(async () => {
  school = await openSchool();
  await school.sql(`insert into academic_designation (name, level) values ('Teacher', 1);
    insert into academic_department (name) values ('Science')`);
  for (const name of ['North', 'South']) {
    const [branch] = await school.sql(
      `insert into academic_branch (name, code) values ('${name}', '${name}') returning id`,
    );
    const person = await school.person({ name: `${name} Teacher` });
    await school.sql(`insert into staff_post (staff_id, effective_from, designation_id, department_id, branch_id)
      select ${person.staffId}, '2020-06-01', designation.id, department.id, ${branch?.id}
      from academic_designation designation, academic_department department
      where designation.name = 'Teacher' and department.name = 'Science'`);
    branches.push(Number(branch?.id));
    people.push(person.staffId);
  }
  hr = await school.person({ name: 'Hiral', sets: ['hr'], branchIds: branches.slice(0, 1) });
});
afterAll(() => school.close());

test('M1 HR of one branch lists and keeps the staff of that branch; of others there is the card of a colleague', async () => {
  const { rows } = await hr.call(staffList.api.list, { search: 'Teacher' });
  expect(rows.map(({ name }) => name)).toEqual(['North Teacher']);
  expect((await hr.call(staffList.api.counts, { search: 'Teacher' })).all?.total).toBe(1);
  const [north, south] = people.map((id) => ({ id: Number(id) }));
  expect(await hr.call(staffRecordApi.read, north ?? { id: 0 })).toMatchObject({ may: { update: true } });
  expect(await hr.call(staffRecordApi.read, south ?? { id: 0 })).toMatchObject({
    may: { update: false },
    person: null,
  });
  const url = `/api/staff/${south?.id}`;
  const post = { version: 1, from: '2030-06-01', designationId: 1, departmentId: 1, branchId: branches[0] };
  const job = { employer: 'School', jobTitle: 'Teacher', fromDay: '2010-06-01', untilDay: '' };
  for (const [method, path, body] of [
    ['GET', '/history', undefined],
    ['GET', '/employment', undefined],
    ['GET', '/education', undefined],
    ['GET', '/document', undefined],
    ['POST', '/post', post],
    ['POST', '/qualification', { qualificationId: 1 }],
    ['POST', '/experience', job],
    ['POST', '/rejoin', { ...post, joinedOn: '2030-06-01' }],
    ['POST', '/relieve', { lastDay: '2030-06-01', separationReasonId: 1 }],
  ] as const)
    expect([path, (await hr.send({ method, url: url + path, body })).status]).toEqual([path, 404]);
  const picturedAs = async (id: number | undefined) =>
    (
      await hr.send({
        method: 'POST',
        url: `/api/staff/${id}/picture`,
        body: form({}, { picture: await photo() }),
      })
    ).status;
  expect([await picturedAs(north?.id), await picturedAs(south?.id)]).toEqual([200, 404]);
});

test('M1 HR of one branch adds and imports staff there, and is refused another branch at the field', async () => {
  const person = {
    name: 'New',
    mobile: '',
    email: 'new@school.example',
    gender: '',
    joinedOn: '2026-06-01',
    employeeNumber: '',
  };
  const { json } = await hr.send({
    method: 'POST',
    url: '/api/staff',
    body: { ...person, designationId: 1, departmentId: 1, branchId: branches[1] },
  });
  expect(json.error.fields).toEqual({ branchId: 'Choose one of your branches.' });
  const heads = 'Name,Email address,Joining date,Designation,Department,Branch';
  const file = `${heads}\nA,a@b.example,01-06-2020,Teacher,Science,North\nB,b@b.example,01-06-2020,Teacher,Science,South\n`;
  const { rows } = await hr.call(staffImportApi.import, { file });
  expect(rows.map(({ messages }) => inEnglish(messages))).toEqual([{ branchId: 'Choose one of your branches.' }, {}]);
});

test('M1 HR of one branch finds by mobile number, and after they left, only the staff of that branch', async () => {
  const [north, south] = people as [number, number];
  await school.sql(`update staff set mobile = '9099012345' where id = ${north}`);
  await school.sql(`update staff set mobile = '9099112345' where id = ${south}`);
  const find = async (search: string) => {
    const groups = await hr.call(searchApi.find, { search });
    return groups.flatMap(({ kind, hits }) => (kind === 'staff' ? hits.map(({ title }) => title) : []));
  };
  expect(await find('teacher')).toEqual(['North Teacher', 'South Teacher']);
  expect(await find('12345')).toEqual(['North Teacher']);
  await school.sql(`update staff_employment set joined_on = '2020-06-01', last_day = '2024-05-31'
    where staff_id in (${people})`);
  expect(await find('teacher')).toEqual(['North Teacher']);
  expect(await find('12345')).toEqual(['North Teacher']);
  await school.sql(`update staff_employment set last_day = null where staff_id in (${people})`);
});

test('M1 the documents of one branch are counted for its HR, and its HR’s own elsewhere wait for another', async () => {
  const figureOf = async () => {
    const { cards } = await hr.call(dashboardApi.read, {});
    return cards.flatMap(({ figures }) => figures).find(({ label }) => english(label) === 'Staff with documents due');
  };
  // All of them lack the mandatory ones; HR themselves have no post, and so no branch.
  expect(await figureOf()).toMatchObject({ value: 1, to: 'staff/staff-list?tab=due' });
  expect((await hr.call(staffList.api.counts, {})).due).toEqual({ total: 1, isMore: false });
  const [type] = await school.sql(`select id from hris_document_type where name = 'Identity proof'`);
  const body = form({ documentTypeId: type?.id }, { file: await paper('Proof') });
  const { status } = await hr.send({ method: 'POST', url: `/api/staff/${hr.staffId}/document`, body });
  expect(status).toBe(200);
  const { documents } = await hr.call(staffDocumentApi.documents, { id: hr.staffId });
  expect(documents.map(({ status }) => status)).toEqual(['Waiting']);
});

test('a planned post in another branch does not hand the record over before its day', async () => {
  const [north, south] = people;
  await school.sql(`update staff_post set effective_to = '2089-12-31' where staff_id = ${south};
    insert into staff_post (staff_id, effective_from, designation_id, department_id, branch_id)
    select ${south}, '2090-01-01', designation_id, department_id, ${branches[0]} from staff_post where staff_id = ${south}`);
  const emails = await Promise.all(
    [north, south].map(async (id) => (await school.sql(`select email from staff where id = ${id}`))[0]?.email),
  );
  const { rows } = await hr.call(staffImportApi.import, {
    file: `Name,Email address\nNorth T.,${emails[0]}\nSouth T.,${emails[1]}\n`,
  });
  expect(rows.map(({ messages }) => inEnglish(messages))).toEqual([{ branchId: 'Choose one of your branches.' }, {}]);
  expect((await hr.call(staffRecordApi.read, { id: Number(south) })).may.update).toBe(false);
});
