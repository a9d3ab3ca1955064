import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';
import type { Figure } from './budgets.ts';
import { percentile } from './budgets.ts';
import type { Child } from './child.ts';

/** Sections of five thousand children, with a year of registers; the others have those of some days. */
const ownSections = 125;
const otherDays = 5;
const registersAtOnce = 250;

/** Adds registers of the school days until yesterday, 900,000 marks late in the year. */
export async function addRegisters(db: Database) {
  await db.transaction().execute(async (db) => {
    const { rows } = await sql<{ day: string; isLate: boolean }>`
      select days.day::text, days.day >= (
        select min(day) from (select last.day from academic_school_days(year.id, year.starts_on, current_date - 1) as last
          where last.grade_id is null and last.work > 0 order by last.day desc limit ${otherDays}) as latest) as "isLate"
      from academic_year year, academic_school_days(year.id, year.starts_on, current_date - 1) as days
      where year.id = academic_year_on(school_now()::date) and days.grade_id is null and days.work > 0 order by days.day`.execute(
      db,
    );
    for (const { day, isLate } of rows)
      await sql`
        insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, taken_at, locks_at)
        select academic_year_id, branch_id, program_id, grade_id, id, ${day}, ${day}::date + time '08:10', ${day}::date + 1
        from academic_section order by id ${isLate ? sql`` : sql`limit ${ownSections}`}`.execute(db);
    await sql`select take_statistics('attendance_register'::regclass)`.execute(db);
    const { rows: all } = await sql<{ last: number }>`select max(id) as last from attendance_register`.execute(db);
    for (let first = 1; first <= (all[0]?.last ?? 0); first += registersAtOnce)
      await sql`
        insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
        select register.id, own.student_id, register.academic_year_id, register.day, 1,
          (select id from attendance_code where code = case when (own.student_id + register.id) % 14 = 0 then 'A' else 'P' end)
        from attendance_register register join student_section own on own.section_id = register.section_id
        where register.id between ${first} and ${first + registersAtOnce - 1} order by 1, 2`.execute(db);
  });
}

/** Reads of registers, by the name of their figures, for the day of the measurement. */
export const attendancePaths = (today: string) => ({
  'Register, of a section': '/api/attendance/register',
  'Month of a section': `/api/attendance/month?month=${today.slice(0, 7)}`,
});
export const dailyPaths = { 'Daily attendance': '/api/attendance/daily' };

interface Submitting {
  port: number;
  /** The session of a class teacher. */
  cookie: string;
  server: Child;
  bare: Child;
}

interface Sheet {
  day: string;
  section: { id: number } | null;
  register: { version: number } | null;
  codes: { id: number; code: string }[];
  children: { studentId: number }[];
}

/** A class teacher's register of forty, taken and changed again and again, and the percentages of grades. */
export async function measureRegisters({ port, cookie, server, bare }: Submitting): Promise<Figure[]> {
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${port}/api/attendance/register`;
  const sheet = (await (await fetch(url, { headers })).json()) as Sheet;
  const codeOf = (code: string) => sheet.codes.find((one) => one.code === code)?.id;
  const taken: number[] = [];
  let statements = 0;
  for (let time = 0; time < 60; time++) {
    const marks = sheet.children.map(({ studentId }, index) => ({
      studentId,
      codeId: codeOf((index + time) % 13 === 0 ? 'A' : 'P'),
      arrivedAt: '',
    }));
    const rowVersion = (sheet.register?.version ?? 0) + time;
    if (time === 10) await server.ask('record');
    const began = performance.now();
    const body = JSON.stringify({ sectionId: sheet.section?.id, day: sheet.day, rowVersion, marks });
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
      body,
    });
    if (answer.status !== 200) throw new Error(`A register was refused: ${answer.status} ${await answer.text()}`);
    await answer.text();
    if (time >= 10) taken.push(performance.now() - began);
    if (time === 10) {
      const [recorded] = await server.ask<{ statements: { text: string }[] }[]>('recorded');
      statements = recorded?.statements.length ?? 0;
    }
  }
  const percent = (first: string) => ({
    statements: [
      {
        text: `select grade_id, attendance_per_mille(sum(worth)::bigint, sum(share)::bigint) from attendance_counted
          where academic_year_id = academic_year_on(school_now()::date) and day between ${first} and current_date
          group by grade_id`,
        values: [],
      },
    ],
  });
  const timeOf = async (first: string) =>
    percentile(await bare.ask<number[]>('repeat', { recorded: percent(first), times: 5 }), 0.5);
  return [
    {
      name: `Register of ${sheet.children.length}, submitted again: whole, p95`,
      value: percentile(taken, 0.95),
      unit: 'ms',
    },
    { name: 'Register, submitted again: statements with session and transaction', value: statements, unit: '' },
    {
      name: 'Percentages of the grades, a month',
      value: await timeOf("date_trunc('month', current_date)::date"),
      unit: 'ms',
    },
    { name: 'Percentages of the grades, the year', value: await timeOf("date '2000-01-01'"), unit: 'ms' },
  ];
}
