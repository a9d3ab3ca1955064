import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { create } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { skillDomainMaster, skillMaster } from '../contract/masters.ts';
import { skillApi } from '../contract/skill.ts';
import { offeredSkills } from '../shared.ts';

let school: School;
let admin: Person;
let teacher: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  teacher = await school.person({ name: 'Tara', sets: ['classTeacher'] });
});
afterAll(() => school.close());

const offered = async (stage: 'Foundational' | 'Preparatory' | 'Middle' | 'Secondary') =>
  teacher.call(skillApi.offer, { stage });

test('N3.1 a skill that is not for the stage, or not active, is not offered', async () => {
  const domain = await create(admin, skillDomainMaster);
  const make = (name: string, stages: string, isActive = true) =>
    admin.call(skillMaster.api.create, {
      ...{ name, skillDomainId: domain.id, code: '', stages, description: `About ${name}`, isActive },
    });
  await make('Counts to ten', 'Foundational,Preparatory');
  await make('Solves equations', 'Secondary');
  await make('Writes on slates', 'Foundational', false);
  const names = async (stage: Parameters<typeof offered>[0]) => (await offered(stage)).skills.map(({ name }) => name);
  expect([
    await names('Foundational'),
    await names('Preparatory'),
    await names('Middle'),
    await names('Secondary'),
  ]).toEqual([['Counts to ten'], ['Counts to ten'], [], ['Solves equations']]);
  expect((await offered('Secondary')).skills).toMatchObject([
    { domain: domain.name, description: 'About Solves equations' },
  ]);
  // As other areas ask for them.
  expect(await offeredSkills(school.services, 'Secondary')).toEqual(await offered('Secondary'));
  await school.sql(`update configuration_skill_domain set is_active = false where id = ${domain.id}`);
  expect(await names('Foundational')).toEqual([]);
});

test('the levels come in their order, with what each means at the stage', async () => {
  await school.sql(`update configuration_skill_level set middle = 'In the middle', secondary = 'At the end'
    where name = 'Beginner'`);
  await school.sql(`update configuration_skill_level set is_active = false where name = 'Advanced'`);
  const { levels } = await offered('Middle');
  expect(levels.map(({ name, descriptor }) => [name, descriptor])).toEqual([
    ['Beginner', 'In the middle'],
    ['Progressing', ''],
    ['Proficient', ''],
  ]);
});
