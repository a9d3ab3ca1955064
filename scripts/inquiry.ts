// `npm run inquiry`: makes one inquiry and prints its link. What is known of the family goes behind two dashes:
// npm run inquiry -- --first-name Meera --last-name Patel --birth-date 2020-03-12 --father-mobile 9825012345
import { parseArgs } from 'node:util';
import { seedSchool } from '../database/seed/school.ts';
import { openServices } from '../src/app/services.ts';
import { createInquiry, type NewInquiry } from '../src/features/admission/shared.ts';
import { normalMobile } from '../src/kit/contract/fields.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { contextOutside } from '../src/kit/server/context.ts';
import { openLog } from '../src/kit/server/log.ts';
import { provideDatabase } from './database.ts';
import { say } from './say.ts';

process.umask(0o077);

const text = { type: 'string' } as const;
const options = {
  'first-name': text,
  'last-name': text,
  gender: text,
  'birth-date': text,
  grade: text,
  year: text,
  'father-first-name': text,
  'father-last-name': text,
  'father-mobile': text,
  'father-email': text,
  'mother-first-name': text,
  'mother-last-name': text,
  'mother-mobile': text,
  'mother-email': text,
};

try {
  const { values } = parseArgs({ options });
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

async function makeInquiry(given: Partial<Record<keyof typeof options, string>>) {
  const config = readConfig(process.env);
  const { services, close } = await openServices(config, openLog('silent'));
  try {
    const today = services.now();
    const firstYear = today.getMonth() >= 5 ? today.getFullYear() : today.getFullYear() - 1;
    const isNew = await seedSchool(services.db, { name: 'School', city: '', phone: '', email: '' }, firstYear);
    if (isNew) say('Made the usual lists of years, boards, programs, grades and careers');

    const { link, inquiryNo } = await services.db.transaction().execute(async (db) => {
      const inquiry = { ...(await placeFor(db, given)), ...(await known(given)) };
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
  const [yearRow, board, program, gradeRow] = await Promise.all([
    (year ? years.where('name', '=', year) : years.where('is_current', '=', true)).executeTakeFirst(),
    db.selectFrom('academic_board').select('id').orderBy('id').executeTakeFirstOrThrow(),
    db.selectFrom('academic_program').select('id').orderBy('id').executeTakeFirstOrThrow(),
    (grade ? grades.where('name', '=', grade) : grades).executeTakeFirst(),
  ]);
  if (!yearRow) throw new Error(`There is no academic year ${year ?? ''}.`);
  if (!gradeRow) throw new Error(`There is no grade ${grade ?? ''}.`);
  return { academicYearId: yearRow.id, boardId: board.id, programId: program.id, gradeId: gradeRow.id };
}

async function known(
  given: Partial<Record<string, string>>,
): Promise<Omit<NewInquiry, 'academicYearId' | 'boardId' | 'programId' | 'gradeId'>> {
  const gender = given.gender?.toUpperCase().slice(0, 1);
  if (gender && !/^[MFT]$/.test(gender)) throw new Error('--gender must be M, F or T.');
  const mobile = (name: string) => {
    const number = normalMobile(given[name] ?? '');
    if (number && !/^[0-9]{10}$/.test(number)) throw new Error(`--${name} must have 10 digits.`);
    return number || undefined;
  };
  return {
    firstName: given['first-name'],
    lastName: given['last-name'],
    gender: gender === 'M' || gender === 'F' || gender === 'T' ? gender : undefined,
    birthDate: given['birth-date'],
    fatherFirstName: given['father-first-name'],
    fatherLastName: given['father-last-name'],
    fatherMobile: mobile('father-mobile'),
    fatherEmail: given['father-email'],
    motherFirstName: given['mother-first-name'],
    motherLastName: given['mother-last-name'],
    motherMobile: mobile('mother-mobile'),
    motherEmail: given['mother-email'],
  };
}
