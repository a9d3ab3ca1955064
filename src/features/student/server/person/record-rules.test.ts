import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextNumber } from '#testing/numbers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const place = async () => {
  const [row] = await school.sql(`select 1 as "academicYearId", (select min(id) from academic_branch) as "branchId",
    (select min(id) from academic_program) as "programId", (select min(id) from academic_grade) as "gradeId"`);
  return row as { academicYearId: number; branchId: number; programId: number; gradeId: number };
};

async function child(name: string): Promise<number> {
  const enrollment = await enroll(school, await place(), name);
  const [row] = await school.sql(`select student_id as id from student_enrollment where id = ${enrollment}`);
  return Number(row?.id);
}

async function adult(name: string): Promise<number> {
  const [row] = await school.sql(`insert into guardian (first_name) values ('${name}') returning id`);
  return Number(row?.id);
}

const link = (student: number, guardian: number, role = 'Parent', columns: Record<string, string> = {}) => {
  const all: Record<string, string> = { is_primary: 'false', ...columns };
  return school.sql(`insert into student_guardian (student_id, guardian_id, relation_id, role, ${Object.keys(all).join(', ')})
    values (${student}, ${guardian}, (select min(id) from academic_lookup where kind = 'Relation'), '${role}',
      ${Object.values(all).join(', ')})`);
};
const primary = { is_primary: 'true' };
const unlink = (student: number, guardian: number) =>
  school.sql(`delete from student_guardian where student_id = ${student} and guardian_id = ${guardian}`);

async function familiesOf(...ids: number[]) {
  const rows = await school.sql(`select id, family_id from student where id in (${ids.join(', ')}) order by id`);
  return rows.map(({ family_id }) => Number(family_id));
}

test('children with a common parent are one family, and divide when the link ends', async () => {
  const [a, b, c] = [await child('Asha'), await child('Bela'), await child('Chirag')];
  const [f1, m1, m2, f3] = [await adult('Ramesh'), await adult('Kokila'), await adult('Lata'), await adult('Suresh')];
  expect(await familiesOf(a, b, c)).toEqual([a, b, c]);
  await link(a, m1, 'Parent', primary);
  await link(a, f1);
  await link(b, m2, 'Parent', primary);
  await link(b, f1);
  await link(c, f3, 'Parent', primary);
  expect(await familiesOf(a, b, c)).toEqual([a, a, c]);
  await link(c, m2);
  expect(await familiesOf(a, b, c)).toEqual([a, a, a]);
  await unlink(b, f1);
  expect(await familiesOf(a, b, c)).toEqual([a, b, b]);
});

test('an uncle who collects two cousins does not make them one family', async () => {
  const [a, d] = [await child('Amit'), await child('Dipa')];
  const [own, other, uncle] = [await adult('Mahesh'), await adult('Naresh'), await adult('Kaka')];
  await link(a, own, 'Parent', primary);
  await link(d, other, 'Parent', primary);
  for (const each of [a, d]) await link(each, uncle, 'Contact', { may_collect: 'true' });
  expect(await familiesOf(a, d)).toEqual([a, d]);
});

test('links that are inserted in one statement form the same families as single inserts', async () => {
  const ids = [await child('Pia'), await child('Raj'), await child('Sia'), await child('Tia')];
  const [one, two] = [await adult('Manish'), await adult('Nilesh')];
  const rows = ids.map((id, index) => `(${id}, ${index < 2 ? one : two}, 'Parent', true)`);
  await school.sql(`insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary)
    select s, g, (select min(id) from academic_lookup where kind = 'Relation'), r, p
    from (values ${rows.join(', ')}) as row (s, g, r, p)`);
  expect(await familiesOf(...ids)).toEqual([ids[0], ids[0], ids[2], ids[2]]);
});

test('a child with a parent has exactly one primary guardian, who is neither barred nor deceased', async () => {
  const a = await child('Isha');
  const [mother, father] = [await adult('Jaya'), await adult('Kirit')];
  await expect(link(a, mother)).rejects.toThrow('a child needs a primary guardian');
  await link(a, mother, 'Parent', primary);
  await expect(link(a, father, 'Parent', primary)).rejects.toThrow('student_guardian_one_primary');
  await expect(link(a, father, 'Parent', { is_barred: 'true', receives_messages: 'true' })).rejects.toThrow(
    'student_guardian_barred',
  );
  await link(a, father);
  await expect(unlink(a, mother)).rejects.toThrow('a child needs a primary guardian');
  await expect(school.sql(`update guardian set is_deceased = true where id = ${mother}`)).rejects.toThrow(
    'a child needs a primary guardian',
  );
});

test('an adult is parent or guardian of at most twelve children', async () => {
  const warden = await adult('Warden');
  for (let count = 0; count < 12; count++) await link(await child(`Boarder${count}`), warden, 'Guardian', primary);
  const next = await child('Boarder');
  await expect(link(next, warden, 'Guardian', primary)).rejects.toThrow('too many children of one adult');
  await link(next, warden, 'Contact');
});

test('a GR number that was corrected is never given again', async () => {
  const a = await child('Umang');
  const spent = `G${nextNumber()}`;
  await school.sql(`alter table student disable trigger gr_free; update student set gr_no = '${spent}' where id = ${a};
    alter table student enable trigger gr_free`);
  const correct = `update student set gr_no = 'G${nextNumber()}' where id = ${a}`;
  await expect(school.sql(correct)).rejects.toThrow('the earlier GR number is not recorded as spent');
  await school.sql(`insert into student_gr_spent (branch_id, gr_no, student_id, reason, spent_by)
    select branch_id, gr_no, id, 'Typed twice', 'Asha' from student where id = ${a}`);
  await school.sql(correct);
  await expect(enroll(school, await place(), 'Vini', { grNo: spent.toLowerCase() })).rejects.toThrow(
    'this GR number was used before',
  );
});

test('the last day follows the open leaving, and no enrolment begins after it', async () => {
  const a = await child('Yash');
  const [own] = await school.sql(`select id, joined_on::text as day from student_enrollment where student_id = ${a}`);
  const leave = `insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
    select student_id, id, joined_on + 10, (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Asha'
    from student_enrollment where id = ${own?.id}`;
  await school.sql(leave);
  const leftOn = async () => (await school.sql(`select left_on::text as day from student where id = ${a}`))[0]?.day;
  expect(await leftOn()).not.toBeNull();
  await expect(school.sql(leave)).rejects.toThrow('student_leaving_open');
  await expect(
    school.sql(`insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id,
        admission_type, joined_on)
      select student_id, year.id, branch_id, program_id, grade_id, 'Existing', year.starts_on
      from student_enrollment own, academic_year year
      where own.id = ${own?.id} and year.starts_on > own.joined_on order by year.starts_on limit 1`),
  ).rejects.toThrow('an enrolment begins after the last day');
  await school.sql(`update student_leaving set undone_at = now(), undone_by = 'Asha' where student_id = ${a}`);
  expect(await leftOn()).toBeNull();
});

test('a leaving is not undone while its certificate is handed out', async () => {
  const a = await child('Zeel');
  await school.sql(`insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
    select student_id, id, joined_on + 10, (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Asha'
    from student_enrollment where student_id = ${a}`);
  await school.sql(`insert into student_certificate
      (kind, number, student_id, leaving_id, branch_id, issued_on, facts, made_by, handed_out_on)
    select 'Leaving', 'LC/1', student_id, leaving.id, branch_id, current_date, '{}', 'Asha', current_date
    from student_leaving leaving join student on student.id = student_id where student_id = ${a}`);
  const undo = `update student_leaving set undone_at = now(), undone_by = 'Asha' where student_id = ${a}`;
  await expect(school.sql(undo)).rejects.toThrow('the certificate was handed out');
  await school.sql(
    `update student_certificate set voided_at = now(), void_reason = 'Given back' where student_id = ${a}`,
  );
  await school.sql(undo);
});

test('the students of a day are those enrolled on it, once each, without cancelled enrolments', async () => {
  const a = await child('Wafa');
  const [own] = await school.sql(`select joined_on::text as day from student_enrollment where student_id = ${a}`);
  const on = async (day: string) =>
    (await school.sql(`select count(*)::int as n from student_on(${day}) where student_id = ${a}`))[0]?.n;
  expect(await on(`'${own?.day}'`)).toBe(1);
  expect(await on(`'${own?.day}'::date - 1`)).toBe(0);
  await school.sql(`update student_enrollment set status = 'Cancelled' where student_id = ${a}`);
  expect(await on(`'${own?.day}'`)).toBe(0);
});
