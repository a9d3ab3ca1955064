import { beforeAll, expect, test } from 'vitest';
import { bloodGroups } from '#features/admission-form/contract/basic-info.ts';
import { documentNames } from '#features/admission-form/contract/document.ts';
import { languages } from '#features/admission-form/contract/language.ts';
import type { Values } from '#kit/contract/master.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { lookupMaster } from '../contract/masters.ts';

const { api } = lookupMaster;
let school: School;
let admin: Person;

beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
  return school.close;
});

async function wordsOf(kind: string) {
  const query: Values = { kind };
  return (await admin.call(api.list, { search: '', ...query })).rows;
}

test('the words a form knows by name are there from the beginning, and fixed', async () => {
  const forms = { Language: languages, 'Blood group': bloodGroups, Document: documentNames };
  for (const [kind, names] of Object.entries(forms)) {
    const words = await wordsOf(kind);
    expect(words.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(words.every(({ isSystem }) => isSystem)).toBe(true);
  }
});

test('a fixed choice is not renamed, moved, deactivated or deleted', async () => {
  const word = (await wordsOf('Document')).find(({ name }) => name === 'Other');
  const { id = 0, version = 0 } = word ?? {};
  const same = { kind: 'Document', name: 'Other', isActive: true };
  const message = 'The admission form uses this choice, so it can’t be changed or deleted.';
  for (const change of [{ name: 'Others' }, { kind: 'Relation', name: 'Odd one' }, { isActive: false }]) {
    const { status, json } = await admin.send({
      method: 'PUT',
      url: `/api/academic/lookup/${id}`,
      body: { ...same, ...change, version },
    });
    expect([change, status, json.error?.fields]).toEqual([change, 422, { name: message }]);
  }
  const { status, json } = await admin.send({ method: 'DELETE', url: `/api/academic/lookup/${id}?version=${version}` });
  expect([status, json.error?.fields]).toEqual([422, { name: message }]);
  for (const change of ["name = 'Others'", "kind = 'Relation'", 'is_active = false', 'is_system = false'])
    await expect(school.sql(`update academic_lookup set ${change} where id = ${id}`)).rejects.toThrow(/fixed word/);
  await expect(school.sql(`delete from academic_lookup where id = ${id}`)).rejects.toThrow(/fixed word/);
});

test('a school’s own word is renamed and removed, and stands in one list once', async () => {
  const own: Values = { kind: 'Lead source', name: 'Radio', isActive: true };
  const elsewhere: Values = { kind: 'Relation' };
  const { id } = await admin.call(api.create, own);
  await admin.call(api.create, { ...own, ...elsewhere });
  const { status, json } = await admin.send({
    method: 'POST',
    url: '/api/academic/lookup',
    body: { ...own, name: 'radio' },
  });
  expect([status, json.error?.fields]).toEqual([422, { name: 'Already in use. Enter a different one.' }]);
  const renamed: Values = { name: 'Local radio', isActive: false };
  const { version } = await admin.call(api.update, { ...own, ...renamed, id, version: 1 });
  await admin.call(api.remove, { id, version });
  expect((await wordsOf('Lead source')).map(({ name }) => name)).not.toContain('Local radio');
});
