import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { linkValueOf } from '#testing/family.ts';
import { otherPlaces, type PlacesAsked, placeOperations, type Said, type Shown, saysPlace } from '#testing/places.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { plantTicket } from '#testing/tickets.ts';
import { openFleet } from '#testing/transport.ts';
import { allRoutes } from './server.ts';

const names = ['moved', 'promoted', 'detained', 'left', 'undecided', 'joining'] as const;
type Name = (typeof names)[number];
/** All three are school days. */
const days = ['2044-05-31', '2044-06-01', '2044-06-02'] as const;
const birthDate = '2019-01-01';

let school: School;
let folder: string;
let people: Record<'admin' | 'office' | 'principal' | 'accountant' | 'incharge', Person>;
let ids: Record<Name, number>;
/** Of 2043-44, and the next grade and the same one of 2044-45. */
let sections: Record<'old' | 'next' | 'other' | 'again', number>;
let guardian: number;
let tickets: number[];

const clockAt = (day: string) => {
  const now = new Date(`${day}T06:00:00Z`);
  school.clock.now = now;
  writeFileSync(join(folder, 'clock'), String(Math.round((now.getTime() - Date.now()) / 1000)));
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shala-places-'));
  school = await openOwnSchool({ SHALA_CLOCK: join(folder, 'clock') });
  clockAt(days[0]);
  people = {
    admin: await school.person({ role: 'Admin' }),
    office: await school.person({ sets: ['office'] }),
    principal: await school.person({ sets: ['principal'] }),
    accountant: await school.person({ sets: ['accountant'] }),
    incharge: await school.person({ sets: ['transportIncharge'] }),
  };
  sections = {
    old: await openSection(school, { day: `date '2043-07-01'` }),
    next: await openSection(school, { day: `date '2044-07-01'` }),
    other: await openSection(school, { day: `date '2044-07-01'` }),
    again: await openSection(school, { day: `date '2044-07-01'` }),
  };
  await school.sql(`update academic_section set grade_id = (select id from academic_grade order by id offset 1 limit 1)
    where id in (${sections.next}, ${sections.other})`);
  for (const section of Object.values(sections))
    await teach(school, await school.person({ name: `Teacher of ${section}` }), { sectionId: section });
  await plantChildren();
  await plantRows();
});
afterAll(async () => {
  await school.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Six girls of one name, birth day and family, so that every question about doubles finds them; one has no last name. */
async function plantChildren() {
  const child = (section: number, lastName = 'Shah') => seat(school, section, 'Asha', { birthDate, lastName });
  ids = {
    moved: await child(sections.old),
    promoted: await child(sections.old),
    detained: await child(sections.old, ''),
    left: await child(sections.old),
    undecided: await child(sections.old),
    joining: await child(sections.next),
  };
  const { moved, left } = ids;
  await school.sql(`update student_section set roll_no = student_id - ${moved} + 1`);
  await enrol(moved, sections.next, 21);
  await enrol(ids.promoted, sections.next, 22);
  await enrol(ids.detained, sections.again, 23);
  await school.sql(`
    update student_section set effective_to = '${days[1]}' where student_id = ${moved} and section_id = ${sections.next};
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
        effective_from, roll_no)
      select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, ${sections.other},
        '${days[2]}', 31
      from student_section where student_id = ${moved} and section_id = ${sections.next};
    update student_section set effective_to = '2044-02-10' where student_id = ${left};
    update student_enrollment set status = 'Left', left_on = '2044-02-10' where student_id = ${left};
    insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
      select ${left}, id, '2044-02-10', (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Asha'
      from student_enrollment where student_id = ${left}`);
  guardian = await raise(school, Object.values(ids), { firstName: 'Nikhil', mobile: '9825000001' });
}

/** Enrols a child of 2043-44 in a section of 2044-45. */
const enrol = (student: number, section: number, roll: number) =>
  school.sql(`
    with own as (insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id,
        admission_type, joined_on)
      select ${student}, academic_year_id, branch_id, program_id, grade_id, 'Existing', year.starts_on
      from academic_section section join academic_year year on year.id = section.academic_year_id
      where section.id = ${section} returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
        effective_from, roll_no)
      select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${section}, joined_on, ${roll} from own`);

/** What other features have of each child: an account, a concession and a leave in each year, a ride, a ticket. */
async function plantRows() {
  const staff = people.principal.staffId;
  await school.sql(`
    insert into fee_account (student_id) select id from student;
    insert into fee_discount (name, code, value_kind, all_heads, eligibility, priority, needs_approval)
      values ('Merit', 'MERIT', 'Full waiver', true, 'Merit', 1, false);
    insert into fee_concession (student_id, academic_year_id, discount_id, source, effective_from, effective_to, status)
      select own.student_id, year.id, (select min(id) from fee_discount), 'Suggested', year.starts_on, year.ends_on, 'Suggested'
      from student_enrollment own join academic_year year on year.id = own.academic_year_id;
    insert into attendance_leave (academic_year_id, student_id, from_day, to_day, kind, state, halves, counted, noted_by,
        noted_at)
      select academic_year_id, student_id, joined_on, joined_on, 'Family', 'Granted', 2, 2, ${staff}, now()
      from student_enrollment`);
  // Without an elective in the school, the operation about electives reads no sections.
  await school.sql(`
    insert into configuration_subject (name, code, short_name, kind) values ('Art', 'ART', 'Art', 'Scholastic');
    insert into configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id, is_compulsory)
      select distinct academic_year_id, program_id, grade_id, (select max(id) from configuration_subject), false
      from academic_section where id in (${Object.values(sections).join(', ')})`);
  const { pickup, stops } = await openFleet(school, { seats: 9 });
  await school.sql(`
    insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, billed_from, fee)
      select student_id, ${pickup.trip}, ${stops[0]}, min(joined_on), min(joined_on), 'Free' from student_enrollment
      where status <> 'Left' group by student_id;
    insert into transport_stop_change (request_no, student_id, action, effective_from, reason, requested_by, requested_at)
      select 'SC' || id - ${ids.moved}, id, 'Stop', '2044-08-01', 'Moved', ${staff}, now() from student`);
  tickets = [];
  for (const id of Object.values(ids)) {
    const ticket = await plantTicket(school, staff);
    await school.sql(`update ticket set about_student_id = ${id} where id = ${ticket}`);
    tickets.push(ticket);
  }
}

/** What the school's screens are asked on a day. */
async function asked(day: string): Promise<PlacesAsked> {
  clockAt(day);
  const [year] =
    await school.sql(`select id, starts_on::text as "startsOn", ends_on::text as "endsOn" from academic_year
    where '${day}' between starts_on and ends_on`);
  const held = await school.sql(`select id, grade_id as "gradeId", program_id as "programId" from academic_section
    where academic_year_id = ${year?.id} and id in (${Object.values(sections).join(', ')}) order by id`);
  const children = await school.sql(
    `select id, gr_no as "grNo", name, birth_date::text as "birthDate" from student order by id`,
  );
  return {
    children: children as unknown as PlacesAsked['children'],
    year: { ...year, sections: held } as unknown as PlacesAsked['year'],
    programId: Number(held[0]?.programId),
    tickets,
    ...people,
    family: school.browser(),
    link: await linkValueOf(school, guardian),
  };
}

const nameOf = async (section: number) => {
  const [row] = await school.sql(`select academic_section_name(grade.name, section.name) as name
    from academic_section section join academic_grade grade on grade.id = section.grade_id where section.id = ${section}`);
  return String(row?.name);
};

test('U1.1 every operation that says where a child is, is asked or says why not', () => {
  const saying = allRoutes
    .map(({ endpoint }) => endpoint)
    .filter(saysPlace)
    .map(({ method, path }) => `${method} ${path}`);
  const known = [...Object.keys(placeOperations), ...Object.keys(otherPlaces)];
  expect(saying.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !saying.includes(name))).toEqual([]);
});

/** Where each child is on each day, with its roll number. */
const expected: Record<Name, readonly [section: keyof typeof sections, rollNo: number][]> = {
  moved: [
    ['old', 1],
    ['next', 21],
    ['other', 31],
  ],
  promoted: [
    ['old', 2],
    ['next', 22],
    ['next', 22],
  ],
  detained: [
    ['old', 3],
    ['again', 23],
    ['again', 23],
  ],
  left: [
    ['old', 4],
    ['old', 4],
    ['old', 4],
  ],
  undecided: [
    ['old', 5],
    ['old', 5],
    ['old', 5],
  ],
  joining: [
    ['next', 6],
    ['next', 6],
    ['next', 6],
  ],
};

/** The children whom an operation leaves out, for operations that show only some of the six. */
const isShown: Record<Shown, (name: Name, isLastDay: boolean) => boolean> = {
  all: () => true,
  year: (name, isLastDay) => (isLastDay ? name !== 'joining' : name !== 'left' && name !== 'undecided'),
  roll: (name, isLastDay) => name !== 'left' && name !== (isLastDay ? 'joining' : 'undecided'),
  bus: (name, isLastDay) => name !== 'left' && !(isLastDay && name === 'joining'),
  undecided: (name, isLastDay) => name === 'undecided' && !isLastDay,
  family: (name, isLastDay) => name !== 'left' && !(isLastDay && name === 'joining'),
};

test.each(days)('U1.1 on %s each of them says one place of each child', async (day) => {
  const facts = await asked(day);
  const at = days.indexOf(day);
  const placed = await Promise.all(
    names.map(async (name) => {
      const [section, rollNo] = expected[name][at] ?? ['old', 0];
      const place = await nameOf(sections[section]);
      return { name, place, section: place.split(', ')[1], rollNo, classTeacher: `Teacher of ${sections[section]}` };
    }),
  );
  for (const [operation, { shows, read }] of Object.entries(placeOperations)) {
    const heard = await read(facts);
    const answers = placed.map(({ name, ...place }) => {
      const said = heard.filter(([id]) => id === ids[name]).map(([, one]) => one);
      const isRight = (one: Said) => Object.entries(one).every(([part, word]) => word === place[part as keyof Said]);
      if (isShown[shows](name, at === 0)) return said.length > 0 && said.every(isRight) ? [] : [{ name, place, said }];
      return said.length > 0 ? [{ name, place: 'not shown', said }] : [];
    });
    expect({ operation, wrong: answers.flat() }).toEqual({ operation, wrong: [] });
  }
});
