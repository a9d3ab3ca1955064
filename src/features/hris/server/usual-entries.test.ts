import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#kit/server/database/migrations.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { employmentTypeMaster, hrisMasters, separationReasonMaster } from '../contract/masters.ts';

let school: School;
let hr: Person;
beforeAll(async () => {
  school = await openSchool();
  hr = await school.person({ sets: ['hr'] });
});
afterAll(() => school.close());

const all = { search: '' };

test('C1.4 an employment type of a post and a reason of a person who left are not deleted', async () => {
  const [type] = (await hr.call(employmentTypeMaster.api.list, all)).rows;
  const [reason] = (await hr.call(separationReasonMaster.api.list, all)).rows;
  await school.sql(`
    with branch as (insert into academic_branch (name, code) values ('Main', 'M') returning id),
      designation as (insert into academic_designation (name) values ('Teacher') returning id),
      department as (insert into academic_department (name) values ('Science') returning id)
    insert into staff_post (staff_id, effective_from, branch_id, designation_id, department_id, employment_type_id)
    select ${hr.staffId}, current_date, branch.id, designation.id, department.id, ${type?.id}
    from branch, designation, department;
    insert into staff_employment (staff_id, joined_on, last_day, separation_reason_id)
    values (${hr.staffId}, '2010-06-01', '2012-05-31', ${reason?.id})`);
  for (const [master, row] of [
    [employmentTypeMaster, type],
    [separationReasonMaster, reason],
  ] as const) {
    const { status } = await hr.send({ method: 'DELETE', url: `/api${master.path}/${row?.id}`, body: { version: 1 } });
    expect([master.path, status]).toEqual([master.path, 409]);
    expect((await hr.call(master.api.list, all)).rows.find(({ id }) => id === row?.id)).toMatchObject({ usedBy: 1 });
  }
});

test('C1.5 each list has its usual entries once, and a deleted one does not come back at the next start', async () => {
  const namesOf = async () =>
    Promise.all(hrisMasters.map(async (master) => (await hr.call(master.api.list, all)).rows.map(({ name }) => name)));
  const [before] = await school.sql(`delete from hris_separation_reason where name = 'Termination' returning id`);
  expect(before).toBeTruthy();
  const names = await namesOf();
  for (const list of names) {
    expect(list.length).toBeGreaterThan(3);
    expect(new Set(list).size).toBe(list.length);
  }
  expect(await migrate(school.config.databaseOwnerUrl)).toBe(0);
  expect(await namesOf()).toEqual(names);
});
