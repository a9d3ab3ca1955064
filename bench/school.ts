import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { familyFacts } from '../database/seed/answers.ts';
import { seedSchool } from '../database/seed/school.ts';
import { openAppLogin } from '../scripts/app-login.ts';
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.ts';
import { say } from '../scripts/say.ts';
import { buildServer } from '../src/app/server.ts';
import { openServices } from '../src/app/services.ts';
import { createAccount } from '../src/features/account/api.ts';
import { seedFamily } from '../src/features/admission-form/seed.ts';
import { saveLogo } from '../src/features/school/seed.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { type Context, contextOutside, type Services } from '../src/kit/server/context.ts';
import { openLog } from '../src/kit/server/log.ts';
import { databaseOf, execute } from '../testing/postgres.ts';
import { openSession } from '../testing/session.ts';
import { addRegisters } from './attendance.ts';
import { copyInquiry } from './copies.ts';
import { addFees, readFees } from './fees.ts';
import { addBenchInquiries } from './inquiries.ts';
import { addBenchStaff } from './staff.ts';
import { addStudents } from './students.ts';
import { addTeachers } from './teachers.ts';

const school = { name: 'Bench School', city: 'Surat', phone: '0261 222 1100', email: 'office@bench-school.example' };

/** What a part of the benchmark needs beside 3 000 staff and 60 000 students. */
export interface Needs {
  /** Inquiries whose families fill in the form. */
  inquiries: number;
  /** Families that send pictures. */
  uploaders: number;
  /** Whether the admission office has 100 000 inquiries. */
  hasOffice: boolean;
  /** Whether registers were taken until yesterday. */
  hasRegisters: boolean;
  /** Whether 5 000 children have fee plans and payments. */
  hasFees: boolean;
}

/** A school in a database of its own, with the durability settings of a real one. */
export async function openBenchSchool(needs: Needs) {
  const folder = mkdtempSync(join(tmpdir(), 'shala-bench-'));
  const configured = process.env.DATABASE_URL;
  const own = configured ? undefined : await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
  const server = configured ?? own?.url ?? '';
  const database = `shala_bench_${process.pid}`;
  const close = async () => {
    await execute(server, `drop database if exists ${database} with (force)`);
    await own?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await openAppLogin(server);
    await execute(server, `create database ${database}`);
    const env = { ...databaseOf(server, database), SHALA_FOLDER: join(folder, 'var') };
    return { env, close, ...(await fill(env, needs)) };
  } catch (error) {
    await close();
    throw error;
  }
}

const password = 'Teak-Bridge-48';

/** Sixty Admins: at thirty sign-ins a second, each signs in every other second. */
async function makeAdmins(ctx: Context): Promise<string[]> {
  const names = Array.from({ length: 60 }, (_, number) => `admin${number}`);
  for (const userName of names) {
    await createAccount(ctx, 'Bench', {
      name: `Admin ${userName}`,
      userName,
      email: `${userName}@bench-school.example`,
      password,
      isAdmin: true,
      isStaff: true,
      sets: ['office', 'principal'],
    });
  }
  return names;
}

/** The session cookie of a member of the office. */
async function openOffice(services: Services, ctx: Context): Promise<string> {
  const { id } = await createAccount(ctx, 'Bench', {
    name: 'Office',
    email: 'front-office@bench-school.example',
    isStaff: true,
    sets: ['office', 'admissionHead'],
  });
  const cookies = await openSession(services, { accountId: id, role: 'Staff' });
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

/** The session cookie of the first of two accountants. */
async function openAccountant(services: Services, ctx: Context): Promise<string> {
  const names = ['accounts', 'second-counter'];
  const made = [];
  for (const name of names) {
    const email = `${name}@bench-school.example`;
    made.push(await createAccount(ctx, 'Bench', { name, email, isStaff: true, sets: ['accountant'] }));
  }
  const cookies = await openSession(services, { accountId: made[0]?.id ?? 0, role: 'Staff' });
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

/** The session cookie of a class teacher of the first section that has none. */
async function openTeacher(services: Services, ctx: Context): Promise<string> {
  const { id, staffId } = await createAccount(ctx, 'Bench', {
    name: 'Class teacher',
    email: 'class-teacher@bench-school.example',
    isStaff: true,
  });
  await sql`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role,
      effective_from)
    select academic_year_id, branch_id, program_id, grade_id, section.id, ${staffId}, 'Class teacher', year.starts_on
    from academic_section section join academic_year year on year.id = academic_year_id
    where not exists (select from academic_section_teacher own where own.section_id = section.id and own.role = 'Class teacher')
    order by section.id limit 1`.execute(ctx.db);
  const cookies = await openSession(services, { accountId: id, role: 'Staff' });
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

async function fill(env: Record<string, string>, { inquiries, uploaders, hasOffice, hasRegisters, hasFees }: Needs) {
  // Tables are filled in large statements.
  const config = readConfig({ ...env, SHALA_PATIENCE: '20' });
  const log = openLog('error');
  const { services, close } = await openServices(config, log);
  try {
    await seedSchool(services.db, school, 2026);
    const app = await buildServer(services, config, log);
    const ctx = contextOutside(services, randomUUID());
    const family = { grade: 'Grade 1', inquiry: familyFacts };
    await saveLogo(ctx);
    const untouched = await seedFamily(app, ctx, { ...family, state: 'untouched' });
    const halfFilled = await seedFamily(app, ctx, { ...family, state: 'half filled', pages: 1 });
    const whole = await seedFamily(app, ctx, { ...family, state: 'ready to submit' });
    const submitted = await seedFamily(app, ctx, { ...family, state: 'submitted' });
    await app.close();

    const admins = await makeAdmins(ctx);
    say('Making 3000 staff and 60000 students');
    await addBenchStaff(services.db);
    await addStudents(services.db);
    await addTeachers(services.db);
    if (hasRegisters) say('Making registers');
    if (hasRegisters) await addRegisters(services.db);
    if (hasOffice) say('Making 100000 inquiries for the office');
    if (hasOffice) await addBenchInquiries(services.db, submitted.id);
    const office = await openOffice(services, ctx);
    const teacher = await openTeacher(services, ctx);
    const accountant = await openAccountant(services, ctx);
    if (hasFees) say('Making fees of 5000 children');
    if (hasFees) await addFees(ctx);
    const fees = await readFees(ctx);

    say(`Making ${inquiries} inquiries`);
    const links = await copyInquiry(config.databaseOwnerUrl, services, { id: whole.id, copies: inquiries, uploaders });
    // Else the database does this while the first lists are measured.
    await execute(config.databaseOwnerUrl, 'vacuum (analyze)');
    await stopUpkeep(config.databaseOwnerUrl);
    const { id, sector_id } = await services.db
      .selectFrom('academic_career')
      .where('name', '=', 'Textiles')
      .select(['id', 'sector_id'])
      .executeTakeFirstOrThrow();
    return {
      untouched: untouched.value,
      halfFilled: halfFilled.value,
      links,
      specialty: { id, sectorId: sector_id ?? 0 },
      admins,
      password,
      submitted: submitted.id,
      office,
      teacher,
      accountant,
      fees,
    };
  } finally {
    await close();
  }
}

/**
 * Keeps the database from tidying its tables by itself: twice in a load that takes up to a second of a processor, which
 * the comparisons give to one side or the other by chance.
 */
const stopUpkeep = (ownerUrl: string) =>
  execute(
    ownerUrl,
    `do $$ declare one regclass; begin
      for one in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s set (autovacuum_enabled = off)', one);
      end loop;
    end $$`,
  );
