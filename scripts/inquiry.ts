import { sql } from 'kysely';
// `npm run inquiry`: makes one inquiry and prints its link. What is known of the family follows two dashes:
// npm run inquiry -- --first-name Meera --last-name Patel --birth-date 2020-03-12 --father-mobile 9825012345
import type { NewInquiry } from '../src/features/admission-form/api.ts';
import { readCommandLine } from './command-line.ts';

process.umask(0o077);

const { values } = readCommandLine({
  command: 'npm run inquiry',
  does: 'Makes one inquiry and prints its number and link. What is given the parent can read but not change.',
  options: {
    'first-name': { type: 'string', value: '<name>', help: 'First name of the child.' },
    'last-name': { type: 'string', value: '<name>', help: 'Last name of the child.' },
    gender: { type: 'string', value: '<M|F|T>', help: 'Gender of the child.' },
    'birth-date': { type: 'string', value: '<YYYY-MM-DD>', help: 'Date of birth of the child.' },
    grade: { type: 'string', value: '<name>', help: 'Grade, such as "Grade 1"; without it the lowest.' },
    year: { type: 'string', value: '<name>', help: 'Academic year, such as 2026-27; without it the current one.' },
    'father-first-name': { type: 'string', value: '<name>', help: 'Father’s first name.' },
    'father-last-name': { type: 'string', value: '<name>', help: 'Father’s last name.' },
    'father-mobile': { type: 'string', value: '<number>', help: 'Father’s mobile number, 10 digits.' },
    'father-email': { type: 'string', value: '<email>', help: 'Father’s email address.' },
    'mother-first-name': { type: 'string', value: '<name>', help: 'Mother’s first name.' },
    'mother-last-name': { type: 'string', value: '<name>', help: 'Mother’s last name.' },
    'mother-mobile': { type: 'string', value: '<number>', help: 'Mother’s mobile number, 10 digits.' },
    'mother-email': { type: 'string', value: '<email>', help: 'Mother’s email address.' },
  },
});
const { seedSchool } = await import('../database/seed/school.ts');
const { openServices } = await import('../src/app/services.ts');
const { createInquiry } = await import('../src/features/admission-form/api.ts');
const { normalMobile } = await import('../src/kit/contract/fields.ts');
const { readConfig } = await import('../src/kit/server/config.ts');
const { contextOutside } = await import('../src/kit/server/context.ts');
const { openLog } = await import('../src/kit/server/log.ts');
const { provideDatabase } = await import('./database.ts');
const { say } = await import('./say.ts');

try {
  const stop = await provideDatabase();
  try {
    await makeInquiry(values);
  } finally {
    await stop();
  }
} catch (error) {
  say(`No inquiry was made: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function makeInquiry(options: typeof values) {
  const config = readConfig(process.env);
  const { services, close } = await openServices(config, openLog('silent'));
  try {
    const today = services.now();
    const firstYear = today.getMonth() >= 5 ? today.getFullYear() : today.getFullYear() - 1;
    const isNew = await seedSchool(services.db, { name: 'School', city: '', phone: '', email: '' }, firstYear);
    if (isNew) say('Made the usual lists of years, boards, programs, grades and careers');

    const { link, inquiryNo } = await services.db.transaction().execute(async (db) => {
      const inquiry = { ...(await placeFor(db, options)), ...(await known(options)) };
      const ctx = contextOutside({ ...services, db }, 'npm run inquiry');
      return createInquiry(ctx, 'npm run inquiry', inquiry);
    });
    say(`${inquiryNo}  ${link}`);
  } finally {
    await close();
  }
}

type Db = Parameters<
  Parameters<ReturnType<Awaited<ReturnType<typeof openServices>>['services']['db']['transaction']>['execute']>[0]
>[0];

async function placeFor(db: Db, { grade, year }: { grade?: string; year?: string }) {
  const years = db.selectFrom('academic_year').select('id');
  const grades = db.selectFrom('academic_grade').select('id').orderBy('position');
  const [yearRow, branch, board, program, gradeRow] = await Promise.all([
    (year
      ? years.where('name', '=', year)
      : years.where('id', '=', sql<number>`academic_year_on()`)
    ).executeTakeFirst(),
    db.selectFrom('academic_branch').where('is_active', '=', true).select('id').orderBy('id').executeTakeFirstOrThrow(),
    db.selectFrom('academic_board').select('id').orderBy('id').executeTakeFirstOrThrow(),
    db.selectFrom('academic_program').select('id').orderBy('id').executeTakeFirstOrThrow(),
    (grade ? grades.where('name', '=', grade) : grades).executeTakeFirst(),
  ]);
  if (!yearRow) throw new Error(`There is no academic year ${year ?? ''}.`);
  if (!gradeRow) throw new Error(`There is no grade ${grade ?? ''}.`);
  return {
    academicYearId: yearRow.id,
    branchId: branch.id,
    boardId: board.id,
    programId: program.id,
    gradeId: gradeRow.id,
  };
}

async function known(
  values: Partial<Record<string, string>>,
): Promise<Omit<NewInquiry, 'academicYearId' | 'branchId' | 'boardId' | 'programId' | 'gradeId'>> {
  const gender = values.gender?.toUpperCase().slice(0, 1);
  if (gender && !/^[MFT]$/.test(gender)) throw new Error('--gender must be M, F or T.');
  const mobile = (name: string) => {
    const number = normalMobile(values[name] ?? '');
    if (number && !/^[0-9]{10}$/.test(number)) throw new Error(`--${name} must have 10 digits.`);
    return number || undefined;
  };
  return {
    firstName: values['first-name'],
    lastName: values['last-name'],
    gender: gender === 'M' || gender === 'F' || gender === 'T' ? gender : undefined,
    birthDate: values['birth-date'],
    fatherFirstName: values['father-first-name'],
    fatherLastName: values['father-last-name'],
    fatherMobile: mobile('father-mobile'),
    fatherEmail: values['father-email'],
    motherFirstName: values['mother-first-name'],
    motherLastName: values['mother-last-name'],
    motherMobile: mobile('mother-mobile'),
    motherEmail: values['mother-email'],
  };
}
