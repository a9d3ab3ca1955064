import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { makePlan } from '#features/fee-price/api.ts';
import { type Browser, openBrowser, type Person, signIn } from '../browser.ts';
import { type App, startApp } from '../faults/app.ts';
import { plant } from '../masters.ts';
import { openPrices, type Prices } from '../prices.ts';
import { openOwnSchool, type Postgres, type School } from '../school.ts';
import { raise, seat } from '../seated.ts';
import { teach } from '../teachers.ts';
import { openTickets } from '../tickets.ts';
import { addCrew, openFleet } from '../transport.ts';

/** A section of one of the two years, with the session of its class teacher. */
export interface YearSection {
  id: number;
  gradeId: number;
  isOfNext: boolean;
  teacher: Person;
}

type Desk = 'admin' | 'office' | 'head' | 'principal' | 'accountant' | 'incharge' | 'technician';

/** A school that lives the end of one year and the beginning of the next, on a clock of its own, at a real server. */
export interface YearSchool {
  school: School;
  app: App;
  prices: Prices;
  years: Record<'old' | 'next', { id: number; startsOn: string; endsOn: string }>;
  /** From the lowest to the final one. */
  grades: number[];
  sections: YearSection[];
  people: Record<Desk, Person>;
  fleet: { trip: number; stops: readonly number[] };
  /** What each class teacher teaches in the own section. */
  subjectId: number;
  /** The category of the tickets. */
  repairs: number;
  /** Sets the clock of the school: a day, and a time in India. */
  clockAt: (day: string, time?: string) => void;
  close: () => Promise<void>;
}

const years = {
  old: { startsOn: '2044-04-01', endsOn: '2045-03-31' },
  next: { startsOn: '2045-04-01', endsOn: '2046-03-31' },
};

interface Size {
  grades?: number;
  /** In each of the two sections of a grade. */
  children?: number;
  /** The first day that is lived. */
  from?: string;
  /** The database server, where the test kills it. */
  postgres?: Postgres;
}

/** Makes grades with two sections each, their prices, plans and class teachers for both years. */
export async function openYearSchool({
  grades: gradeCount = 3,
  children = 15,
  from = '2045-03-18',
  postgres,
}: Size = {}): Promise<YearSchool> {
  const folder = mkdtempSync(join(tmpdir(), 'shala-year-'));
  const file = join(folder, 'clock');
  const school = await openOwnSchool({ SHALA_CLOCK: file }, postgres);
  const clockAt = (day: string, time = '08:00') => {
    const now = new Date(`${day}T${time}:00+05:30`);
    school.clock.now = now;
    writeFileSync(file, String(Math.round((now.getTime() - Date.now()) / 1000)));
  };
  clockAt(from);
  await school.person();
  const prices = await openPrices(school);
  const next = await openNextYear(school);
  const grades = await openGrades(school, prices, gradeCount);
  const app = await startApp(school, { environment: { SHALA_CLOCK: file } });
  const tickets = await openTickets(school);
  const person = async (asked: Parameters<School['person']>[0]) => atServer(app, await school.person(asked));
  const people = {
    admin: await person({ name: 'Kiran', role: 'Admin' }),
    office: await person({ name: 'Meena', sets: ['office'] }),
    head: await person({ name: 'Hasmukh', sets: ['office', 'admissionHead'] }),
    principal: await person({ name: 'Nilesh', sets: ['principal'] }),
    accountant: await person({ name: 'Farida', sets: ['accountant'] }),
    incharge: await person({ name: 'Ramesh', sets: ['transportIncharge'] }),
    technician: atServer(app, await tickets.member(tickets.maintenance, { name: 'Dinesh' })),
  };
  const sections = await openSections(school, prices, { next, grades, person, capacity: children + 3 });
  await openChildren(school, prices, sections, children);
  return {
    school,
    app,
    prices,
    years: { old: { id: prices.place.academicYearId, ...years.old }, next: { id: next, ...years.next } },
    grades,
    sections,
    people,
    fleet: await openBuses(school),
    subjectId: await idOf(school, `select id from configuration_subject where code = 'ART'`),
    repairs: await tickets.category('Repairs'),
    clockAt,
    close: async () => {
      await app.kill();
      await school.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same session at the server that is killed. */
export function atServer(app: App, person: Person): Person {
  const browser: Browser = openBrowser(app);
  for (const [name, value] of person.cookies) browser.cookies.set(name, value);
  return { ...person, ...browser };
}

/** Signs everybody in again: unused sessions end by the machine's clock. */
export async function signInAll({ school, people, sections }: YearSchool): Promise<void> {
  const { admin, ...staff } = people;
  await signIn(school, admin, 'Admin');
  for (const person of new Set([...Object.values(staff), ...sections.map(({ teacher }) => teacher)]))
    await signIn(school, person, 'Staff');
}

const idOf = async ({ sql }: Pick<School, 'sql'>, statement: string) => Number((await sql(statement))[0]?.id);

const openNextYear = (school: School) =>
  idOf(
    school,
    `insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('2045-2046', '${years.next.startsOn}', '${years.next.endsOn}', '2045-06-01') returning id`,
  );

async function openGrades(school: School, { place }: Prices, count: number): Promise<number[]> {
  const grades = [place.gradeId];
  while (grades.length < count) grades.push((await plant(school, gradeMaster)).id);
  for (const [at, id] of grades.entries())
    await school.sql(`update academic_grade set next_grade_id = ${grades[at + 1] ?? null} where id = ${id}`);
  return grades;
}

/** Sections A and B of each grade in both years, each with a class teacher who keeps the letter. */
async function openSections(
  school: School,
  { place }: Prices,
  {
    next,
    grades,
    person,
    capacity,
  }: { next: number; grades: number[]; person: (asked: object) => Promise<Person>; capacity: number },
): Promise<YearSection[]> {
  const sections: YearSection[] = [];
  for (const gradeId of grades)
    for (const letter of ['A', 'B']) {
      const teacher = await person({ name: `Teacher of ${letter}` });
      for (const yearId of [place.academicYearId, next]) {
        const id = await idOf(
          school,
          `insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
            values (${yearId}, ${place.branchId}, ${gradeId}, ${place.programId}, '${letter}', ${capacity}, 'English') returning id`,
        );
        await teach(school, teacher, { sectionId: id });
        sections.push({ id, gradeId, isOfNext: yearId === next, teacher });
      }
    }
  const ids = sections.map(({ id }) => id).join(', ');
  await school.sql(`
    insert into configuration_subject (name, code, short_name, kind) values ('Art', 'ART', 'Art', 'Scholastic');
    insert into configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id, is_compulsory)
      select distinct academic_year_id, program_id, grade_id, (select max(id) from configuration_subject), false
      from academic_section where id in (${ids});
    insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role,
        subject_id, effective_from)
      select academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, 'Subject teacher',
        (select max(id) from configuration_subject), effective_from
      from academic_section_teacher where section_id in (${ids})`);
  return sections;
}

/** Families of two children in neighbouring sections, with roll numbers, and a plan in each grade's prices. */
async function openChildren(
  school: School,
  prices: Prices,
  sections: readonly YearSection[],
  childrenInSection: number,
) {
  const old = sections.filter(({ isOfNext }) => !isOfNext);
  const places: number[][] = [];
  for (const [at, { id }] of old.entries()) {
    const seated: number[] = [];
    for (let child = 0; child < childrenInSection; child += 1)
      seated.push(await seat(school, id, `Child${at}x${child}`, { gender: child % 2 ? 'F' : 'M' }));
    places.push(seated);
  }
  for (let family = 0; family < old.length / 2; family += 1)
    for (let child = 0; child < childrenInSection; child += 1) {
      const own = [places[2 * family]?.[child] ?? 0, places[2 * family + 1]?.[child] ?? 0];
      const mobile = String(9_876_500_000 + family * childrenInSection + child);
      await raise(school, own, { firstName: `Ravi${family}x${child}`, mobile });
    }
  await school.sql(`with ranked as (select id, row_number() over (partition by section_id order by id) as roll
      from student_section)
    update student_section set roll_no = roll from ranked where ranked.id = student_section.id`);
  for (const gradeId of new Set(old.map((section) => section.gradeId)))
    if (gradeId !== prices.place.gradeId) await prices.publish({ gradeId, tuition: 66_000, name: `Prices ${gradeId}` });
  await copyPrices(school, prices, sections);
  const ctx = school.context();
  for (const student of places.flat())
    await school.services.db
      .transaction()
      .execute((db) => makePlan({ ...ctx, db }, student, prices.place.academicYearId, { actor: 'Test' }));
}

/** The same prices for the next year, published. */
async function copyPrices({ sql }: School, { place, publish }: Prices, sections: readonly YearSection[]) {
  const next = sections.find(({ isOfNext }) => isOfNext);
  const [year] = await sql(`select academic_year_id as id from academic_section where id = ${next?.id}`);
  const old = place.academicYearId;
  place.academicYearId = Number(year?.id);
  for (const gradeId of new Set(sections.map((section) => section.gradeId)))
    await publish({ gradeId, tuition: 72_000, name: `Next ${gradeId}` });
  place.academicYearId = old;
}

/** A bus with ten seats that costs the same in both years. */
async function openBuses(school: School) {
  const { pickup, stops } = await openFleet(school, { seats: 10 });
  await addCrew(school);
  await school.sql(`alter table transport_slab_price disable trigger lowered;
    insert into transport_slab_price (academic_year_id, slab_id, month_amount, one_way_share, months)
      select year.id, stop.slab_id, 150000, 6000, '{June,July,August,September,October,November,December,January}'
      from academic_year year, transport_stop stop
      where year.name in ('2044-2045', '2045-2046') and stop.id = ${stops[0]} on conflict do nothing;
    alter table transport_slab_price enable trigger lowered`);
  return { trip: pickup.trip, stops };
}
