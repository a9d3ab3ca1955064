// `npm run seed`: creates a fictional school of any size, for tests at scale.
import { readCommandLine } from './command-line.ts';

const { values } = readCommandLine({
  command: 'npm run seed',
  does: 'Fills an empty database, the one that npm start uses, with a made-up school of any size.',
  options: {
    students: {
      type: 'string',
      value: '<number>',
      default: '900',
      accepts: /^[1-9][0-9]{1,4}$/,
      help: 'Students of each year, 10 to 99999, with a teacher for 20 and a section for 40 of them.',
    },
    years: {
      type: 'string',
      value: '<1 to 10>',
      default: '10',
      accepts: /^([1-9]|10)$/,
      help: 'Academic years with students; all but the current one are closed.',
    },
    seed: {
      type: 'string',
      value: '<number>',
      default: '1',
      accepts: /^[0-9]{1,9}$/,
      help: 'Another number makes another school; the same one makes the same school.',
    },
  },
});
const { planOf, sizeFor } = await import('../database/seed/plan.ts');
const { seedDemo } = await import('../src/app/demo.ts');
const { withEmptySchool } = await import('../src/app/make-demo.ts');
const { readConfig } = await import('../src/kit/server/config.ts');
const { openLog } = await import('../src/kit/server/log.ts');
const { provideDatabase } = await import('./database.ts');
const { say } = await import('./say.ts');
process.umask(0o077);

try {
  const stop = await provideDatabase();
  await seed().finally(stop);
} catch (error) {
  say(`No school was made: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function seed() {
  const config = readConfig(process.env);
  if (config.production) throw new Error('Anybody can sign in to a made-up school, so there is none in production.');
  await withEmptySchool({ config, log: openLog('error'), say }, async (app, services) => {
    const size = sizeFor(Number(values.students), Number(values.years));
    const plan = planOf({ ...size, seed: Number(values.seed) }, services.now());
    say(`Making a school of about ${plan.students} students`);
    const began = Date.now();
    const isMade = await seedDemo(app, services, { plan });
    if (!isMade) throw new Error('The database has a school already. Give an empty one, or remove the folder var.');
    const seconds = Math.round((Date.now() - began) / 1000);
    const { students, enrollments, sections, staff, inquiries } = await count(services.db);
    say(`Made in ${seconds} s: ${students} students, ${enrollments} enrollments in ${plan.years} years,`);
    say(`${sections} sections, ${staff} staff and ${inquiries} inquiries. npm start serves it.`);
  });
}

async function count(db: Parameters<typeof seedDemo>[1]['db']) {
  const rowsOf = async (table: 'student' | 'student_enrollment' | 'academic_section' | 'staff' | 'admission_inquiry') =>
    (
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
    ).rows;
  return {
    students: await rowsOf('student'),
    enrollments: await rowsOf('student_enrollment'),
    sections: await rowsOf('academic_section'),
    staff: await rowsOf('staff'),
    inquiries: await rowsOf('admission_inquiry'),
  };
}
