import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { digestsOf } from '#testing/digests.ts';
import { setDay } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { removeApi } from '../../contract/remove.ts';

let school: School;
let office: Person;
let section: number;
let gradeId: number;
beforeAll(async () => {
  school = await openSchool();
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('North', 'N') returning id`);
  office = await school.person({ name: 'Meena', sets: ['office'], branchIds: [Number(branch?.id)] });
  section = await openSection(school, { branchId: Number(branch?.id) });
  const [grade] = await school.sql(`select grade_id as id from academic_section where id = ${section}`);
  gradeId = Number(grade?.id);
});
afterAll(() => school.close());

const add = async (over: Record<string, unknown>, person = office) => {
  const body = {
    middleName: 'Ramesh',
    lastName: 'Iyer',
    gender: 'Girl',
    birthDate: '2018-08-04',
    admittedOn: toLocalDate(new Date()),
    gradeId,
    sectionId: section,
    ...{ branchId: '', programId: '', guardianRelationId: '', guardianFirstName: '', guardianLastName: '' },
    ...{ guardianMobile: '', guardianId: '', siblingId: '', grNo: '', isOtherChild: true },
    ...over,
  };
  const { status, json } = await person.send({ method: 'POST', url: '/api/student', body });
  expect([status, json]).toMatchObject([200, { id: expect.any(Number) }]);
  return json as { id: number; grNo: string };
};
const digests = () => digestsOf(school);
const fresh = (id: number) => ({ id, version: 1, reason: '', sameGrNo: '' });
const mark = async (id: number) => {
  await setDay(school, toLocalDate(new Date()), 'Working day');
  await school.sql(`with register as (
      insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, taken_by,
        taken_at, locks_at)
      select academic_year_id, branch_id, program_id, grade_id, id, current_date, ${office.staffId}, now(), now()
      from academic_section where id = ${section} returning id, academic_year_id, day, half)
    insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
    select id, ${id}, academic_year_id, day, half, (select min(id) from attendance_code) from register`);
};

test('Q1.5 who added a child takes it back at once: child, adult, seat and roll number go, and the GR number is spent', async () => {
  const before = await digests();
  const child = await add({ firstName: 'Slip', guardianMobile: '5550201901', guardianFirstName: 'Ramesh' });
  const preview = await office.call(removeApi.remove, fresh(child.id));
  expect(preview.blocks).toEqual([]);
  expect(preview.goes.map(({ id }) => id)).toEqual([
    'Adults without another child who go: {names}',
    'A seat in {section} and roll number {roll} are free.',
    'GR {number} is never given again.',
  ]);
  await office.call(removeApi.remove, { ...fresh(child.id), confirmToken: preview.confirmToken ?? '' });
  expect(await digests()).toEqual(before);
  expect(await school.sql(`select gr_no, reason, spent_by from student_gr_spent`)).toEqual([
    { gr_no: child.grNo, reason: 'Entered by mistake', spent_by: 'Meena' },
  ]);
  const next = await add({ firstName: 'Next' });
  expect(Number(next.grNo)).toBe(Number(child.grNo) + 1);
});

test('Q1.5 an adult with another child stays, and so does one whom another record needs', async () => {
  const first = await add({ firstName: 'Deepika', guardianMobile: '5550201902', guardianFirstName: 'Priya' });
  const second = await add({ firstName: 'Surya', siblingId: first.id });
  const { confirmToken } = await office.call(removeApi.remove, fresh(second.id));
  await office.call(removeApi.remove, { ...fresh(second.id), confirmToken: confirmToken ?? '' });
  expect(await school.sql(`select first_name from guardian where mobile = '5550201902'`)).toEqual([
    { first_name: 'Priya' },
  ]);
});

test('Q1.5 a record with a mark is not removed: the preview names the mark and applies nothing', async () => {
  const child = await add({ firstName: 'Marked' });
  await mark(child.id);
  const preview = await office.call(removeApi.remove, fresh(child.id));
  expect(preview).toMatchObject({ isUsed: true, confirmToken: null });
  expect(preview.blocks.map(english)).toEqual(['Marks of attendance: 1']);
});

test('Q1.5 another day or another person needs a reason, or the GR number of the other record', async () => {
  const kept = await add({ firstName: 'Kept', birthDate: '2016-01-01' });
  const child = await add({ firstName: 'Kept', birthDate: '2016-01-01' });
  const colleague = await school.person({ role: 'Admin' });
  const refusal = async (over: object) => {
    const { id, ...body } = { ...fresh(child.id), ...over };
    const { json } = await colleague.send({ method: 'POST', url: `/api/student/${id}/remove`, body });
    return json.error?.fields;
  };
  expect(await refusal({})).toEqual({ reason: expect.stringContaining('Enter why') });
  expect(await refusal({ sameGrNo: '999999' })).toEqual({ sameGrNo: 'No other student has this GR number.' });
  const input = { ...fresh(child.id), sameGrNo: `GR ${kept.grNo}` };
  const { confirmToken } = await colleague.call(removeApi.remove, input);
  await colleague.call(removeApi.remove, { ...input, confirmToken: confirmToken ?? '' });
  expect(await school.sql(`select student_id, reason from student_gr_spent where gr_no = '${child.grNo}'`)).toEqual([
    { student_id: kept.id, reason: `Entered twice, see GR ${kept.grNo}` },
  ]);
});

test('Q1.5 a search for the number of a removed record says why it is spent, and leads to the record that is kept', async () => {
  const kept = await add({ firstName: 'Meera', birthDate: '2016-02-02' });
  const child = await add({ firstName: 'Meera', birthDate: '2016-02-02', grNo: '88123' });
  const input = { ...fresh(child.id), sameGrNo: kept.grNo };
  const { confirmToken } = await office.call(removeApi.remove, input);
  await office.call(removeApi.remove, { ...input, confirmToken: confirmToken ?? '' });
  const { json } = await office.send({ url: `/api/search?search=${child.grNo}` });
  expect(JSON.stringify(json)).toContain(`Entered twice, see GR ${kept.grNo}`);
  expect(JSON.stringify(json)).toContain(`student/student-list/${kept.id}`);
});
