import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { gradeSubjectApi } from '#features/subject/contract/grade-subject.ts';
import { subjectMaster } from '#features/subject/contract/masters.ts';
import { sectionTeacherApi } from '#features/teaching/contract/section-teacher.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { yearMaster } from '../contract/masters.ts';
import { rollOverParts, termOutside } from '../contract/roll-over.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
afterAll(() => school.close());

let from: { id: number; start: number };
let input: { id: number; name: string; startsOn: string; endsOn: string; ageCutoffOn: string; parts: string };
beforeEach(async () => {
  const section = await plant(school, sectionMaster);
  const [gradeId, programId, academicYearId] = [section.gradeId, section.programId, section.academicYearId].map(
    Number,
  ) as [number, number, number];
  const [year] = await school.sql(
    `select extract(year from starts_on)::integer as start from academic_year where id = ${academicYearId}`,
  );
  from = { id: academicYearId, start: Number(year?.start) };
  const subject = await plant(school, subjectMaster);
  await admin.call(gradeSubjectApi.save, {
    academicYearId,
    programId,
    changes: [{ gradeId, subjectId: subject.id, before: '', after: 'C' }],
  });
  const teacher = await school.person({ name: 'Asha' });
  await admin.call(sectionTeacherApi.assign, {
    sectionId: section.id,
    role: 'Subject teacher',
    subjectId: subject.id,
    periodsPerWeek: 5,
    effectiveTo: '',
    staffId: await staffIdOf(teacher),
    effectiveFrom: `${from.start}-06-01`,
  });
  await school.sql(`insert into academic_term (academic_year_id, name, starts_on, ends_on) values
    (${academicYearId}, 'First', '${from.start}-06-01', '${from.start}-10-31'),
    (${academicYearId}, 'Second', '${from.start}-11-01', '${from.start + 1}-05-31')`);
  await school.sql(`insert into academic_calendar (academic_year_id, saturday) values (${academicYearId}, '{2,4}')`);
  await school.sql(`with slab as (insert into transport_fee_slab (name) values ('Slab of ${from.start}') returning id)
    insert into transport_slab_price (academic_year_id, slab_id, month_amount, one_way_share, months)
      select ${academicYearId}, id, 90000, 6000, '{June}' from slab`);
  await school.sql(`insert into attendance_twice (academic_year_id, grade_id) values (${academicYearId}, ${gradeId})`);
  // Other samples have consecutive years, so a new one is much later.
  const start = from.start + 700;
  input = {
    id: academicYearId,
    name: `${start}-${start + 1}`,
    parts: rollOverParts.join(','),
    startsOn: `${start}-06-01`,
    endsOn: `${start + 1}-05-31`,
    ageCutoffOn: `${start}-06-01`,
  };
});

const staffIdOf = ({ id }: Person) =>
  school.sql(`select staff_id from sign_in_account where id = ${id}`).then(([row]) => Number(row?.staff_id));
const post = (what: 'roll-over' | 'discard', id: number, body: object) =>
  admin.send({ method: 'POST', url: `/api/academic/year/${id}/${what}`, body });
const rollOver = (overrides: object = {}) => {
  const { id, ...body } = input;
  return post('roll-over', id, { ...body, ...overrides });
};
const yearOf = async (name: string) => {
  const [row] = await school.sql(
    `select id, version, year.phase, starts_on::text from academic_year year where name = '${name}'`,
  );
  return row as { id: number; version: number; phase: string } | undefined;
};
const countsOf = async (yearId: number) => {
  const tables = [
    'academic_term',
    'academic_section',
    'academic_calendar',
    'configuration_grade_subject',
    'academic_section_teacher',
    'transport_slab_price',
    'attendance_twice',
  ];
  const rows = await school.sql(
    `${tables
      .map(
        (table, n) => `select ${n} as n, count(*)::integer as count from ${table} where academic_year_id = ${yearId}`,
      )
      .join(' union all ')} order by n`,
  );
  return rows.map(({ count }) => count);
};

test('a trial says what it would do and leaves nothing; then it is done as it said, planned, and written down', async () => {
  const before = { ...(await contentsOf(school)), sign_in_session: '' };
  const trial = (await rollOver()).json;
  expect({ ...(await contentsOf(school)), sign_in_session: '' }).toEqual(before);
  expect(trial).toMatchObject({ isNew: true, isApplied: false, left: [] });
  expect(trial.parts).toEqual([
    { part: 'Terms', added: 2, alreadyThere: 0 },
    { part: 'Sections', added: 1, alreadyThere: 0 },
    { part: 'Weekly offs', added: 1, alreadyThere: 0 },
    { part: 'Subjects of grades', added: 1, alreadyThere: 0 },
    { part: 'Teachers', added: 1, alreadyThere: 0 },
    { part: 'Slab prices of transport', added: 1, alreadyThere: 0 },
    { part: 'Fee structures', added: 0, alreadyThere: 0 },
    { part: 'Seats', added: 0, alreadyThere: 0 },
    { part: 'Registers a day', added: 1, alreadyThere: 0 },
    { part: 'Leave rules', added: 0, alreadyThere: 0 },
  ]);
  const done = (await rollOver({ confirmToken: trial.confirmToken })).json;
  expect(done).toEqual({ ...trial, isApplied: true });
  const year = await yearOf(input.name);
  expect(year?.phase).toBe('Planned');
  expect(await countsOf(year?.id ?? 0)).toEqual([2, 1, 1, 1, 1, 1, 1]);
  const terms = await school.sql(`select name, starts_on::text, ends_on::text from academic_term
    where academic_year_id = ${year?.id} order by starts_on`);
  const start = from.start + 700;
  expect(terms).toEqual([
    { name: 'First', starts_on: `${start}-06-01`, ends_on: `${start}-10-31` },
    { name: 'Second', starts_on: `${start}-11-01`, ends_on: `${start + 1}-05-31` },
  ]);
  const acts = await school.sql(`select details from audit where action = 'academic-year.rolled-over'`);
  expect(acts.at(-1)?.details).toMatchObject({ to: input.name, Sections: 1, Teachers: 1 });
});

test('a copied section keeps every value of its source', async () => {
  await school.sql(`with room as (insert into academic_room (branch_id, name, kind)
      select branch_id, 'Hall', 'Classroom' from academic_section where academic_year_id = ${from.id} returning id)
    update academic_section set room_id = room.id from room where academic_year_id = ${from.id}`);
  const { confirmToken } = (await rollOver({ parts: 'Sections' })).json;
  await rollOver({ parts: 'Sections', confirmToken });
  const year = await yearOf(input.name);
  const sections = await school.sql(`select to_jsonb(own) - '{id,version,academic_year_id}'::text[] as kept
    from academic_section own where academic_year_id in (${from.id}, ${year?.id}) order by id`);
  const [source, copy] = sections.map(({ kept }) => kept);
  expect(source).toMatchObject({ room_id: expect.any(Number) });
  expect(copy).toEqual(source);
});

test('K1.5 a second time, and at once, nothing is made twice', async () => {
  const { confirmToken } = (await rollOver()).json;
  const twice = await Promise.all([rollOver({ confirmToken }), rollOver({ confirmToken })]);
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
  const again = (await rollOver()).json;
  expect([again.isNew, again.parts.map(({ added }: { added: number }) => added)]).toEqual([
    false,
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ]);
  expect((await rollOver({ confirmToken: again.confirmToken })).status).toBe(200);
  const year = await yearOf(input.name);
  expect(await countsOf(year?.id ?? 0)).toEqual([2, 1, 1, 1, 1, 1, 1]);
});

test('only what was chosen is copied, and what cannot be is named', async () => {
  const parts = 'Terms,Teachers';
  const short = { endsOn: `${from.start + 701}-04-30`, parts };
  const trial = (await rollOver(short)).json;
  expect(trial.parts.map(({ part, added }: Record<string, unknown>) => [part, added])).toEqual([
    ['Terms', 1],
    ['Teachers', 0],
  ]);
  expect(trial.left).toEqual([
    { what: 'Second', why: termOutside },
    { what: expect.stringContaining('Asha'), why: expect.objectContaining({ id: expect.stringContaining('section') }) },
  ]);
  await rollOver({ ...short, confirmToken: trial.confirmToken });
  const year = await yearOf(input.name);
  expect(await countsOf(year?.id ?? 0)).toEqual([1, 0, 0, 0, 0, 0, 0]);
});

test('a year changed since the preview is stale; an earlier, closed or overlapping year is refused', async () => {
  const { confirmToken } = (await rollOver()).json;
  await school.sql(`update academic_section set name = 'Other' where academic_year_id = ${from.id}`);
  await school.sql(`delete from academic_term where academic_year_id = ${from.id} and name = 'First'`);
  expect((await rollOver({ confirmToken })).json.error.code).toBe('stale');
  expect(await yearOf(input.name)).toBeUndefined();
  const fields = async (overrides: object) => Object.keys((await rollOver(overrides)).json.error.fields);
  expect(await fields({ startsOn: `${from.start}-07-01` })).toEqual(['startsOn']);
  expect(await fields({ endsOn: input.startsOn })).toEqual(['endsOn']);
  expect(await fields({ name: 'Next' })).toEqual(['name']);
  const other = await plant(school, yearMaster);
  expect(await fields({ startsOn: String(other.startsOn), endsOn: String(other.endsOn) })).toEqual(['startsOn']);
  await school.sql(`update academic_year set status = 'Closed' where id = ${other.id}`);
  expect(await fields({ name: String(other.name) })).toEqual(['name']);
  expect((await post('roll-over', 999_999, { ...input, id: undefined })).status).toBe(404);
});

test('a planned year is removed with all that was copied, until a student is enrolled in it', async () => {
  const { confirmToken } = (await rollOver()).json;
  await rollOver({ confirmToken });
  const year = await yearOf(input.name);
  if (!year) throw new Error('The year was not made.');
  expect((await post('discard', year.id, { version: year.version + 1 })).json.error.code).toBe('stale');
  await school.sql(`with child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select branch_id, 'D' || id, 'Dev', 'Shah', 'M', '2019-01-01' from academic_section where academic_year_id = ${year.id}
      returning id, branch_id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select child.id, ${year.id}, child.branch_id, program_id, grade_id, 'New', '${input.startsOn}'
    from child, academic_section where academic_year_id = ${year.id}`);
  const used = await post('discard', year.id, { version: year.version });
  expect([used.status, used.json.error.code]).toEqual([409, 'conflict']);
  expect(await countsOf(year.id)).toEqual([2, 1, 1, 1, 1, 1, 1]);
  await school.sql(`delete from student_enrollment where academic_year_id = ${year.id}`);
  expect((await post('discard', year.id, { version: year.version })).status).toBe(200);
  expect([await yearOf(input.name), await countsOf(year.id)]).toEqual([undefined, [0, 0, 0, 0, 0, 0, 0]]);
  await school.sql(`update academic_year set status = 'Closed' where id = ${from.id}`);
  expect((await post('discard', from.id, { version: 1 })).json.error.code).toBe('conflict');
});

test('H3 making a year leaves nothing behind whichever of its statements fails', async () => {
  const { confirmToken } = (await rollOver()).json;
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 1; ; n++) {
    const { status } = await failingAt(n, () => rollOver({ confirmToken }));
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});
