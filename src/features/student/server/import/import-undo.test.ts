import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { readRun } from '#kit/server/job/runs.ts';
import type { Person } from '#testing/browser.ts';
import { digestsOf } from '#testing/digests.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { studentImportApi } from '../../contract/import.ts';
import { importRuns } from './import.ts';

let school: School;
let admin: Person;
let grade: string;
beforeAll(async () => {
  school = await openSchool();
  const section = await openSection(school);
  await school.sql(`update academic_section set name = 'A', capacity = 80 where id = ${section}`);
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select academic_year_id, branch_id, grade_id, program_id, letter, 80, medium
    from academic_section, unnest('{B,C,D,E,F,G,H,I,J,K,L,M}'::text[]) as letter where id = ${section}`);
  const [row] = await school.sql(`select grade.name from academic_section section
    join academic_grade grade on grade.id = section.grade_id where section.id = ${section}`);
  grade = String(row?.name);
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const heads =
  'GR number,First name,Middle name,Last name,Gender,Date of birth,Admitted on,Grade,Section,Category,House';
const adults =
  'Father’s name,Father’s mobile number,Mother’s name,Mother’s mobile number,Aadhaar number,Previous school';

/** Two children of each father, 80 in a section. */
const fileOf = (from: number, count: number, over: { name?: string; house?: string } = {}) =>
  [
    `${heads},${adults}`,
    ...Array.from({ length: count }, (_, index) => {
      const n = from + index;
      const family = String(Math.floor(n / 2)).padStart(4, '0');
      const section = String.fromCharCode(65 + Math.floor(n / 80));
      const child = `M-${n},${over.name ?? 'Child'}${n},Ramesh,Patel,F,04/03/2017,12/06/2023,${grade},${section},RTE`;
      return `${child},${over.house ?? ''},Ramesh Patel,555031${family},Kokila Patel,555032${family},,Bal Mandir`;
    }),
  ].join('\r\n');

const work = async (run: number) => {
  await finishRun(school.services, importRuns, run);
  const ctx = { ...school.context(), user: { id: admin.id } } as never;
  return readRun(ctx, { id: run });
};

/** Imports a file with the words that it creates; returns the import. */
async function bring(file: string, creates: Record<string, string[]> = {}): Promise<number> {
  const stage = await admin.call(studentImportApi.importOpen, { file });
  const columns = Object.fromEntries(stage.columns.flatMap(({ plan }, place) => (plan ? [[String(place), plan]] : [])));
  const plan = { fileName: 'register.csv', columns, creates, dates: { birthDate: 'DMY', admittedOn: 'DMY' } };
  const input = { file, plan } as Parameters<typeof admin.call<typeof studentImportApi.import & Endpoint>>[1];
  const { confirmToken, counts } = await admin.call(studentImportApi.import, input);
  expect(counts.wrong).toBe(0);
  const { runId = 0 } = await admin.call(studentImportApi.import, { ...input, confirmToken: confirmToken ?? '' });
  expect(await work(runId)).toMatchObject({ failed: 0, isFinished: true });
  const [row] = await school.sql(`select id from file_import where run_id = ${runId}`);
  return Number(row?.id);
}

test('L1.31 undoing an import of 1,000 students with guardians leaves the database as it was', async () => {
  // Some are there before, and a brother or sister of some of them comes with the import.
  await bring(fileOf(0, 9));
  const before = await digestsOf(school);
  const file = fileOf(0, 1005, { name: 'Other', house: 'Ganga' });
  const importId = await bring(file, { houseId: ['Ganga'] });
  const [counts] = await school.sql(`select (select count(*)::integer from student) as students,
    (select count(*)::integer from guardian) as adults, (select count(*)::integer from academic_house) as houses,
    (select count(*)::integer from student where first_name like 'Other%') as named`);
  expect(counts).toEqual({ students: 1005, adults: 1006, houses: 1, named: 1005 });
  expect(await digestsOf(school)).not.toEqual(before);

  const { confirmToken, ...preview } = await admin.call(studentImportApi.importUndo, { importId });
  expect(preview).toMatchObject({ added: 996, changed: 9, kept: [] });
  const confirmed = { importId, confirmToken: confirmToken ?? '' };
  const { undoRun = 0 } = await admin.call(studentImportApi.importUndo, confirmed);
  expect(await work(undoRun)).toMatchObject({ done: 1005, failed: 0, isFinished: true });
  expect(await digestsOf(school)).toEqual(before);
});
