import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { account } from '#features/account/server/feature.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { english } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { digestsOf } from '#testing/digests.ts';
import { openSchool, type School } from '#testing/school.ts';
import { type StaffPerson, staffRecordApi } from '../contract/record.ts';

let school: School;
let admin: Person;
let hr: Person;
let clerk: Person;
let post: Pick<
  InputOf<typeof staffRecordApi.savePost>,
  'designationId' | 'departmentId' | 'branchId' | 'staffCategoryId' | 'employmentTypeId' | 'reportsToId'
>;
let principalId: number;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha Admin' });
  hr = await school.person({ sets: ['hr'], name: 'Hema HR' });
  clerk = await school.person({ sets: ['office'], name: 'Kiran Clerk' });
  const added = async (statement: string) => Number((await school.sql(`${statement} returning id`))[0]?.id);
  const designationId = await added(`insert into academic_designation (name) values ('Teacher')`);
  principalId = await added(`insert into academic_designation (name) values ('Principal')`);
  const departmentId = await added(`insert into academic_department (name) values ('Languages')`);
  const branchId = await added(`insert into academic_branch (name, code) values ('Main school', 'MS')`);
  post = { designationId, departmentId, branchId, staffCategoryId: null, employmentTypeId: null, reportsToId: null };
});
beforeEach(() => school.sql('delete from outbox; update sign_in_session set confirmed_at = now()'));
afterAll(() => school.close());

let last = 0;
/** A new member of staff without an account. */
async function hire(over: Partial<InputOf<typeof staffRecordApi.create>> = {}) {
  last += 1;
  const contact = { mobile: String(8_000_000_000 + last), email: `new${last}@staff.example` };
  const fixed = { name: `New ${last}`, gender: 'Female', joinedOn: '2026-06-01', employeeNumber: '' } as const;
  const { id } = await hr.call(staffRecordApi.create, { ...fixed, ...contact, ...post, ...over });
  return { id, ...contact };
}

const readAs = (reader: Person, id: number) => reader.call(staffRecordApi.read, { id });

/** Saves a person as a keeper does: everything that was read, with some of it changed. */
async function save(keeper: Person, id: number, over: Partial<StaffPerson>) {
  const { version, person } = await readAs(keeper, id);
  return keeper.call(staffRecordApi.update, { id, version, ...(person as StaffPerson), ...over });
}

const savePost = async (id: number, from: string, over: Partial<typeof post> = {}) =>
  hr.call(staffRecordApi.savePost, { id, version: (await readAs(hr, id)).version, from, ...post, ...over });

const postsOf = async (id: number) =>
  (await hr.call(staffRecordApi.employment, { id })).posts.map(({ from, until, designation }) => [
    from,
    until,
    designation,
  ]);

/** The refusal of an act, by field. */
async function refusalOf(act: Promise<unknown>) {
  const error = await act.then(
    () => undefined,
    (refused) => refused,
  );
  const fields = Object.entries(error?.fields ?? {}) as [string, Parameters<typeof english>[0]][];
  return { code: error?.code, fields: Object.fromEntries(fields.map(([name, words]) => [name, english(words)])) };
}

const taken = 'Already in use. Enter a different one.';

test('HR and an Admin see the whole record of a colleague, and the person sees their own', async () => {
  const ravi = await school.person({ name: 'Ravi' });
  await save(hr, ravi.staffId, { address: '12 Ring Road', aadhaarLast4: '1234' });
  for (const reader of [hr, admin, ravi])
    expect((await readAs(reader, ravi.staffId)).person).toMatchObject({
      address: '12 Ring Road',
      aadhaarLast4: '1234',
    });
  expect(await readAs(ravi, ravi.staffId)).toMatchObject({ isOwn: true, may: { update: false }, status: 'Active' });
  expect(await readAs(hr, ravi.staffId)).toMatchObject({
    isOwn: false,
    may: { update: true, keepAccount: false, remove: false },
  });
  expect(await readAs(admin, ravi.staffId)).toMatchObject({ may: { update: true, keepAccount: true, remove: false } });
});

test('P2.1 a colleague and a clerk see the card of a person, and nothing else', async () => {
  const { id, email } = await hire({ name: 'Meena Shah' });
  for (const reader of [clerk, await school.person()]) {
    expect(await readAs(reader, id)).toEqual({
      id,
      version: 1,
      card: { name: 'Meena Shah', picture: '', designation: 'Teacher', department: 'Languages', email },
      isOwn: false,
      may: { update: false, keepAccount: false, remove: false },
      status: null,
      lastDay: '',
      person: null,
    });
    expect(await refusalOf(reader.call(staffRecordApi.employment, { id }))).toMatchObject({ code: 'not_found' });
  }
});

test('a person who has left exists for those who keep the records, and for nobody else', async () => {
  const { id } = await hire();
  await school.sql(`update staff_employment set last_day = '2026-06-30' where staff_id = ${id}`);
  expect(await readAs(hr, id)).toMatchObject({ status: 'Left', lastDay: '2026-06-30' });
  const answers = await Promise.all([id, 999_999].map((other) => clerk.send({ url: `/api/staff/${other}/record` })));
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  expect(answers[0]?.text).toBe(answers[1]?.text);
});

test('a new person has the next number of the series, a spell and a first post from the joining date', async () => {
  const { id } = await hire({ name: 'Joins Later', joinedOn: '2090-01-01' });
  const { status, person } = await readAs(hr, id);
  expect(status).toBe('Joining');
  expect(person?.employeeNumber).toMatch(/^EMP\d{4}$/);
  expect(await hr.call(staffRecordApi.employment, { id })).toMatchObject({
    posts: [{ from: '2090-01-01', until: '', designation: 'Teacher', department: 'Languages', branch: 'Main school' }],
    spells: [{ joinedOn: '2090-01-01', lastDay: '' }],
  });
});

test('the series skips a number that was entered by hand', async () => {
  const { id } = await hire();
  const number = (await readAs(hr, id)).person?.employeeNumber ?? '';
  const next = `EMP${String(Number(number.slice(3)) + 1).padStart(4, '0')}`;
  await hire({ employeeNumber: next.toLowerCase() });
  const after = await hire();
  expect((await readAs(hr, after.id)).person?.employeeNumber).toBe(
    `EMP${String(Number(number.slice(3)) + 2).padStart(4, '0')}`,
  );
});

test('M1.1 a mobile number, an email address and an employee number in use are refused at the field', async () => {
  const first = await hire({ employeeNumber: 'T-1' });
  expect(await refusalOf(hire({ mobile: first.mobile }))).toEqual({ code: 'invalid', fields: { mobile: taken } });
  expect(await refusalOf(hire({ email: first.email.toUpperCase() }))).toMatchObject({ fields: { email: taken } });
  expect(await refusalOf(hire({ employeeNumber: 't-1' }))).toMatchObject({ fields: { employeeNumber: taken } });
  const second = await hire();
  expect(await refusalOf(save(hr, second.id, { mobile: first.mobile }))).toMatchObject({ fields: { mobile: taken } });
  expect(await readAs(hr, second.id)).toMatchObject({ version: 1, person: { mobile: second.mobile } });
});

test('a person who cannot be given a post is not created either', async () => {
  const refused = hire({ mobile: '8111111111', departmentId: 999_999 });
  expect(await refusalOf(refused)).toMatchObject({ code: 'invalid', fields: { departmentId: expect.anything() } });
  expect(await school.sql(`select from staff where mobile = '8111111111'`)).toEqual([]);
});

test('K2 of two keepers who save at once the second is told, with what the first has saved', async () => {
  const { id } = await hire();
  const { version, person } = await readAs(hr, id);
  const draft = { id, version, ...(person as StaffPerson) };
  await hr.call(staffRecordApi.update, { ...draft, address: 'By HR' });
  const refused = await admin
    .call(staffRecordApi.update, { ...draft, address: 'By the Admin' })
    .catch((error) => error);
  expect(refused).toMatchObject({ code: 'stale', data: { version: 2, saved: { address: 'By HR' } } });
  expect((await readAs(hr, id)).person?.address).toBe('By HR');
});

test('history has each change with its author, and never digits of Aadhaar or PAN', async () => {
  const { id } = await hire({ name: 'Old Name' });
  await save(hr, id, { name: 'New Name', aadhaarLast4: '4321', panLast4: '99ab' });
  await savePost(id, '2026-07-01', { designationId: principalId });
  const { rows } = await admin.call(staffRecordApi.history, { id });
  expect(rows.map(({ actor, act, details }) => [actor, english(act), details])).toMatchObject([
    [hr.name, 'Changed the post', { From: '2026-07-01', Designation: 'Teacher → Principal' }],
    [
      hr.name,
      'Changed the staff record',
      { Name: 'Old Name → New Name', 'Aadhaar, last 4 digits': '– → ••••', 'PAN, last 4 characters': '– → ••••' },
    ],
    [hr.name, 'Created the staff record', { Name: 'Old Name', 'Joining date': '2026-06-01', Designation: 'Teacher' }],
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/4321|99ab/i);
  expect((await readAs(hr, id)).person?.panLast4).toBe('99AB');
});

test('a new address of a person with an account is told to the old one, and voids links sent to it', async () => {
  const ravi = await school.person();
  await school.sql(`update sign_in_account set google_subject = 'ravi' where id = ${ravi.id}`);
  await school.sql(`insert into sign_in_reset (account_id, salt, expires_at)
    values (${ravi.id}, decode('00112233445566778899aabbccddeeff', 'hex'), now() + interval '5 minutes')`);
  await save(hr, ravi.staffId, { email: 'new.ravi@staff.example', mobile: '8222222222' });
  expect(await school.sql('select channel, template, recipient from outbox order by template')).toEqual([
    { channel: 'email', template: 'email-changed', recipient: ravi.email },
    { channel: 'sms', template: 'mobile-changed', recipient: ravi.mobile },
  ]);
  expect(await school.sql(`select google_subject from sign_in_account where id = ${ravi.id}`)).toEqual([
    { google_subject: null },
  ]);
  expect(await school.sql(`select from sign_in_reset where account_id = ${ravi.id} and used_at is null`)).toEqual([]);
});

test('a first email address of a person with an account is told to the mobile number on record', async () => {
  const ravi = await school.person();
  await school.sql(`delete from outbox; update staff set email = null where id = ${ravi.staffId}`);
  await save(hr, ravi.staffId, { email: 'first.ravi@staff.example' });
  const sent = await school.sql('select channel, template, recipient, subject_id from outbox');
  expect(sent).toEqual([{ channel: 'sms', template: 'email-added', recipient: ravi.mobile, subject_id: ravi.id }]);
  const template = account.messages['email-added'];
  const written = template && (await render(school.services, template, ravi.id));
  expect(written?.text).toContain('An email address was added to your school account.');
});

test('a new address of a person with an account needs a fresh proof of identity, other changes do not', async () => {
  const ravi = await school.person();
  await school.sql(`update sign_in_session set confirmed_at = now() - interval '1 hour'`);
  await save(hr, ravi.staffId, { address: 'Somewhere else' });
  expect(await refusalOf(save(hr, ravi.staffId, { email: 'thief@staff.example' }))).toMatchObject({
    code: 'sign_in_again',
  });
  expect(await refusalOf(save(admin, ravi.staffId, { mobile: '8333333333' }))).toMatchObject({
    code: 'confirm_required',
  });
});

test('an Admin’s address is changed by Admins alone, and the other Admins are told', async () => {
  const [bela, chhaya] = [
    await school.person({ role: 'Admin', name: 'Bela' }),
    await school.person({ role: 'Admin', name: 'Chhaya' }),
  ];
  expect(await refusalOf(save(hr, bela.staffId, { email: 'thief@staff.example' }))).toMatchObject({
    code: 'invalid',
    fields: { email: 'Only an Admin can change this of an Admin.' },
  });
  expect(await school.sql(`select actor, result, details from audit where action = 'contact.refused'`)).toEqual([
    { actor: hr.name, result: 'refused', details: { channel: 'email' } },
  ]);
  await save(admin, bela.staffId, { email: 'new.bela@staff.example' });
  expect(await school.sql(`select recipient from outbox where template = 'admin-contact-changed'`)).toEqual([
    { recipient: chhaya.email },
  ]);
});

test('nobody changes their own address in the record, where no code confirms it', async () => {
  expect(await refusalOf(save(hr, hr.staffId, { mobile: '8444444444' }))).toMatchObject({
    code: 'invalid',
    fields: { mobile: 'Change your own on your page, where a code confirms it.' },
  });
  await save(hr, hr.staffId, { address: 'Near the school' });
  expect((await readAs(hr, hr.staffId)).person?.address).toBe('Near the school');
});

test('a post from a day on ends the one before it the day before', async () => {
  const { id } = await hire();
  await savePost(id, '2026-08-01', { designationId: principalId });
  expect(await postsOf(id)).toEqual([
    ['2026-08-01', '', 'Principal'],
    ['2026-06-01', '2026-07-31', 'Teacher'],
  ]);
  expect((await readAs(clerk, id)).card.designation).toBe('Principal');
});

test('a planned post of the same day is replaced, and one between two ends before the next', async () => {
  const { id } = await hire();
  await savePost(id, '2090-01-01');
  await savePost(id, '2090-01-01', { designationId: principalId });
  await savePost(id, '2089-01-01', { designationId: principalId });
  expect(await postsOf(id)).toEqual([
    ['2090-01-01', '', 'Principal'],
    ['2089-01-01', '2089-12-31', 'Principal'],
    ['2026-06-01', '2088-12-31', 'Teacher'],
  ]);
  expect((await readAs(clerk, id)).card.designation).toBe('Teacher');
});

test('a post before joining or after the last day is refused at the day', async () => {
  const { id } = await hire();
  expect(await refusalOf(savePost(id, '2026-05-31'))).toMatchObject({
    code: 'invalid',
    fields: { from: 'The person joins on 1 Jun 2026. Enter that day or a later one.' },
  });
  await school.sql(`update staff_employment set last_day = '2090-06-30' where staff_id = ${id}`);
  expect(await refusalOf(savePost(id, '2090-07-01'))).toMatchObject({
    fields: { from: 'The last day of work is 30 Jun 2090. Enter that day or an earlier one.' },
  });
  await savePost(id, '2090-06-01');
  expect((await postsOf(id))[0]).toEqual(['2090-06-01', '2090-06-30', 'Teacher']);
});

test('M1.2 people who report to each other in a circle are refused at the field', async () => {
  const [head, member] = [await hire(), await hire()];
  await savePost(member.id, '2026-07-01', { reportsToId: head.id });
  const loop = {
    code: 'invalid',
    fields: { reportsToId: 'Choose a person who does not report to this staff member.' },
  };
  expect(await refusalOf(savePost(head.id, '2026-07-01', { reportsToId: member.id }))).toEqual(loop);
  expect(await refusalOf(savePost(head.id, '2026-07-01', { reportsToId: head.id }))).toEqual(loop);
  expect(await postsOf(head.id)).toEqual([['2026-06-01', '', 'Teacher']]);
});

test('nobody is made to report to a person who has left, nor given an inactive designation', async () => {
  const [gone, { id }] = [await hire(), await hire()];
  await school.sql(`update staff_employment set last_day = '2026-06-30' where staff_id = ${gone.id}`);
  const [old] = await school.sql(
    `insert into academic_designation (name, is_active) values ('Old', false) returning id`,
  );
  expect(
    await refusalOf(savePost(id, '2026-07-01', { reportsToId: gone.id, designationId: Number(old?.id) })),
  ).toMatchObject({
    fields: {
      designationId: 'This entry is inactive. Choose another one.',
      reportsToId: 'This person will have left by then. Choose another one.',
    },
  });
});

test('of two keepers who change a post at once the second is told', async () => {
  const { id } = await hire();
  const { version } = await readAs(hr, id);
  const change = (keeper: Person, designationId: typeof post.designationId) =>
    keeper.call(staffRecordApi.savePost, { id, version, from: '2026-09-01', ...post, designationId });
  await change(hr, principalId);
  expect(await refusalOf(change(admin, post.designationId))).toMatchObject({ code: 'stale' });
  expect((await postsOf(id))[0]).toEqual(['2026-09-01', '', 'Principal']);
});

test('a person’s own data is a PDF, and taking it is in the history', async () => {
  const ravi = await school.person({ name: 'Ravi Own' });
  await savePost(ravi.staffId, toLocalDate(new Date()));
  const { status, headers, bytes } = await ravi.send({ url: '/api/staff/own-data' });
  expect([status, headers['content-type'], bytes.subarray(0, 5).toString()]).toEqual([200, 'application/pdf', '%PDF-']);
  const values = school.papers.last().data.table.rows.map(([, value]: string[]) => value);
  expect(values).toEqual(
    expect.arrayContaining(['Ravi Own', ravi.mobile, expect.stringMatching(/: Teacher, Languages, Main school$/)]),
  );
  const { rows } = await hr.call(staffRecordApi.history, { id: ravi.staffId });
  expect(rows[0]).toMatchObject({ actor: 'Ravi Own', act: { id: 'Saved their own data as a PDF' } });
});

test('of new staff with the contact of a colleague who has left, the refusal names the colleague to re-join', async () => {
  const { id, mobile, email } = await hire({ name: 'Jaya Left', joinedOn: '2015-06-01', employeeNumber: 'J-1' });
  const fixed = { name: 'Jaya Again', gender: 'Female', joinedOn: '2026-06-01', employeeNumber: '' } as const;
  const refused = async (contact: { mobile: string; email: string }, by = hr) => {
    const { json } = await by.send({ method: 'POST', url: '/api/staff', body: { ...fixed, ...post, ...contact } });
    return { fields: json.error.fields, left: json.error.data?.left };
  };
  expect(await refused({ mobile, email: '' })).toEqual({
    fields: { mobile: 'Already in use. Enter a different one.' },
    left: undefined,
  });
  await school.sql(`update staff_employment set last_day = '2020-03-31' where staff_id = ${id}`);
  const named = 'Jaya Left (J-1) left on 31 Mar 2020 and has this. Re-join them instead.';
  const left = { id, name: 'Jaya Left' };
  expect(await refused({ mobile, email: '' })).toEqual({ fields: { mobile: named }, left });
  expect(await refused({ mobile: '', email: email.toUpperCase() })).toEqual({ fields: { email: named }, left });
});

test('Q1.5 a member of staff entered by mistake is removed within a day, and one on whom a row hangs is named and kept', async () => {
  const before = await digestsOf(school);
  const { id } = await hire();
  expect((await readAs(hr, id)).may.remove).toBe(true);
  expect((await readAs(clerk, id)).may.remove).toBe(false);
  await expect(hr.call(staffRecordApi.remove, { id, version: 2 })).rejects.toMatchObject({ code: 'stale' });
  expect(await hr.call(staffRecordApi.remove, { id, version: 1 })).toEqual({ blocks: [] });
  expect(await digestsOf(school)).toEqual(before);
  await expect(readAs(hr, id)).rejects.toMatchObject({ code: 'not_found' });

  const { id: used } = await hire();
  await savePost(used, '2026-08-01', { designationId: principalId });
  await school.sql(
    `insert into staff_experience (staff_id, employer, job_title, from_day) values (${used}, 'Another school', 'Teacher', '2020-01-01')`,
  );
  const { version } = await readAs(hr, used);
  const { blocks } = await hr.call(staffRecordApi.remove, { id: used, version });
  expect(blocks.map(english)).toEqual(['Work at other employers: 1', 'Posts: 2']);

  const { id: old } = await hire();
  await school.sql(`begin; alter table audit disable trigger all;
    update audit set at = at - interval '26 hours' where entity = 'staff' and entity_id = ${old};
    alter table audit enable trigger all; commit`);
  expect((await readAs(hr, old)).may.remove).toBe(false);
  await expect(hr.call(staffRecordApi.remove, { id: old, version: 1 })).rejects.toMatchObject({ code: 'conflict' });
  expect(await school.sql(`select id from staff_post where staff_id = ${old}`)).toHaveLength(1);
});
