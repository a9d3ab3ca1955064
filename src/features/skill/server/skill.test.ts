import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';
import { teach } from '#testing/teachers.ts';
import { offeredSkills } from '../api.ts';
import { skillDomainMaster, skillLevelMaster, skillMaster } from '../contract/masters.ts';
import { skillApi } from '../contract/skill.ts';

let school: School;
let admin: Person;
let teacher: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  teacher = await school.person({ name: 'Tara' });
  await teach(school, teacher);
});
afterAll(() => school.close());

const offered = async (stage: 'Foundational' | 'Preparatory' | 'Middle' | 'Secondary') =>
  teacher.call(skillApi.offer, { stage });

test('N3.1 inactive skills and skills of another stage are not offered', async () => {
  const domain = await plant(school, skillDomainMaster);
  const make = (name: string, stages: string, isActive = true) => {
    const values = { name, skillDomainId: domain.id, code: '', stages, description: `About ${name}`, isActive };
    return admin.call(skillMaster.api.create, values);
  };
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
  // The same for other features.
  expect(await offeredSkills(school.services, 'Secondary')).toEqual(await offered('Secondary'));
  await school.sql(`update configuration_skill_domain set is_active = false where id = ${domain.id}`);
  expect(await names('Foundational')).toEqual([]);
});

test('levels are listed in their order, with their meaning at the stage', async () => {
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

/** Enrols a child in a grade of this stage; returns the enrollment. */
async function child(stage: Parameters<typeof offered>[0]) {
  const section = (await plant(school, sectionMaster)) as unknown as EnrolmentPlace;
  await school.sql(`update academic_grade set stage = '${stage}' where id = ${section.gradeId}`);
  return enroll(school, section, 'Asha');
}
const giveEvidence = (enrollmentId: number, skillId: number, levelId: number) =>
  school.sql(`insert into student_skill_evidence (enrollment_id, student_id, academic_year_id, branch_id, program_id,
      grade_id, skill_id, skill_level_id, noted_on)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${skillId}, ${levelId}, joined_on
    from student_enrollment where id = ${enrollmentId}`);

test('N3.2 a level or skill with evidence cannot be deleted, through the application or by SQL', async () => {
  const skill = await plant(school, skillMaster);
  await school.sql(`update configuration_skill set stages = '{Middle}' where id = ${skill.id}`);
  const level = await plant(school, skillLevelMaster);
  const enrollmentId = await child('Middle');
  await giveEvidence(enrollmentId, skill.id, level.id);

  for (const [master, row] of [
    [skillLevelMaster, level],
    [skillMaster, skill],
  ] as const) {
    const [shown] = (await admin.call(master.api.list, { search: row.displayName || String(row.name) })).rows;
    expect([shown?.id, shown?.usedBy]).toEqual([row.id, 1]);
    const refused = await admin.send({
      method: 'DELETE',
      url: `/api${master.path}/${row.id}`,
      body: { version: row.version },
    });
    expect([refused.status, refused.json.error.message]).toEqual([
      409,
      'This is in use, so it can’t be deleted. Deactivate it instead.',
    ]);
    await expect(school.sql(`delete from ${master.table} where id = ${row.id}`)).rejects.toThrow('foreign key');
  }
  // Evidence and deletion at the same time: the first one wins.
  const other = await plant(school, skillLevelMaster);
  const url = `/api${skillLevelMaster.path}/${other.id}`;
  const [evidence, removed] = await Promise.allSettled([
    giveEvidence(enrollmentId, skill.id, other.id),
    admin.send({ method: 'DELETE', url, body: { version: other.version } }),
  ]);
  const isGone = removed.status === 'fulfilled' && removed.value.status === 200;
  expect(isGone).toBe(evidence.status === 'rejected');
  // Without evidence the level can be deleted.
  await school.sql('delete from student_skill_evidence');
  const gone = await admin.send({
    method: 'DELETE',
    url: `/api${skillLevelMaster.path}/${level.id}`,
    body: { version: level.version },
  });
  expect(gone.status).toBe(200);
});

test('evidence needs a skill of the student’s stage and an open year', async () => {
  const [skill, level] = [await plant(school, skillMaster), await plant(school, skillLevelMaster)];
  await school.sql(`update configuration_skill set stages = '{Middle}' where id = ${skill.id}`);
  const [small, middle] = [await child('Foundational'), await child('Middle')];
  await expect(giveEvidence(small, skill.id, level.id)).rejects.toThrow('this skill is for other stages');
  await giveEvidence(middle, skill.id, level.id);
  await school.sql(`update academic_year set status = 'Closed' where id =
    (select academic_year_id from student_enrollment where id = ${middle})`);
  await expect(giveEvidence(middle, skill.id, level.id)).rejects.toThrow('closed');
  await expect(school.sql('delete from student_skill_evidence')).rejects.toThrow('closed');
});
