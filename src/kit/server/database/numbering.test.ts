import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { yearNames } from '#features/school/api.ts';
import { testPatience } from '#testing/patience.ts';
import { execute, urlOf } from '#testing/postgres.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openDatabase } from './database.ts';
import { migrate, migrationsFolder } from './migrations.ts';
import { drawNumbers, nextNumber } from './numbering.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

let count = 0;
/** A test's own series. */
async function newSeries(pattern: string, resetOn = 'never') {
  const code = `series ${++count}`;
  await school.sql(`insert into number_series (code, prefix, pattern, reset_on, is_gapless)
    values ('${code}', 'T', '${pattern}', '${resetOn}', true)`);
  return code;
}

/** Draws a number at a given time, in a transaction that commits or rolls back. */
const draw = (code: string, { at = new Date(), isKept = true } = {}) =>
  school.services.db.transaction().execute(async (db) => {
    const number = await nextNumber(db, { code }, await yearNames({ db, now: () => at }));
    if (!isKept) throw new Error('given back');
    return number;
  });
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index).padStart(3, '0'));

test('of twenty at once none repeats and none is skipped', async () => {
  const code = await newSeries('{seq:3}');
  const drawn = await Promise.all(Array.from({ length: 20 }, () => draw(code)));
  expect(drawn.sort()).toEqual(numbers(1, 20));
});

test('what is not kept gives its number back, among others too', async () => {
  const code = await newSeries('{seq:3}');
  const answers = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => draw(code, { isKept: n % 2 === 0 })));
  const kept = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  expect(kept.sort()).toEqual(numbers(1, 20));
  expect(await draw(code)).toBe('021');
});

test('several numbers come with their period and value', async () => {
  const code = await newSeries('{prefix}/{FY}/{seq:3}', 'financialYear');
  const years = { academicYear: '', financialYear: '2026-27' };
  const drawn = await school.services.db.transaction().execute((db) => drawNumbers(db, { code }, years, 2));
  expect(drawn).toEqual([
    { number: 'T/2026-27/001', period: '2026-27', value: 1 },
    { number: 'T/2026-27/002', period: '2026-27', value: 2 },
  ]);
});

test('on 1 April a series begins at 1 once, however many come before and after midnight at once', async () => {
  const code = await newSeries('{prefix}/{FY}/{seq:3}', 'financialYear');
  const before = new Date('2027-03-31T23:59:59+05:30');
  const after = new Date('2027-04-01T00:00:00+05:30');
  for (let n = 0; n < 5; n++) await draw(code, { at: before });
  const drawn = await Promise.all(Array.from({ length: 50 }, (_, n) => draw(code, { at: n % 2 ? before : after })));
  const of = (year: string) =>
    drawn.filter((number) => number.startsWith(`T/${year}/`)).map((number) => number.slice(-3));
  expect(of('2027-28').sort()).toEqual(numbers(1, 25));
  expect(of('2026-27').sort()).toEqual(numbers(6, 30));
  // When the clock is set back, the earlier year's count continues.
  expect(await draw(code, { at: before })).toBe('T/2026-27/031');
  expect(await draw(code, { at: after })).toBe('T/2027-28/026');
});

test('a number that names the academic year needs one, and says so', async () => {
  const code = await newSeries('{AY}/{seq}', 'academicYear');
  const drawn = school.services.db
    .transaction()
    .execute((db) => nextNumber(db, { code }, { academicYear: '', financialYear: '2026-27' }));
  await expect(drawn).rejects.toMatchObject({
    code: 'conflict',
    message: 'No academic year is current. Make one current in the Academic Master.',
  });
});

test('numbers that were given before there were series keep their form, and go on where they were', async () => {
  const { url } = inject('postgres');
  const name = `shala_numbering_${process.pid}`;
  await execute(url, `create database ${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'shala-numbering-'));
  const last = readdirSync(migrationsFolder).find((file) => file.endsWith('_number_series.sql')) ?? '';
  for (const file of readdirSync(migrationsFolder).filter((file) => file < last))
    copyFileSync(join(migrationsFolder, file), join(folder, file));
  await migrate(urlOf(url, name), { folder });
  await execute(urlOf(url, name), `insert into counter values ('inquiry:2026-27', 42), ('inquiry:2027-28', 7)`);
  await migrate(urlOf(url, name));

  const db = openDatabase({ url: urlOf(url, name), named: true, patience: testPatience, onLost: () => undefined });
  const drawn = [];
  for (const academicYear of ['2026-27', '2027-28', '2026-27', '2028-29'])
    drawn.push(await nextNumber(db, { code: 'inquiry' }, { academicYear, financialYear: '2026-27' }));
  expect(drawn).toEqual(['INQ/2026-27/00043', 'INQ/2027-28/00008', 'INQ/2026-27/00044', 'INQ/2028-29/00001']);
  await db.destroy();
  await execute(url, `drop database ${name} with (force)`);
  rmSync(folder, { recursive: true, force: true });
});
