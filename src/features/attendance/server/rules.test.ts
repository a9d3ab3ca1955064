import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import type { Calendar } from '#features/calendar/contract/calendar.ts';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { daysOfMonth, monthsOf } from '#features/calendar/contract/working-days.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';
import { randomFrom } from '#kit/server/random.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());

type TestClass = Record<'academicYearId' | 'branchId' | 'programId' | 'gradeId' | 'a' | 'b', number> & { from: string };
let here: TestClass;
let pastYear = 1950;
const plantYear = (start: number) =>
  plant(school, yearMaster, {
    name: `${start}-${start + 1}`,
    startsOn: `${start}-06-01`,
    endsOn: `${start + 1}-05-31`,
    ageCutoffOn: `${start}-06-01`,
  });
/** Two sections of one grade in a past year from June to May, with Sundays off. */
beforeEach(async () => {
  const { id: academicYearId } = await plantYear(pastYear++);
  const a = await plant(school, sectionMaster, { academicYearId });
  const { branchId, programId, gradeId } = a as unknown as TestClass;
  const b = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId });
  const [year] = await school.sql(`select starts_on::text as from from academic_year where id = ${academicYearId}`);
  here = { academicYearId, branchId, programId, gradeId, a: a.id, b: b.id, from: String(year?.from) };
});

/** The working days of the year's beginning. */
const days = (count: number): string[] => {
  const found: string[] = [];
  for (let day = here.from; found.length < count; day = addDays(day, 1)) {
    if (new Date(`${day}T00:00:00Z`).getUTCDay() !== 0) found.push(day);
  }
  return found;
};
const dayAt = (index: number) => days(index + 1)[index] ?? '';

/** A child in a section from a day, to the year's end; returns the student. */
async function child(sectionId = here.a, from = here.from): Promise<number> {
  const enrollment = await enroll(school, here, 'Aarav', { joinedOn: from });
  const [row] = await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id,
      program_id, grade_id, section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${sectionId}, '${from}'
    from student_enrollment where id = ${enrollment} returning student_id`);
  return Number(row?.student_id);
}

/** Registers that lock in an hour, or that locked an hour ago. */
const [open, locked] = [sql`now() + interval '1 hour'`, sql`now() - interval '1 hour'`];

interface Taken {
  sectionId?: number;
  slot?: string;
  locks?: RawBuilder<unknown>;
  /** Codes by student. */
  marks?: Record<number, string>;
}
/** Takes a register as the application does, in one transaction; returns its id. */
const take = (day: string, taken: Taken = {}) =>
  school.services.db.transaction().execute((db) => takeIn(db, day, taken));

async function takeIn(
  db: Database,
  day: string,
  { sectionId = here.a, slot = 'Full day', locks = open, marks = {} }: Taken,
) {
  const { rows } = await sql<{ id: number }>`
    insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, slot, taken_at, locks_at)
    values (${here.academicYearId}, ${here.branchId}, ${here.programId}, ${here.gradeId}, ${sectionId}, ${day}, ${slot}, now(),
      ${locks}) returning id`.execute(db);
  const id = rows[0]?.id ?? 0;
  if (Object.keys(marks).length > 0) await mark(db, id, marks);
  return id;
}

const mark = (db: Database, register: number, marks: Record<number, string>) =>
  sql`
  insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
  select register.id, own.key::integer, register.academic_year_id, register.day, register.half, code.id
  from jsonb_each_text(${JSON.stringify(marks)}::jsonb) as own
  join attendance_code code on code.code = own.value
  cross join attendance_register register where register.id = ${register}`.execute(db);

const change = (register: number, code: string, db: Database = school.services.db) =>
  sql`update attendance_mark set code_id = (select id from attendance_code where code = ${code})
    where register_id = ${register}`.execute(db);

/** The rule or right that refuses the work; '' where it is done. */
async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '';
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return error.constraint ?? error.message;
  }
}

async function percent(student: number, last = addDays(here.from, 364)): Promise<number | null> {
  const { rows } = await sql<{ perMille: number }>`
    select per_mille as "perMille" from attendance_totals(array[${student}::integer], ${here.academicYearId},
      ${here.from}, ${last})`.execute(school.services.db);
  return rows[0] ? rows[0].perMille / 10 : null;
}

const setDay = (day: string, kind: string) =>
  school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
    values (${here.academicYearId}, '${day}', '${kind}', 'Rain')
    on conflict on constraint academic_calendar_day_unique do update set kind = excluded.kind`);
const clearDay = (day: string) => school.sql(`delete from academic_calendar_day where day = '${day}'`);

test('E0.1 a section has one register a day and slot, and none for a whole day beside one for a half', async () => {
  const [day, other] = days(2) as [string, string];
  await take(day);
  expect(await refusal(take(day))).toBe('attendance_register_once');
  expect(await refusal(take(day, { slot: 'Afternoon' }))).toBe('attendance_register_one_kind');
  await take(day, { sectionId: here.b });
  await take(other, { slot: 'Morning' });
  await take(other, { slot: 'Afternoon' });
  expect(await refusal(take(other))).toBe('attendance_register_once');
});

test('T3 E0.3 a register is refused on a day without school, in the future and outside the year', async () => {
  const sunday =
    days(7)
      .map((day) => addDays(day, 1))
      .find((day) => new Date(day).getUTCDay() === 0) ?? '';
  expect(await refusal(take(sunday))).toBe('attendance_register_no_school');
  await setDay(dayAt(3), 'Holiday');
  expect(await refusal(take(dayAt(3)))).toBe('attendance_register_no_school');
  expect(await refusal(take(addDays(here.from, -1)))).toBe('attendance_register_no_school');
  expect(await refusal(take('2100-01-04'))).toBe('attendance_register_future');
  await setDay(dayAt(4), 'Half day');
  expect(await refusal(take(dayAt(4), { slot: 'Afternoon' }))).toBe('attendance_register_no_school');
  await take(dayAt(4), { slot: 'Morning' });
});

test('E0.3 a closed year takes no register, and its marks do not change', async () => {
  const student = await child();
  const register = await take(dayAt(0), { marks: { [student]: 'P' } });
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.academicYearId}`);
  expect(await refusal(take(dayAt(1)))).toBe('academic_year_is_closed');
  expect(await refusal(change(register, 'A'))).toBe('academic_year_is_closed');
});

test('E0.2 a child is marked only in the section and on the days of their placement, once for each half', async () => {
  const [first, second] = days(2) as [string, string];
  const late = await child(here.a, second);
  expect(await refusal(take(first, { marks: { [late]: 'P' } }))).toBe('attendance_mark_placed');
  expect(await refusal(take(second, { sectionId: here.b, marks: { [late]: 'P' } }))).toBe('attendance_mark_placed');
  await take(second, { marks: { [late]: 'P' } });
  // A transfer that is entered days later leaves the register as it was.
  await school.sql(`update student_section set section_id = ${here.b} where student_id = ${late}`);
  const register = await take(second, { sectionId: here.b });
  expect(await refusal(mark(school.services.db, register, { [late]: 'A' }))).toBe('attendance_mark_once');
});

test('E0.2 of marks of several days in one statement each is in the section of its day', async () => {
  const student = await child();
  // Some days in the other section, and back.
  await school.sql(`
    update student_section set effective_to = '${dayAt(1)}' where student_id = ${student};
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
      effective_from, effective_to)
    select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, place.section, place.first, place.last
    from student_section, (values (${here.b}, date '${dayAt(2)}', date '${dayAt(3)}'), (${here.a}, '${dayAt(4)}', null))
      as place (section, first, last)
    where student_id = ${student}`);
  const registers: number[] = [];
  for (const index of [0, 3, 5]) registers.push(await take(dayAt(index)));
  const markIn = (ids: readonly number[]) =>
    sql`insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
      select register.id, ${student}, register.academic_year_id, register.day, register.half, code.id
      from attendance_register register, attendance_code code
      where register.id = any(${ids}::integer[]) and code.code = 'P'`.execute(school.services.db);
  expect(await refusal(markIn(registers))).toBe('attendance_mark_placed');
  const [before = 0, , after = 0] = registers;
  expect(await refusal(markIn([before, after]))).toBe('');
});

test('E0.1 a child is never marked for a whole day and for its afternoon', async () => {
  const student = await child();
  const day = dayAt(0);
  await take(day, { marks: { [student]: 'P' } });
  await school.sql(`update student_section set section_id = ${here.b} where student_id = ${student}`);
  const afternoon = await take(day, { sectionId: here.b, slot: 'Afternoon' });
  expect(await refusal(mark(school.services.db, afternoon, { [student]: 'P' }))).toBe('attendance_mark_once');
});

test('E0.5 a locked mark changes only by a correction of this child to this code that is applied at the same time', async () => {
  const student = await child();
  const register = await take(dayAt(0), { marks: { [student]: 'A' } });
  await change(register, 'L');
  await school.sql(`update attendance_register set locks_at = now() where id = ${register}`);
  expect(await refusal(change(register, 'P'))).toBe('attendance_mark_locked');
  const correct = (code: string) =>
    school.services.db.transaction().execute(async (db) => {
      await sql`insert into attendance_correction (register_id, student_id, old_code_id, new_code_id, reason, outcome, applied_at)
        select ${register}, ${student}, mark.code_id, code.id, 'Was present', 'Approved', now()
        from attendance_mark mark, attendance_code code where mark.register_id = ${register} and code.code = 'P'`.execute(
        db,
      );
      await change(register, code, db);
    });
  expect(await refusal(correct('HD'))).toBe('attendance_mark_locked');
  expect(await refusal(correct('P'))).toBe('');
  const [kept] = await school.sql(`select before.code as old, after.code as new from attendance_correction correction
    join attendance_code before on before.id = old_code_id join attendance_code after on after.id = new_code_id
    where register_id = ${register}`);
  expect(kept).toEqual({ old: 'L', new: 'P' });
  expect(await refusal(change(register, 'A'))).toBe('attendance_mark_locked');
});

test('E0.5 a correction is not changed once it is decided, and a child has one open correction of a register', async () => {
  const student = await child();
  const register = await take(dayAt(0), { marks: { [student]: 'A' } });
  const ask = () =>
    sql`insert into attendance_correction (register_id, student_id, new_code_id, reason)
      select ${register}, ${student}, id, 'Was present' from attendance_code where code = 'P'`.execute(
      school.services.db,
    );
  const decide = (outcome: string) =>
    sql`update attendance_correction set outcome = ${outcome} where register_id = ${register}`.execute(
      school.services.db,
    );
  await ask();
  expect(await refusal(ask())).toBe('attendance_correction_open');
  await decide('Rejected');
  expect(await refusal(decide('Withdrawn'))).toBe('attendance_correction_decided');
});

test('E0.5 a register that is taken after its lock is locked with its first marks, and a lock only comes nearer', async () => {
  const student = await child();
  const register = await take(dayAt(0), { locks: locked, marks: { [student]: 'A' } });
  expect(await refusal(change(register, 'P'))).toBe('attendance_mark_locked');
  const other = await take(dayAt(1), { marks: { [student]: 'A' } });
  const lock = (moment: RawBuilder<unknown>) =>
    sql`update attendance_register set locks_at = ${moment} where id = ${other}`.execute(school.services.db);
  expect(await refusal(lock(sql`locks_at + interval '1 minute'`))).toBe('attendance_register_lock');
  expect(await refusal(lock(sql`now()`))).toBe('');
});

test('E0.5 only the first submission is undone, and only before the lock', async () => {
  const student = await child();
  const undo = async (register: number, version = 1) =>
    (await sql<{ done: boolean }>`select attendance_undo(${register}, ${version}) as done`.execute(school.services.db))
      .rows[0]?.done;
  const register = await take(dayAt(0), { marks: { [student]: 'A' } });
  expect(await undo(register, 2)).toBe(false);
  expect(await undo(register)).toBe(true);
  expect(await school.sql(`select from attendance_mark where student_id = ${student}`)).toEqual([]);
  expect(await undo(await take(dayAt(0), { locks: locked }))).toBe(false);
});

test.each([
  ['delete from attendance_mark', sql`delete from attendance_mark`],
  ['delete from attendance_register', sql`delete from attendance_register`],
  ['update of a weight', sql`update attendance_register set weight = 0`],
  ['update of a day', sql`update attendance_mark set day = day + 1`],
  ['delete from attendance_correction', sql`delete from attendance_correction`],
])('E0.5 the application has no right to %s', async (_, statement) => {
  expect(await refusal(statement.execute(school.services.db))).toMatch(/permission denied/);
});

test('E0.6 the meaning of a used code stays, and its name may change', async () => {
  const student = await child();
  await take(dayAt(0), { marks: { [student]: 'ML' } });
  const set = (column: RawBuilder<unknown>) =>
    sql`update attendance_code set ${column} where code = 'ML'`.execute(school.services.db);
  for (const column of [sql`value = 2`, sql`kind = 'Absent'`, sql`counts_in_total = false`, sql`code = 'X'`]) {
    expect(await refusal(set(column))).toBe('attendance_code_used');
  }
  expect(await refusal(set(sql`name = 'Sick leave'`))).toBe('');
  await set(sql`name = 'Medical leave'`);
});

/** Marks a child on as many working days as there are codes; '' takes no register. */
async function year(student: number, codes: string[], slot?: string) {
  for (const [index, code] of codes.entries()) {
    if (code !== '') await take(dayAt(index), { marks: { [student]: code }, ...(slot && { slot }) });
  }
}
const present = (count: number) => Array<string>(count).fill('P');

test('E0.6 present half of a whole day adds a half, a half working day counts half, and rounding is half up', async () => {
  const one = await child();
  // 22 days of which the last is a half working day, and one day without a register: 21.5 days, 19.5 present.
  await setDay(dayAt(21), 'Half day');
  await year(one, ['A', 'A', ...present(19), 'P', '']);
  expect(await percent(one)).toBe(90.7);
  const two = await child(here.b);
  await setDay(dayAt(22), 'Half day');
  for (const [index, code] of ['A', 'A', 'HD', ...present(19)].entries()) {
    await take(dayAt(index), { sectionId: here.b, marks: { [two]: code } });
  }
  // 21.5 days: 18 whole days, half of a day and a half working day.
  expect(await percent(two)).toBe(88.4);
  expect(await percent(await child())).toBe(null);
});

test('E0.6 19.5 of 22 days are 88.6 %, and 19.75 of them 89.8 %', async () => {
  const one = await child();
  await year(one, [...present(19), 'HD', 'A', 'A']);
  expect(await percent(one)).toBe(88.6);
  const two = await child(here.b);
  await setDay(dayAt(22), 'Half day');
  await setDay(dayAt(23), 'Half day');
  const codes = [...present(19), 'A', 'A', '', 'P', 'HD'];
  for (const [index, code] of codes.entries()) {
    if (code !== '') await take(dayAt(index), { sectionId: here.b, marks: { [two]: code } });
  }
  expect(await percent(two)).toBe(89.8);
});

test('E0.7 22 whole and two half days, one not taken: with two absent, a half day, three late and one on duty 88.6 %', async () => {
  const student = await child();
  for (const index of [22, 23]) await setDay(dayAt(index), 'Half day');
  await year(student, ['A', 'A', 'HD', 'L', 'L', 'L', 'OD', ...present(14), '', 'P', 'P']);
  expect(await percent(student)).toBe(88.6);
  const [sums] = await school.sql(`select share / 4.0::float as days, worth / 4.0::float as present
    from attendance_totals(array[${student}], ${here.academicYearId}, '${here.from}', '2100-01-01')`);
  expect(sums).toEqual({ days: 22, present: 19.5 });
});

test('E0.6 three absent afternoons in twenty days with two registers are 92.5 %', async () => {
  const student = await child();
  await year(student, present(20), 'Morning');
  await year(student, ['A', 'A', 'A', ...present(17)], 'Afternoon');
  expect(await percent(student)).toBe(92.5);
});

test('E0.6 codes that do not count are left out of both sums: 7 of 8 days are 87.5 %', async () => {
  const student = await child();
  await school.sql(`insert into attendance_code (code, key, name, kind, value, counts_in_total, position)
    values ('EX', 'E', 'Excused', 'Leave', 0, false, 90)`);
  await year(student, ['EX', 'EX', 'A', ...present(7)]);
  expect(await percent(student)).toBe(87.5);
  await school.sql(`update attendance_code set is_active = false where code = 'EX'`);
});

test('E0.6 E0.2 marks after the last day stop counting, and count again when leaving is undone', async () => {
  const student = await child();
  await year(student, ['A', ...present(15), 'A', 'A', ...present(2)]);
  expect(await percent(student)).toBe(85);
  const enrolled = (status: string, leftOn: string) =>
    school.sql(`update student_section set effective_to = ${leftOn} where student_id = ${student};
      update student_enrollment set status = '${status}', left_on = ${leftOn} where student_id = ${student}`);
  await enrolled('Left', `'${dayAt(14)}'`);
  expect(await percent(student)).toBe(93.3);
  await school.sql(`update student_enrollment set status = 'Active', left_on = null where student_id = ${student}`);
  expect(await percent(student)).toBe(85);
});

test('E0.6 E0.3 a day that becomes a holiday stops counting, a half day counts half, and clearing it counts the day again', async () => {
  const student = await child();
  await year(student, [...present(3), 'A', ...present(6)]);
  const kinds: [number | null, number | null][] = [];
  const weigh = async () => {
    const [row] = await school.sql(
      `select weight from attendance_register where section_id = ${here.a} and day = '${dayAt(3)}'`,
    );
    kinds.push([Number(row?.weight), await percent(student)]);
  };
  await weigh();
  await setDay(dayAt(3), 'Holiday');
  await weigh();
  await setDay(dayAt(3), 'Half day');
  await weigh();
  await clearDay(dayAt(3));
  await weigh();
  expect(kinds).toEqual([
    [2, 90],
    [0, 100],
    [1, 94.7],
    [2, 90],
  ]);
});

test('E0.6 one present day in sixteen is 6.3 %, and sums of two grades are divided once: 10 of 12 are 83.3 %', async () => {
  const student = await child();
  await year(student, ['P', ...Array<string>(15).fill('A')]);
  expect(await percent(student)).toBe(6.3);
  const { rows } =
    await sql`select attendance_per_mille(4 * 10, 4 * 12) as two, attendance_per_mille(0, 0) as none`.execute(
      school.services.db,
    );
  expect(rows).toEqual([{ two: 833, none: null }]);
});

test('E0.5 a register locks at 18:00 of the next working day, or three days later at the end of the year', async () => {
  const [found] = await school.sql(`select id from academic_year where starts_on = '2026-06-01'`);
  const id = Number(found?.id ?? (await plantYear(2026)).id);
  const grade = await plant(school, gradeMaster);
  const days = (from: string, until: string) =>
    school.sql(`
    insert into academic_calendar_day (academic_year_id, day, kind, name, grade_id)
    select ${id}, day, 'Vacation', 'Vacation', ${grade.id}
    from generate_series('${from}'::date, '${until}'::date, '1 day') as day`);
  await days('2026-11-09', '2026-11-28');
  await days('2027-05-02', '2027-05-31');
  const locks = async (day: string) => {
    const { rows } = await sql<{ at: string }>`
      select to_char(attendance_locks_at(${id}, ${grade.id}, ${day}, 18) at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI') as at`.execute(
      school.services.db,
    );
    return rows[0]?.at;
  };
  expect(await locks('2026-09-04')).toBe('2026-09-05 18:00');
  expect(await locks('2026-09-05')).toBe('2026-09-07 18:00');
  expect(await locks('2026-11-07')).toBe('2026-11-30 18:00');
  expect(await locks('2027-05-01')).toBe('2027-05-04 18:00');
});

test('E0.3 the days of the database are those of the calendar’s pages, for calendars of every kind', async () => {
  const random = randomFrom(7);
  const kinds = ['Holiday', 'Vacation', 'Half day', 'Exam day', 'Working day'] as const;
  const shown = () => admin.call(calendarApi.read, { academicYearId: here.academicYearId }) as Promise<Calendar>;
  for (let round = 0; round < 3; round += 1) {
    for (let entry = 0; entry < 40; entry += 1) {
      const day = addDays(here.from, random.upTo(360));
      await school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name, grade_id)
        values (${here.academicYearId}, '${day}', '${random.oneOf(kinds)}', 'Day ${entry}',
          ${random.isOnceIn(2) ? 'null' : here.gradeId}) on conflict do nothing`);
    }
    if (round > 0) {
      await school.sql(`insert into academic_calendar (academic_year_id, saturday, wednesday) values
        (${here.academicYearId}, '{2,4}', '{5}') on conflict (academic_year_id) do update set saturday = '{1,3}', sunday = '{}'`);
    }
    const calendar = await shown();
    for (const gradeId of [null, here.gradeId]) {
      const wanted = monthsOf(calendar).flatMap((month) => daysOfMonth(month, calendar, gradeId));
      const { rows } = await sql`select day::text, kind, name, work / 2.0::float as work
        from academic_school_days(${here.academicYearId}, '1900-01-01', '2100-01-01')
        where grade_id is not distinct from ${gradeId}::integer order by day`.execute(school.services.db);
      expect(rows).toEqual(wanted);
    }
  }
});
