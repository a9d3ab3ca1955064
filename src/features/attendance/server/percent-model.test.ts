import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { percentOf } from '#features/attendance/api.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { addDays } from '#kit/server/day.ts';
import { type Random, randomFrom } from '#kit/server/random.ts';
import { miscounted, mistotalled } from '#testing/attendance-counts.ts';
import { plant } from '#testing/masters.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';

// A year of a school by chance, in SQL, beside a model of maps and lists: both must come to the same percentages.

let school: School;
beforeAll(async () => {
  school = await openOwnSchool();
  await school.sql(`insert into attendance_code (code, key, name, kind, value, counts_in_total, position)
    values ('EX', 'E', 'Excused', 'Leave', 0, false, 90)`);
});
afterAll(() => school.close());

/** What a code is worth, in half days; null where it does not count. */
const worths: Record<string, number | null> = { P: 2, A: 0, L: 2, HD: 1, LV: 0, OD: 2, EX: null };
const codes = ['P', 'P', 'P', 'P', 'P', 'P', 'P', 'P', 'A', 'A', 'L', 'HD', 'LV', 'OD', 'EX'];

interface Section extends EnrolmentPlace {
  id: number;
  /** Has a register for each half of the day. */
  isTwice: boolean;
}
interface Spell {
  sectionId: number;
  from: string;
  to: string;
}
interface Stay {
  enrollment: number;
  gradeId: number;
  from: string;
  to: string;
  status: 'Active' | 'Left' | 'Transferred';
  spells: Spell[];
}
interface Child {
  id: number;
  stays: Stay[];
}
interface Mark {
  child: number;
  section: Section;
  day: string;
  slot: string;
  code: string;
}

const never = '9999-12-31';
const sqlDay = (day: string) => (day === never ? 'null' : `'${day}'`);
const isOn = (day: string, { from, to }: { from: string; to: string }) => from <= day && day <= to;
const halfOf = (slot: string) => (slot === 'Afternoon' ? 2 : 1);
const slotsOf = ({ isTwice }: Section) => (isTwice ? ['Morning', 'Afternoon'] : ['Full day']);

class Year {
  readonly children: Child[] = [];
  readonly marks = new Map<string, Mark>();
  readonly registers = new Set<string>();
  /** Kinds of days, by grade and day; grade 0 is the school. */
  readonly entries = new Map<string, string>();
  readonly random: Random;
  readonly sections: readonly Section[];
  readonly yearId: number;
  readonly first: string;

  constructor(random: Random, sections: readonly Section[], yearId: number, first: string) {
    this.random = random;
    this.sections = sections;
    this.yearId = yearId;
    this.first = first;
  }

  work(gradeId: number, day: string): number {
    const kind = this.entries.get(`${gradeId} ${day}`) ?? this.entries.get(`0 ${day}`);
    if (kind === undefined) return new Date(`${day}T00:00:00Z`).getUTCDay() === 0 ? 0 : 2;
    return kind === 'Working day' ? 2 : kind === 'Half day' ? 1 : 0;
  }

  weight(section: Section, day: string, slot: string): number {
    const work = this.work(section.gradeId, day);
    return slot === 'Full day' ? work : slot === 'Morning' ? Math.min(work, 1) : Math.max(work - 1, 0);
  }

  sectionOf(child: Child, day: string): number | undefined {
    return child.stays.flatMap(({ spells }) => spells).find((spell) => isOn(day, spell))?.sectionId;
  }

  mayMark({ id }: Child, day: string, slot: string): boolean {
    if (this.marks.has(`${id} ${day} ${halfOf(slot)}`)) return false;
    const other = this.marks.get(`${id} ${day} ${3 - halfOf(slot)}`);
    return other === undefined || (slot !== 'Full day' && other.slot !== 'Full day');
  }

  totals({ id, stays }: Child) {
    const sums = { worth: 0, share: 0, absent: 0 };
    for (const mark of this.marks.values()) {
      const value = worths[mark.code];
      const weight = this.weight(mark.section, mark.day, mark.slot);
      if (mark.child !== id || value == null || weight === 0 || !stays.some((stay) => isOn(mark.day, stay))) continue;
      sums.worth += weight * value;
      sums.share += weight * 2;
      if (mark.code === 'A') sums.absent += weight * 2;
    }
    return sums;
  }

  /** Half days in a section without a register or a mark. */
  notTaken(child: Child, last: string): number {
    let halves = 0;
    for (let day = this.first; day <= last; day = addDays(day, 1)) {
      const section = this.sections.find(({ id }) => id === this.sectionOf(child, day));
      if (!section) continue;
      halves += this.work(section.gradeId, day);
      for (const half of [1, 2]) {
        const own = slotsOf(section).find(
          (slot) => halfOf(slot) === half && this.registers.has(`${section.id} ${day} ${slot}`),
        );
        const mark = this.marks.get(`${child.id} ${day} ${half}`);
        if (own) halves -= this.weight(section, day, own);
        else if (mark && mark.section.id !== section.id) halves -= this.weight(mark.section, day, mark.slot);
      }
    }
    return halves;
  }
}

/** Places a child in a section from a day, in the database and the model. */
async function place(child: Child, section: Section, from: string, stay?: Stay) {
  const own: Stay = stay ?? {
    enrollment: Number(
      (
        await school.sql(`insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id,
            admission_type, joined_on)
          values (${child.id}, ${section.academicYearId}, ${section.branchId}, ${section.programId}, ${section.gradeId}, 'New',
            '${from}') returning id`)
      )[0]?.id,
    ),
    gradeId: section.gradeId,
    from,
    to: never,
    status: 'Active',
    spells: [],
  };
  if (!stay) child.stays.push(own);
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
      section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${section.id}, '${from}'
    from student_enrollment where id = ${own.enrollment}`);
  own.spells.push({ sectionId: section.id, from, to: never });
}

/** Ends the last spell of a stay, and the stay itself if it gets a status. */
async function end(stay: Stay, day: string, status?: Stay['status']) {
  const spell = stay.spells.at(-1);
  if (!spell) return;
  await school.sql(`update student_section set effective_to = ${sqlDay(day)}
      where enrollment_id = ${stay.enrollment} and effective_from = '${spell.from}';
    ${status ? `update student_enrollment set status = '${status}', left_on = ${sqlDay(day)} where id = ${stay.enrollment};` : ''}`);
  spell.to = day;
  if (status) Object.assign(stay, { status, to: day });
}

async function join(year: Year, day: string) {
  const section = year.random.oneOf(year.sections);
  const enrollment = await enroll(school, section, 'Aarav', { joinedOn: day });
  const [row] = await school.sql(`select student_id as id from student_enrollment where id = ${enrollment}`);
  const stay: Stay = { enrollment, gradeId: section.gradeId, from: day, to: never, status: 'Active', spells: [] };
  const child = { id: Number(row?.id), stays: [stay] };
  year.children.push(child);
  await place(child, section, day, stay);
}

/** Undoes the first submission of a register that is open, where its locks and corrections allow it. */
async function undo(year: Year) {
  const marks = [...year.marks.values()];
  if (marks.length === 0) return;
  const { section, day, slot } = year.random.oneOf(marks);
  const [done] = await school.sql(`select attendance_undo(id, version) as "isDone" from attendance_register
    where section_id = ${section.id} and day = '${day}' and slot = '${slot}'`);
  if (done?.isDone !== true) return;
  year.registers.delete(`${section.id} ${day} ${slot}`);
  for (const [key, mark] of year.marks)
    if (mark.section.id === section.id && mark.day === day && mark.slot === slot) year.marks.delete(key);
}

/** A change of place on a day that may be before the registers of the last days. */
async function move(year: Year, today: string) {
  const { random } = year;
  const child = random.oneOf(year.children);
  const stay = child.stays.at(-1);
  const spell = stay?.spells.at(-1);
  if (!stay || !spell) return;
  const day = addDays(today, -random.upTo(8));
  if (stay.status === 'Left') {
    if (random.isOnceIn(2)) {
      await school.sql(`update student_enrollment set status = 'Active', left_on = null where id = ${stay.enrollment};
        update student_section set effective_to = null
          where enrollment_id = ${stay.enrollment} and effective_from = '${spell.from}'`);
      Object.assign(stay, { status: 'Active', to: never });
      spell.to = never;
    } else if (day > stay.to) {
      await school.sql(`update student_enrollment set status = 'Transferred' where id = ${stay.enrollment}`);
      stay.status = 'Transferred';
      await place(child, random.oneOf(year.sections), day);
    }
    return;
  }
  if (day <= spell.from) return;
  const others = year.sections.filter(({ id }) => id !== spell.sectionId);
  const section = random.oneOf(others);
  if (random.isOnceIn(4)) return end(stay, day, 'Left');
  const isSameGrade = section.gradeId === stay.gradeId;
  await end(stay, addDays(day, -1), isSameGrade ? undefined : 'Transferred');
  await place(child, section, day, isSameGrade ? stay : undefined);
}

/** Takes registers of these days that are not taken yet, one in twelve never. */
async function take(year: Year, days: readonly string[]) {
  const taken: { section: number; day: string; slot: string; marks: { child: number; code: string }[] }[] = [];
  for (const day of days)
    for (const section of year.sections)
      for (const slot of slotsOf(section)) {
        const name = `${section.id} ${day} ${slot}`;
        if (year.registers.has(name) || year.weight(section, day, slot) === 0 || year.random.isOnceIn(12)) continue;
        year.registers.add(name);
        const there = year.children.filter(
          (child) => year.sectionOf(child, day) === section.id && year.mayMark(child, day, slot),
        );
        const marks = there.map(({ id }) => ({ child: id, code: year.random.oneOf(codes) }));
        for (const { child, code } of marks)
          year.marks.set(`${child} ${day} ${halfOf(slot)}`, { child, section, day, slot, code });
        taken.push({ section: section.id, day, slot, marks });
      }
  const json = JSON.stringify(taken);
  await sql`
    with taken as materialized (
      select * from jsonb_to_recordset(${json}::jsonb) as each (section integer, day date, slot text, marks jsonb)),
    made as (
      insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, slot, taken_at, locks_at)
      select academic_year_id, branch_id, program_id, grade_id, id, taken.day, taken.slot, now(), now() + interval '1 day'
      from taken join academic_section section on section.id = taken.section
      returning id, academic_year_id, section_id, day, half, slot)
    insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
    select made.id, own.child, made.academic_year_id, made.day, made.half, code.id
    from made
    join taken on taken.section = made.section_id and taken.day = made.day and taken.slot = made.slot
    cross join lateral jsonb_to_recordset(taken.marks) as own (child integer, code text)
    join attendance_code code on code.code = own.code`.execute(school.services.db);
}

/** Changes a mark: in an open register, or in a locked one by a correction. */
async function change(year: Year) {
  const marks = [...year.marks.values()];
  if (marks.length === 0) return;
  const mark = year.random.oneOf(marks);
  const code = year.random.oneOf(codes);
  const of = `register_id = (select id from attendance_register where section_id = ${mark.section.id}
    and day = '${mark.day}' and slot = '${mark.slot}') and student_id = ${mark.child}`;
  const isLocked = year.random.isOnceIn(2);
  await school.sql(`${
    isLocked
      ? `update attendance_register set locks_at = least(locks_at, now())
          where section_id = ${mark.section.id} and day = '${mark.day}' and slot = '${mark.slot}';
        insert into attendance_correction (register_id, student_id, old_code_id, new_code_id, reason, outcome, applied_at)
          select register_id, student_id, code_id, (select id from attendance_code where code = '${code}'), 'Wrong', 'Approved', now()
          from attendance_mark where ${of};`
      : `update attendance_register set locks_at = locks_at where section_id = ${mark.section.id};`
  }
    update attendance_mark mark set code_id = (select id from attendance_code where code = '${code}')
      from attendance_register register where mark.${of.replace('and student_id', 'and mark.student_id')}
        and register.id = mark.register_id ${isLocked ? '' : 'and register.locks_at > now()'}`);
  const [stored] =
    await school.sql(`select code.code from attendance_mark mark join attendance_code code on code.id = mark.code_id
    where mark.${of.replace('and student_id', 'and mark.student_id')}`);
  mark.code = String(stored?.code);
}

async function changeCalendar(year: Year, today: string) {
  const { random } = year;
  const day = addDays(today, 3 - random.upTo(12));
  if (day < year.first) return;
  const gradeId = random.isOnceIn(2) ? 0 : random.oneOf(year.sections).gradeId;
  const kind = random.oneOf(['Holiday', 'Half day', 'Working day', 'Vacation']);
  const where = `academic_year_id = ${year.yearId} and day = '${day}' and grade_id is not distinct from ${gradeId || 'null'}`;
  await school.sql(`delete from academic_calendar_day where ${where}`);
  year.entries.delete(`${gradeId} ${day}`);
  if (random.isOnceIn(4)) return;
  await school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name, grade_id)
    values (${year.yearId}, '${day}', '${kind}', 'Test day', ${gradeId || 'null'})`);
  year.entries.set(`${gradeId} ${day}`, kind);
}

const percentOfModel = (worth: number, share: number) => (share === 0 ? null : Math.round((1000 * worth) / share));

/** The database and the model agree for every child, section and grade. */
async function compare(year: Year, last: string) {
  const ids = year.children.map(({ id }) => id);
  const found = await percentOf(school.services, ids, { yearId: year.yearId, from: year.first, to: last });
  const byId = new Map(found.map((row) => [row.studentId, row]));
  for (const child of year.children) {
    const { worth, share, absent } = year.totals(child);
    const wanted = {
      perMille: percentOfModel(worth, share),
      days: share / 4,
      absent: absent / 4,
      notTaken: year.notTaken(child, last) / 2,
    };
    expect({ child: child.id, ...byId.get(child.id) }).toMatchObject(wanted);
  }
  expect(await miscounted(school)).toEqual([]);
  expect(await mistotalled(school, year.yearId)).toEqual([]);
  for (const key of ['section_id', 'grade_id'] as const) {
    const ratesOf = (view: string, marks: string) =>
      school.sql(`select ${key} as id, attendance_per_mille(sum(worth)::bigint, sum(share)::bigint) as rate,
        ${marks}::integer as marks from ${view} where academic_year_id = ${year.yearId} group by ${key} order by 1`);
    const rows = await ratesOf('attendance_counted', 'count(*)');
    expect(await ratesOf('attendance_counted_register', 'sum(counted)')).toEqual(rows);
    const groups = Map.groupBy(
      [...year.marks.values()].filter((mark) => {
        const stays = year.children.find(({ id }) => id === mark.child)?.stays ?? [];
        return (
          worths[mark.code] != null &&
          year.weight(mark.section, mark.day, mark.slot) > 0 &&
          stays.some((stay) => isOn(mark.day, stay))
        );
      }),
      ({ section }) => (key === 'section_id' ? section.id : section.gradeId),
    );
    const wanted = [...groups].map(([id, marks]) => {
      const weigh = (mark: Mark) => year.weight(mark.section, mark.day, mark.slot);
      const worth = marks.reduce((sum, mark) => sum + weigh(mark) * Number(worths[mark.code]), 0);
      const share = marks.reduce((sum, mark) => sum + weigh(mark) * 2, 0);
      return { id, rate: percentOfModel(worth, share), marks: marks.length };
    });
    expect(rows).toEqual(wanted.toSorted((one, other) => one.id - other.id));
  }
}

async function openYear(random: Random, start: number, grades: readonly Partial<EnrolmentPlace>[] = [{}, {}]) {
  const first = `${start}-06-01`;
  const { id } = await plant(school, yearMaster, {
    name: `${start}-${start + 1}`,
    startsOn: first,
    endsOn: `${start + 1}-05-31`,
    ageCutoffOn: first,
  });
  const sections: Section[] = [];
  // Chance may place all children in one section.
  const shared = { academicYearId: id, capacity: 80 };
  for (const [index, grade] of grades.entries()) {
    const a = (await plant(school, sectionMaster, { ...shared, ...grade })) as unknown as Section;
    const { branchId, programId, gradeId } = a;
    const b = await plant(school, sectionMaster, { ...shared, branchId, programId, gradeId });
    for (const own of [a.id, b.id])
      sections.push({ id: own, academicYearId: id, branchId, programId, gradeId, isTwice: index === 1 });
  }
  return new Year(random, sections, id, first);
}

const seeds = Array.from({ length: isSoak ? 40 : 3 }, (_, index) => index + 1);

test.each(seeds)('T2 T6 a year of chance %i comes to the percentages of the plain model', async (seed) => {
  const random = randomFrom(seed * 7919);
  const year = await openYear(random, 1900 + seed * 2);
  for (let count = 0; count < 14; count += 1) await join(year, year.first);
  const step = 12;
  let today = year.first;
  for (let round = 0; round < 28; round += 1) {
    const days = Array.from({ length: step }, (_, index) => addDays(today, index));
    today = addDays(today, step);
    if (random.isOnceIn(3)) await join(year, addDays(today, -random.upTo(step)));
    await take(year, days);
    for (let count = 0; count < 3; count += 1) await move(year, addDays(today, -1));
    for (let count = 0; count < 2; count += 1) await change(year);
    if (random.isOnceIn(5)) await undo(year);
    if (random.isOnceIn(2)) await changeCalendar(year, today);
    // A register that was forgotten is taken days later, for the children of its day as they are known then.
    if (random.isOnceIn(4))
      await take(
        year,
        [addDays(today, -random.upTo(20) - 1)].filter((day) => day >= year.first),
      );
    // The tables grow from nothing within seconds; without their sizes a plan may read them whole for each row.
    if (round % 4 === 0)
      await school.sql('analyze attendance_mark, attendance_register, student_section, student_enrollment');
    if (round % 9 === 8) await compare(year, addDays(today, -1));
  }
  const last = addDays(today, -1);
  await compare(year, last);

  // Promoted at its end: the next year begins with nothing, and this one stays as it was.
  const next = await openYear(
    random,
    1901 + seed * 2,
    year.sections
      .filter((_, index) => index % 2 === 0)
      .map(({ branchId, programId, gradeId }) => ({ branchId, programId, gradeId })),
  );
  for (const child of year.children) {
    const stay = child.stays.at(-1);
    if (stay?.status !== 'Active') continue;
    await school.sql(`update student_enrollment set status = 'Promoted' where id = ${stay.enrollment}`);
    const promoted: Child = { id: child.id, stays: [] };
    next.children.push(promoted);
    await place(promoted, random.oneOf(next.sections), next.first);
  }
  await take(
    next,
    Array.from({ length: 12 }, (_, index) => addDays(next.first, index)),
  );
  await compare(next, addDays(next.first, 11));
  await compare(year, last);
  expect(year.marks.size).toBeGreaterThan(2000);
});
