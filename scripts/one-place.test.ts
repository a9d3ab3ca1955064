import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onePlace, otherPlaces } from './one-place.ts';

const path = 'src/features/garden/server/bed.ts';
const found = (text: string, at = path) => otherPlaces({ path: at, text }).map((one) => one.split(':')[0]);

test('U1.19 a latest section, a stored current year and an open end are found in SQL and in calls', () => {
  const latest =
    'sql`select grade_id from student_enrollment own where own.student_id = child.id order by own.joined_on desc limit 1`';
  expect(found(`const place = ${latest};`)).toEqual(['line 1']);
  expect(
    found(`db.selectFrom('student_enrollment as own').where('own.student_id', '=', id)
      .orderBy('own.joined_on', 'desc').select('own.grade_id').executeTakeFirst();`),
  ).toEqual(['line 1']);
  expect(found("sql`select id from academic_year where status = 'Current'`")).toEqual(['line 1']);
  expect(found("db.selectFrom('academic_year').where('year.status', '=', 'Current').select('id')")).toEqual(['line 1']);
  const own = 'src/features/student/server/bed.ts';
  expect(found('sql`select id from student_section own where own.effective_to is null`', own)).toEqual(['line 1']);
  expect(
    found(
      `db.selectFrom('student').leftJoin('student_section as own', (join) => join.on('own.effective_to', 'is', null))`,
      own,
    ),
  ).toEqual(['line 1']);
});

test('U1.19 the greatest id, the greatest first day and the first row fetched are no place either', () => {
  const section = (rest: string) =>
    `sql\`select own.section_id from student_section own where own.student_id = 1 ${rest}\``;
  const own = 'src/features/student/server/bed.ts';
  for (const rest of [
    'order by own.id desc limit 1',
    'order by own.roll_no, id desc limit 1',
    'order by own.effective_from desc, own.id desc fetch first row only',
    'and own.effective_from = (select max(effective_from) from student_section where student_id = 1)',
    'and own.id in (select max(other.id) from student_section as other where other.student_id = 1)',
  ])
    expect(found(section(rest), own), rest).toEqual(['line 1']);
  expect(
    found(`sql\`select grade_id from student_enrollment as held
      where joined_on = (select max(joined_on) from student_enrollment where student_id = held.student_id)\``),
  ).toEqual(['line 1']);
  expect(
    found(
      "db.selectFrom('student_section as own').select('own.section_id').orderBy('own.id', 'desc').executeTakeFirst()",
      own,
    ),
  ).toEqual(['line 1']);
  expect(
    found("db.selectFrom('student_enrollment').select((from) => from.fn.max('joined_on').as('latest')).execute()"),
  ).toEqual(['line 1']);
  // The latest of something else that the statement joins.
  expect(
    found(`sql\`select change.id from student_enrollment own join lateral (select id from student_result_change change
      where change.enrollment_id = own.id order by change.id desc limit 1) change on true\``),
  ).toEqual([]);
  expect(found(section('order by own.id desc'), own)).toEqual([]);
});

test('U1.19 another feature than that of students names no table of sections', () => {
  const query = 'sql`select count(*) from student_section where section_id = 1`';
  expect(found(query)).toEqual(['line 1']);
  expect(found(query, 'src/features/student/server/bed.ts')).toEqual([]);
});

test('U1.19 migrations are read too, without their comments', () => {
  const later = 'database/migrations/209901010000_garden_bed.sql';
  expect(found('-- Of student_section.\ncreate table bed (id integer);\n', later)).toEqual([]);
  expect(
    found(
      'create function bed_of(child integer) returns integer as $$ select id from student_section limit 1 $$;',
      later,
    ),
  ).toHaveLength(1);
});

test('the function, and lists in the order of their days, are no other rule', () => {
  expect(found('sql`select name from student_place(child.id, today)`')).toEqual([]);
  expect(found('sql`select id from student_enrollment where student_id = 1 order by joined_on desc`')).toEqual([]);
  expect(found('sql`select id from fee_plan where effective_to is null order by effective_from limit 1`')).toEqual([]);
});

test('a file has as many as its exception says, neither more nor fewer', () => {
  const text = 'sql`select id from student_section`';
  const allowed = (finds: number) => ({ [path]: { finds, reason: 'Beds.' } });
  expect(onePlace([{ path, text }], {})).toHaveLength(1);
  expect(onePlace([{ path, text }], allowed(1))).toEqual([]);
  expect(onePlace([{ path, text }], allowed(2))).toHaveLength(1);
  expect(onePlace([], allowed(1))).toHaveLength(1);
});

test('the check is one of those of npm run check', () => {
  expect(readFileSync(join(import.meta.dirname, 'checks.ts'), 'utf8')).toContain("'scripts/one-place.ts'");
});
