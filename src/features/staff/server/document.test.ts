import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { fileOf, form, openSchool, paper, type School } from '#testing/school.ts';
import { staffDocumentApi } from '../contract/document.ts';
import { staffList } from '../contract/list.ts';

let school: School;
let idOf: Map<unknown, number>;
let hr: Person;
beforeAll(async () => {
  school = await openSchool();
  const rows = await school.sql('select id, name from hris_document_type');
  idOf = new Map(rows.map(({ id, name }) => [name, Number(id)]));
  hr = await school.person({ name: 'Hina', sets: ['hr'] });
});
beforeEach(() => school.sql('delete from attempt'));
afterAll(() => school.close());

const police = 'Police verification';
const proof = 'Identity proof';
const certificate = 'Qualification certificate';
const notThere = { code: 'not_found', message: 'Not found.' };

interface Added {
  type?: string;
  issuedOn?: string;
  expiresOn?: string;
  file?: File | null;
}

async function add(by: Person, staffId: number, { type = proof, file, ...days }: Added = {}) {
  const upload = file === undefined ? await paper(type) : file;
  const body = form({ documentTypeId: idOf.get(type) ?? 0, ...days }, { file: upload });
  const { status, json } = await by.send({ method: 'POST', url: `/api/staff/${staffId}/document`, body });
  return status === 200 ? 'added' : { code: json.error.code, fields: json.error.fields };
}

const list = (by: Person, id: number) => by.call(staffDocumentApi.documents, { id });
async function onlyOne(id: number) {
  const { documents } = await list(hr, id);
  expect(documents).toHaveLength(1);
  return documents[0] as (typeof documents)[0];
}
const fileAt = (id: number, document: number) => ({ url: `/api/staff/${id}/document/${document}/file` });

test('one’s own document waits for HR, and what HR or an Admin adds is verified at once', async () => {
  const [asha, admin] = [await school.person(), await school.person({ name: 'Priya', role: 'Admin' })];
  const id = asha.staffId;
  expect(await add(asha, id)).toBe('added');
  expect(await add(hr, id, { type: police, issuedOn: '2026-01-05', expiresOn: '2099-01-04' })).toBe('added');
  expect(await add(admin, id, { type: 'Appointment letter' })).toBe('added');
  const { documents } = await list(asha, id);
  expect(documents).toMatchObject([
    { type: 'Appointment letter', status: 'Verified', decidedBy: 'Priya', expiresOn: '', daysLeft: null },
    { type: proof, status: 'Waiting', decidedBy: '', remark: '' },
    { type: police, status: 'Verified', decidedBy: 'Hina', issuedOn: '2026-01-05', expiresOn: '2099-01-04' },
  ]);
  for (const keeper of [hr, admin]) expect((await list(keeper, id)).documents).toEqual(documents);
});

test('to a colleague, and of an unknown person, there are no documents to read, add, view or remove', async () => {
  const [asha, office] = [await school.person(), await school.person({ sets: ['office', 'principal'] })];
  const id = asha.staffId;
  await add(asha, id);
  const document = (await onlyOne(id)).id;
  for (const person of [id, 999_999]) {
    await expect(list(office, person)).rejects.toMatchObject(notThere);
    expect(await add(office, person)).toMatchObject({ code: 'not_found' });
    expect((await office.send(fileAt(person, document))).status).toBe(404);
    const remove = office.call(staffDocumentApi.removeDocument, { id: person, document });
    await expect(remove).rejects.toMatchObject(notThere);
  }
  // Not even by naming one’s own record.
  expect((await office.send(fileAt(office.staffId, document))).status).toBe(404);
  const own = office.call(staffDocumentApi.removeDocument, { id: office.staffId, document });
  await expect(own).rejects.toMatchObject(notThere);
  for (const { url } of [{ url: `/api/staff/${id}/document` }, fileAt(id, document)])
    expect((await school.send({ url })).status).toBe(401);
  expect(await onlyOne(id)).toMatchObject({ id: document });
});

test('nobody decides on documents but HR and Admins, not even the person', async () => {
  const [asha, office] = [await school.person(), await school.person({ sets: ['office'] })];
  await add(asha, asha.staffId);
  const { id, version } = await onlyOne(asha.staffId);
  const decision = { id: asha.staffId, document: id, version, isVerified: true, remark: '' };
  for (const person of [asha, office])
    await expect(person.call(staffDocumentApi.decideDocument, decision)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await onlyOne(asha.staffId)).toMatchObject({ status: 'Waiting' });
});

test('HR verifies a document, or rejects it with a remark that the person reads', async () => {
  const [asha, ravi] = [await school.person(), await school.person()];
  for (const person of [asha, ravi]) await add(person, person.staffId);
  const [good, bad] = [await onlyOne(asha.staffId), await onlyOne(ravi.staffId)];
  const { decideDocument } = staffDocumentApi;
  const accept = { document: good.id, version: good.version, isVerified: true, remark: '' };
  await hr.call(decideDocument, { id: asha.staffId, ...accept });
  expect(await onlyOne(asha.staffId)).toMatchObject({ status: 'Verified', decidedBy: 'Hina' });

  const reject = { id: ravi.staffId, document: bad.id, version: bad.version, isVerified: false };
  await expect(hr.call(decideDocument, { ...reject, remark: ' ' })).rejects.toMatchObject({
    fields: { remark: { id: 'Say why, so that it can be corrected.' } },
  });
  await hr.call(decideDocument, { ...reject, remark: 'The stamp is missing.' });
  expect((await list(ravi, ravi.staffId)).documents).toMatchObject([
    { status: 'Rejected', decidedBy: 'Hina', remark: 'The stamp is missing.' },
  ]);
});

test('of two decisions at once one is stored, and the other is told that the document has changed', async () => {
  const [asha, other] = [await school.person(), await school.person({ sets: ['hr'] })];
  await add(asha, asha.staffId);
  const { id: document, version } = await onlyOne(asha.staffId);
  const decide = (by: Person, isVerified: boolean) =>
    by.call(staffDocumentApi.decideDocument, {
      id: asha.staffId,
      document,
      version,
      isVerified,
      remark: 'Seen.',
    });
  const waiting = async () => {
    const [row] = await school.sql(`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return row?.count;
  };
  const ends = await school.services.db.transaction().execute(async (db) => {
    await db.selectFrom('staff_document').where('id', '=', document).select('id').forUpdate().execute();
    const both = Promise.allSettled([decide(hr, true), decide(other, false)]);
    await expect.poll(waiting).toBe(2);
    return { both };
  });
  const refused = (await ends.both).flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
  expect(refused).toEqual(['stale']);
  const decided = await onlyOne(asha.staffId);
  const again = { id: asha.staffId, document, version: decided.version, isVerified: false, remark: 'Late.' };
  await expect(hr.call(staffDocumentApi.decideDocument, again)).rejects.toMatchObject({ code: 'stale' });
  expect(await onlyOne(asha.staffId)).toEqual(decided);
});

test('the person and the keepers view the file, and each view is audited', async () => {
  const asha = await school.person({ name: 'Asha who looks' });
  await add(asha, asha.staffId);
  const { id } = await onlyOne(asha.staffId);
  for (const reader of [asha, hr]) {
    const { status, headers } = await reader.send(fileAt(asha.staffId, id));
    expect([status, headers['content-type']]).toEqual([200, 'image/jpeg']);
  }
  expect(
    await school.sql(`select actor, details from audit where action = 'staff.document-viewed'
      and entity = 'staff' and entity_id = ${asha.staffId} order by id`),
  ).toEqual([
    { actor: 'Asha who looks', details: { document: proof } },
    { actor: 'Hina', details: { document: proof } },
  ]);
});

test('a removed document is gone with its file; the person removes it only until it is verified', async () => {
  const asha = await school.person();
  const id = asha.staffId;
  const remove = (by: Person, document: number) => by.call(staffDocumentApi.removeDocument, { id, document });
  const stored = async () => {
    const rows = await school.sql(`select id::text from file where owner = 'staff' and owner_id = ${id}`);
    return rows.map(({ id: name }) => String(name));
  };
  const isKept = (name: string) => existsSync(join(school.config.folder, 'files', name.slice(0, 2), name));

  await add(asha, id);
  const [waiting = ''] = await stored();
  expect(isKept(waiting)).toBe(true);
  await remove(asha, (await onlyOne(id)).id);
  expect([await stored(), isKept(waiting)]).toEqual([[], false]);

  await add(hr, id);
  const verified = await onlyOne(id);
  const refused = { code: 'conflict', message: 'This document is verified. Ask HR to remove it.' };
  await expect(remove(asha, verified.id)).rejects.toMatchObject(refused);
  expect(await stored()).toHaveLength(1);
  await remove(hr, verified.id);
  expect(await stored()).toEqual([]);
  await expect(remove(hr, verified.id)).rejects.toMatchObject(notThere);
});

test('a mandatory document is missing until one waits or is verified, and again once it is rejected', async () => {
  const asha = await school.person();
  const id = asha.staffId;
  const missing = async () => (await list(asha, id)).missing;
  expect(await missing()).toEqual([proof, police, certificate]);
  await add(asha, id);
  await add(hr, id, { type: certificate });
  expect(await missing()).toEqual([police]);
  const waiting = (await list(hr, id)).documents.find(({ status }) => status === 'Waiting');
  const decision = { id, document: waiting?.id ?? 0, version: waiting?.version ?? 0 };
  await hr.call(staffDocumentApi.decideDocument, { ...decision, isVerified: false, remark: 'It can’t be read.' });
  expect(await missing()).toEqual([proof, police]);
});

test('document types of a staff category are for those who have it today, and inactive ones for nobody', async () => {
  const [driver, clerk] = [await school.person(), await school.person()];
  const [transport] = await school.sql(`select id from hris_staff_category where name = 'Transport'`);
  await school.sql(`insert into hris_document_type (name, is_mandatory, staff_category_id, is_active)
    values ('Badge', true, ${transport?.id}, true), ('Old badge', true, null, false)`);
  const rows = await school.sql(`select id, name from hris_document_type where name like '%adge'`);
  for (const { id, name } of rows) idOf.set(name, Number(id));
  await school.sql(`insert into academic_designation (name, level) values ('Driver', 9) on conflict do nothing`);
  await school.sql(`insert into academic_department (name) values ('Transport') on conflict do nothing`);
  await school.sql(`insert into staff_post (staff_id, effective_from, effective_to, designation_id, department_id, branch_id,
      staff_category_id)
    select person.id, person.starts::date, person.ends::date, (select min(id) from academic_designation),
      (select min(id) from academic_department), (select min(id) from academic_branch), ${transport?.id}
    from (values (${driver.staffId}, '2026-01-01', null), (${clerk.staffId}, '2026-01-01', '2026-01-31'))
      as person (id, starts, ends)`);
  const seen = async ({ staffId }: Person) => {
    const { types, missing } = await list(hr, staffId);
    return [types.some(({ name }) => name === 'Badge'), missing.includes('Badge')];
  };
  expect([await seen(driver), await seen(clerk)]).toEqual([
    [true, true],
    [false, false],
  ]);
  expect((await list(hr, driver.staffId)).missing).not.toContain('Old badge');
  const refused = {
    code: 'invalid',
    fields: { documentTypeId: 'This entry is inactive. Choose another one.' },
  };
  expect(await add(hr, clerk.staffId, { type: 'Badge' })).toEqual(refused);
  expect(await add(hr, driver.staffId, { type: 'Old badge' })).toEqual(refused);
  expect(await add(hr, driver.staffId, { type: 'Badge' })).toBe('added');
  expect(await seen(driver)).toEqual([true, false]);
});

test('a document needs a file, its last day where its type expires, and no last day before its issue', async () => {
  const asha = await school.person();
  const id = asha.staffId;
  expect(await add(asha, id, { type: police, file: null })).toEqual({
    code: 'invalid',
    fields: { expiresOn: 'Expires on is required.', file: 'Choose a file.' },
  });
  expect(await add(asha, id, { type: police, issuedOn: '2026-02-02', expiresOn: '2026-02-01' })).toEqual({
    code: 'invalid',
    fields: { expiresOn: 'Enter a day on or after the issue date.' },
  });
  expect(await add(asha, id, { file: fileOf('a.pdf', 'no paper') })).toMatchObject({
    fields: { file: 'Select a JPG, PNG or PDF file.' },
  });
  expect(await add(asha, id, { type: 'None' })).toMatchObject({ code: 'invalid' });
  expect((await list(asha, id)).documents).toEqual([]);
  expect(await school.sql(`select 1 from file where owner = 'staff' and owner_id = ${id}`)).toEqual([]);
});

test('a record that is full of files says which to remove', async () => {
  const { staffId: id } = await school.person();
  await school.sql(`insert into file (id, owner, owner_id, media_type, name, bytes, sha256)
    select gen_random_uuid(), 'staff', ${id}, 'image/jpeg', 'old.jpg', 1, sha256('x') from generate_series(1, 20)`);
  expect(await add(hr, id)).toEqual({
    code: 'too_large',
    fields: { file: 'This record has too many files. Remove a document that is out of date.' },
  });
});

test('the days until a document expires are counted from the school’s day', async () => {
  const asha = await school.person();
  // In India it is already the 1st of March.
  school.clock.now = new Date('2026-02-28T20:00:00Z');
  try {
    for (const expiresOn of ['2026-02-28', '2026-03-01', '2026-03-13'])
      await add(hr, asha.staffId, { type: police, expiresOn });
    const { documents } = await list(hr, asha.staffId);
    expect(documents.map(({ daysLeft }) => daysLeft)).toEqual([12, 0, -1]);
  } finally {
    school.clock.now = undefined;
  }
});

test('C1.3 the dashboard counts the staff with documents that are due, have expired or wait, as their lists do', async () => {
  const own = await openSchool();
  await own.sql(`update hris_document_type set is_mandatory = (name = '${proof}')`);
  await own.sql(`insert into hris_document_type (name, has_expiry) values ('Badge', true)`);
  const [badge] = await own.sql(`select id from hris_document_type where name = 'Badge'`);
  idOf.set('Badge', Number(badge?.id));
  const [asha, ravi, left] = [
    await own.person({ name: 'Asha' }),
    await own.person({ name: 'Ravi' }),
    await own.person({ name: 'Lata' }),
  ];
  const [keeper, admin, office] = [
    await own.person({ sets: ['hr'] }),
    await own.person({ role: 'Admin' }),
    await own.person({ sets: ['office'] }),
  ];
  own.clock.now = new Date('2026-03-01T06:00:00Z');
  for (const { staffId } of [asha, ravi, left, keeper, admin, office]) await add(keeper, staffId);

  /** Each figure with the names in its list, of which there are as many. */
  const card = async (by: Person) => {
    const { cards } = await by.call(dashboardApi.read, {});
    const figures = cards.find(({ title }) => english(title) === 'Staff documents')?.figures ?? [];
    const found = [];
    for (const { label, value, to = '' } of figures) {
      const [page, search] = to.split('?');
      expect(page).toBe('staff/staff-list');
      const { rows, total } = await by.call(staffList.api.list, Object.fromEntries(new URLSearchParams(search)));
      expect([to, total]).toEqual([to, value]);
      found.push([english(label), rows.map(({ name, documentsDue }) => `${name} ${documentsDue}`)]);
    }
    return found;
  };
  const figures = (due: unknown[], expired: unknown[], waiting: unknown[]) => [
    ['Staff with documents due', ...due],
    ['Staff with expired documents', ...expired],
    ['Staff with documents waiting for HR', ...waiting],
  ];
  expect(await card(keeper)).toEqual(figures([[]], [[]], [[]]));

  await add(keeper, asha.staffId, { type: police, expiresOn: '2026-02-28' });
  await add(keeper, asha.staffId, { type: 'Driving licence', expiresOn: '2026-04-30' });
  // Not yet due: 61 days are left, and a badge is due only once it has expired.
  await add(keeper, ravi.staffId, { type: police, expiresOn: '2026-05-01' });
  await add(keeper, ravi.staffId, { type: 'Badge', expiresOn: '2026-03-01' });
  await add(ravi, ravi.staffId, { type: 'Driving licence', expiresOn: '2026-03-10' });
  for (const by of [keeper, admin]) expect(await card(by)).toEqual(figures([['Asha 2']], [['Asha 2']], [['Ravi 0']]));
  expect(await card(office)).toEqual([]);

  own.clock.now = new Date('2026-03-02T06:00:00Z');
  await add(keeper, left.staffId, { type: police, expiresOn: '2026-02-01' });
  await add(left, left.staffId, { type: police, expiresOn: '2026-12-01' });
  expect(await card(keeper)).toEqual(
    figures([['Asha 2', 'Lata 1', 'Ravi 2']], [['Asha 2', 'Lata 1', 'Ravi 2']], [['Lata 1', 'Ravi 2']]),
  );
  // A renewed document is not due, nor one of a person who has left, nor one whose type is no longer in use.
  await add(keeper, asha.staffId, { type: police, expiresOn: '2027-02-28' });
  await own.sql(`update staff_employment set joined_on = '2020-01-01', last_day = '2026-03-01'
    where staff_id = ${left.staffId}`);
  await own.sql(`update hris_document_type set is_active = false where name = 'Badge'`);
  // One that was rejected is as good as missing.
  await own.sql(`update staff_document set status = 'Rejected', remark = 'Blurred.'
    where staff_id = ${office.staffId}`);
  await own.sql(`update staff set name = 'Omkar' where id = ${office.staffId}`);
  expect(await card(keeper)).toEqual(figures([['Asha 1', 'Omkar 1', 'Ravi 1']], [[]], [['Ravi 1']]));
  own.clock.now = undefined;
  await own.close();
});
