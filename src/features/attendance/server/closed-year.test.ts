import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';

let school: School;
let office: Person;
let clerk: Person;
let principal: Person;
let section: number;
let child: number;
/** Its 194 school days with a register, the child absent on the last fourteen. */
let days: string[];
let ids: Record<string, number>;

const closed = '2019-20 was closed on 12 Jun 2020.';

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  clerk = await school.person({ sets: ['office'] });
  principal = await school.person({ sets: ['principal'] });
  section = await openSection(school, { day: `date '2019-07-01'` });
  await teach(school, await school.person(), { sectionId: section });
  child = await seat(school, section, 'Aarav');
  ids = Object.fromEntries(
    (await school.sql('select code, id from attendance_code')).map(({ code, id }) => [String(code), Number(id)]),
  );
  const found = await school.sql(`select own.day::text as day from academic_section section
    join academic_year year on year.id = section.academic_year_id
    cross join lateral academic_school_days(year.id, year.starts_on, year.ends_on) own
    where section.id = ${section} and own.grade_id = section.grade_id and own.work = 2 order by own.day desc limit 194`);
  days = found.map(({ day }) => String(day)).toSorted();
  await school.sql(`
    insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, taken_at, locks_at)
      select academic_year_id, branch_id, program_id, grade_id, id, day, now(), now() - interval '1 minute'
      from academic_section, unnest('{${days.join(',')}}'::date[]) as day where id = ${section};
    insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
      select id, ${child}, academic_year_id, day, half, case when day >= '${days[180]}' then ${ids.A} else ${ids.P} end
      from attendance_register where section_id = ${section}`);
  await school.sql(`update academic_year set status = 'Closed', closed_at = '2020-06-12T06:00:00Z', closed_by = 'Test'
    where id = (select academic_year_id from academic_section where id = ${section})`);
  school.clock.now = new Date('2020-06-14T06:00:00Z');
});
afterAll(() => school.close());

const lastDay = () => days.at(-1) ?? '';
const ask = (who: Person, day: string) =>
  who.send({
    method: 'POST',
    url: '/api/attendance/correction',
    body: {
      sectionId: section,
      day,
      studentId: child,
      codeId: ids.P,
      arrivedAt: '',
      reason: 'Was at a competition.',
    },
  });
const requestId = async () =>
  Number((await school.sql(`select max(id) as id from approval where status = 'Pending'`))[0]?.id);
const decide = async (who: Person, id: number) => {
  const read = await who.send({ url: `/api/approval/${id}` });
  if (read.status !== 200 || !read.json.may.decide) return 'not theirs';
  const { version, seen } = read.json;
  const body = { version, seen, outcome: 'Approved', remark: '' };
  const done = await who.send({ method: 'POST', url: `/api/approval/${id}/decide`, body });
  return done.status === 200 ? 'done' : done.json.error.message;
};

/** The percentage on the screens and in the file that have it, and the day's register. */
async function shown() {
  const get = async (url: string) => (await office.send({ url: `/api${url}` })).json;
  const factOf = ({ facts }: { facts: { value: never }[] }) => (facts[0] ? english(facts[0].value) : '');
  const finder = await get(`/report/student?tab=all&search=Aarav`);
  const month = await get(`/attendance/month?sectionId=${section}&month=2020-05`);
  const file = await office.send({ url: `/api/attendance/month/file?sectionId=${section}&month=2020-05&as=csv` });
  const register = await get(`/attendance/register?sectionId=${section}&day=${lastDay()}`);
  return {
    record: factOf(await get(`/student/${child}/card/attendance`)),
    report: factOf(await get(`/report/student/${child}/card/attendance`)),
    finder: finder.rows[0].attendance,
    month: month.children[0].yearPerMille,
    file: file.text
      .split('\n')
      .find((line) => line.includes('Aarav'))
      ?.match(/"([^"]*)"\r?$/)?.[1],
    register: [register.mayTake, register.mayCorrect, register.children[0].mark.codeId],
  };
}

test('U1.11 a mark of a closed year changes by a correction that the principal approves, and every screen follows', async () => {
  const before = '92.8 % of 194 days';
  expect(await shown()).toEqual({
    record: before,
    report: before,
    finder: 9280,
    month: 928,
    file: '92.8',
    register: [false, true, ids.A],
  });
  expect((await ask(office, lastDay())).status).toBe(200);
  const id = await requestId();
  expect(await decide(clerk, id)).toBe('not theirs');
  expect(await decide(principal, id)).toBe('done');
  const after = '93.3 % of 194 days';
  expect(await shown()).toEqual({
    record: after,
    report: after,
    finder: 9330,
    month: 933,
    file: '93.3',
    register: [false, true, ids.P],
  });
});

test('U1.11 whatever else is written into a closed year is refused with the year, the day of closing and the way', async () => {
  const admin = await school.person({ role: 'Admin' });
  const incharge = await school.person({ sets: ['transportIncharge'] });
  const [year] = await school.sql(`select year.id, own.day::text as day, (select id from student_enrollment
      where student_id = ${child}) as enrollment
    from academic_section section join academic_year year on year.id = section.academic_year_id
    cross join lateral academic_school_days(year.id, year.starts_on, year.ends_on) own
    where section.id = ${section} and own.grade_id = section.grade_id and own.work = 2 order by own.day limit 1`);
  const [slab] = await school.sql(`insert into transport_fee_slab (name) values ('Near') returning id`);
  const ofYear = { academicYearId: Number(year?.id) };
  const asked: [Person, string, object][] = [
    [
      office,
      '/attendance/register',
      {
        sectionId: section,
        day: year?.day,
        rowVersion: 0,
        marks: [{ studentId: child, codeId: ids.P, arrivedAt: '' }],
      },
    ],
    [
      admin,
      '/academic/section-student',
      { ...ofYear, sectionId: null, enrollmentIds: [Number(year?.enrollment)], from: lastDay(), reason: 'Moved' },
    ],
    [
      incharge,
      '/transport/slab-price',
      { ...ofYear, slabId: Number(slab?.id), monthAmount: 100_000, oneWayShare: 6000, months: 'June' },
    ],
  ];
  for (const [who, url, body] of asked) {
    const { status, json } = await who.send({ method: 'POST', url: `/api${url}`, body });
    const { message, fields } = json.error;
    expect([url, status >= 400 && status < 500, ...Object.values(fields ?? { message })]).toEqual([
      url,
      true,
      `${closed} An Admin can reopen it.`,
    ]);
  }
  // The database refuses the same, and a mark without a correction.
  const marked = school.sql(`update attendance_mark set code_id = ${ids.A} where student_id = ${child}
    and day = '${days[0]}'`);
  await expect(marked).rejects.toMatchObject({
    constraint: 'academic_year_is_closed',
    detail: expect.stringMatching(/"2019-20".*"2020-06-12".*"correction"/),
  });
});
