import { afterAll, beforeAll, expect, test } from 'vitest';
import { careerMaster } from '#features/school/contract/masters.ts';
import { skillLevelMaster } from '#features/skill/contract/masters.ts';
import { tagMaster } from '#features/tag/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { create, sampleOf } from '#testing/masters.ts';
import { type Family, openSchool, type School } from '#testing/school.ts';
import { subjectMaster } from '../contract/masters.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const post = (path: string, body: object) => admin.send({ method: 'POST', url: `/api${path}`, body });

test('N1.1 a subject’s code is unique in any letter case, also for two simultaneous entries', async () => {
  await post(subjectMaster.path, { ...(await sampleOf(admin, subjectMaster)), code: 'Eng' });
  const { json } = await post(subjectMaster.path, { ...(await sampleOf(admin, subjectMaster)), code: 'ENG' });
  expect(json.error.fields).toEqual({ code: 'Already in use. Enter a different one.' });
  const both = await Promise.all(
    ['gUJ', 'Guj'].map(async (code) => post(subjectMaster.path, { ...(await sampleOf(admin, subjectMaster)), code })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('N2.1 “eal” and “EAL” cannot be tags of the same group, and can be of two groups', async () => {
  const tag = await create(admin, tagMaster);
  const { tagGroupId, colour, scopes } = tag;
  const named = (name: string, group: unknown) => ({
    name,
    tagGroupId: group,
    colour,
    scopes,
    isRestricted: false,
    isActive: true,
  });
  expect((await post(tagMaster.path, named('eal', tagGroupId))).status).toBe(200);
  const { json } = await post(tagMaster.path, named('EAL', tagGroupId));
  expect(json.error.fields).toEqual({ name: 'Already in use. Enter a different one.' });
  const other = await create(admin, tagMaster);
  expect((await post(tagMaster.path, named('EAL', other.tagGroupId))).status).toBe(200);
});

test('N3.3 reordered levels keep their ids', async () => {
  const levels = async () =>
    (await admin.call(skillLevelMaster.api.list, { search: '' })).rows.map(({ id, displayName }) => [id, displayName]);
  const before = await levels();
  const [[first]] = before as [[number]];
  await post(`${skillLevelMaster.path}/${first}/move`, { to: 'down' });
  const after = await levels();
  expect(after).not.toEqual(before);
  expect([...after].sort()).toEqual([...before].sort());
});

test('K2.1 a specialty added to a sector is offered to parents of that sector alone', async () => {
  const family = await school.inquiry();
  const sector = await create(admin, careerMaster, { sectorId: null });
  const other = await create(admin, careerMaster, { sectorId: null });
  const specialty = await create(admin, careerMaster, { sectorId: sector.id });
  const offered = async (id: number) =>
    JSON.stringify((await family.get(`careers/${id}/specialties`)).json).includes(`"${specialty.name}"`);
  expect([await offered(sector.id), await offered(other.id)]).toEqual([true, false]);
});

test('K2.2 an inactive career is not offered, and stays where it was chosen', async () => {
  const family = await school.inquiry();
  const sector = await create(admin, careerMaster, { sectorId: null });
  const specialty = await create(admin, careerMaster, { sectorId: sector.id });
  const chosen = { fatherCareerClusterID: sector.id, fatherCareePathwayID: specialty.id };
  expect((await family.saveParentInfo(chosen)).status).toBe(200);
  const { id, version, ...values } = specialty;
  const url = `/api${careerMaster.path}/${id}`;
  const removed = await admin.send({ method: 'DELETE', url, body: { version } });
  expect(removed.status).toBe(409);
  await admin.send({ method: 'PUT', url, body: { ...values, version, isActive: false } });
  const offered = async (caller: Family) =>
    JSON.stringify((await caller.get(`careers/${sector.id}/specialties`)).json).includes(`"${specialty.name}"`);
  const other = await school.inquiry();
  expect([await offered(family), await offered(other)]).toEqual([true, false]);
  // The family that chose it keeps it; others cannot choose it.
  expect((await family.saveParentInfo(chosen)).status).toBe(200);
  expect((await other.saveParentInfo(chosen)).json.errors).toEqual({
    fatherCareePathwayID: 'Choose one from the list.',
  });
});
