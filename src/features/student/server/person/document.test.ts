import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { studentDocumentApi } from '../../contract/document.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let office: Person;
let section: number;
let birth: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
  const [row] = await school.sql(
    `select id from academic_lookup where kind = 'Document' and name = 'Birth Certificate'`,
  );
  birth = Number(row?.id);
});
afterAll(() => school.close());

const add = async (id: number, fields: Record<string, unknown>, person = office) =>
  person.send({
    method: 'POST',
    url: `/api/student/${id}/document`,
    body: form({ issuedOn: '', expiresOn: '', ...fields }, { file: await paper('Birth Certificate') }),
  });
const documentsOf = (id: number) => office.call(studentDocumentApi.documents, { id });

test('L1.17 a document of the office is verified, counts as there, and each view is in the log', async () => {
  const id = await seat(school, section, 'Asha');
  expect((await documentsOf(id)).missing).toEqual(['Aadhar Card', 'Birth Certificate']);
  expect((await add(id, { documentTypeId: birth, expiresOn: '2026-12-01' })).status).toBe(200);
  const { documents, missing } = await documentsOf(id);
  expect([missing, documents]).toMatchObject([
    ['Aadhar Card'],
    [{ type: 'Birth Certificate', status: 'Verified', decidedBy: 'Meena', isExpiring: true }],
  ]);
  const url = `/api/student/${id}/document/${documents[0]?.id}/file`;
  const principal = await school.person({ sets: ['principal'] });
  expect((await principal.send({ method: 'GET', url })).status).toBe(200);
  expect((await add(id, { documentTypeId: birth }, principal)).status).toBe(403);
  const other = await seat(school, section, 'Bela');
  expect((await office.send({ method: 'GET', url: url.replace(`/${id}/`, `/${other}/`) })).status).toBe(404);
  const acts = await school.sql(`select action from audit where entity = 'student' and entity_id = ${id} order by id`);
  expect(acts.map(({ action }) => action)).toEqual(['student.document-added', 'student.document-viewed']);
});

test('L1.17 a document that waits is rejected with a remark, once', async () => {
  const id = await seat(school, section, 'Chirag');
  await add(id, { documentTypeId: birth });
  const [{ id: document } = { id: 0 }] = (await documentsOf(id)).documents;
  await school.sql(`update student_document set status = 'Waiting', decided_by = null, decided_at = null`);
  const decide = (body: object) =>
    office.send({ method: 'POST', url: `/api/student/${id}/document/${document}/decide`, body });
  const rejected = { version: 1, isVerified: false, remark: '' };
  expect((await decide(rejected)).json.error.fields).toHaveProperty('remark');
  expect((await decide({ ...rejected, remark: 'Unreadable' })).status).toBe(200);
  expect((await decide({ ...rejected, remark: 'Unreadable' })).status).toBe(409);
  expect((await documentsOf(id)).missing).toContain('Birth Certificate');
  const remove = await office.send({ method: 'DELETE', url: `/api/student/${id}/document/${document}` });
  expect([remove.status, (await documentsOf(id)).documents]).toEqual([200, []]);
  expect(await school.sql(`select id from file where owner = 'student' and owner_id = ${id}`)).toEqual([]);
});

test('the head names the document that has waited longest, for those who verify it, until it is decided', async () => {
  const id = await seat(school, section, 'Divya');
  const [aadhaar] = await school.sql(`select id from academic_lookup where kind = 'Document' and name = 'Aadhar Card'`);
  const principal = await school.person({ sets: ['principal'] });
  const toVerify = async (person: Person) => (await person.call(studentRecordApi.read, { id })).toVerify;
  await add(id, { documentTypeId: birth });
  expect(await toVerify(office)).toBe('');
  await add(id, { documentTypeId: Number(aadhaar?.id) });
  await school.sql(`update student_document set status = 'Waiting', decided_by = null, decided_at = null
    where student_id = ${id}`);
  await school.sql(`update file set stored_at = stored_at - interval '1 day'
    from student_document own where own.file_id = file.id and own.document_id = ${Number(aadhaar?.id)}`);
  expect([await toVerify(office), await toVerify(principal)]).toEqual(['Aadhar Card', '']);
  const decide = async () => {
    const [first] = (await documentsOf(id)).documents.filter(({ status }) => status === 'Waiting');
    await office.call(studentDocumentApi.decideDocument, {
      ...{ id, document: first?.id ?? 0, version: first?.version ?? 0, isVerified: true, remark: '' },
    });
  };
  await decide();
  expect(await toVerify(office)).toBe('Birth Certificate');
  await decide();
  expect(await toVerify(office)).toBe('');
});
