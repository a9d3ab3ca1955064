import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { seedDemo } from '../../src/app/demo.ts';
import { buildServer } from '../../src/app/server.ts';
import { openServices } from '../../src/app/services.ts';
import { listInquiries } from '../../src/features/admission-form/server/inquiry-links.ts';
import { extendLinks, linkOf } from '../../src/features/family/server/link.ts';
import { readConfig } from '../../src/kit/server/config.ts';
import { contextOutside, type Services } from '../../src/kit/server/context.ts';
import { openLog } from '../../src/kit/server/log.ts';
import { databaseOf, execute } from '../../testing/postgres.ts';
import { openSession } from '../../testing/session.ts';
import { openAppLogin } from '../app-login.ts';
import { freePort, startEmbeddedPostgres } from '../embedded-postgres.ts';

/** The time that every clock shows in the pictures: a school day of the demo's year, at ten in the morning. */
export const moment = new Date('2026-11-23T04:30:00Z');

/** `Teacher` is a member of Staff who leads a section and has no other sets. */
export type Role = 'Staff' | 'Admin' | 'Teacher';

export interface SignedIn {
  staffId: number;
  role: 'Staff' | 'Admin';
  /** Their browser's cookies, by name. */
  cookies: Record<string, string>;
}

export interface DemoSchool {
  origin: string;
  /** The addresses of the families' forms by state; where several families share a state, the last one's. */
  forms: Record<string, string>;
  /** The address of a guardian's page. */
  family: string;
  /** Signs in the Admin, the member of Staff with every permission set, or a class teacher. */
  signIn: (role: Role) => Promise<SignedIn>;
  /** The records that show most of their pages, by parameter or path. */
  records: Record<string, string>;
  close: () => Promise<void>;
}

/** Serves the demo school from a database and folder of its own, which `close` deletes. */
export async function openDemoSchool(): Promise<DemoSchool> {
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (const act of undo.splice(0).reverse()) await act();
  };
  try {
    return { ...(await serve(undo)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function serve(undo: (() => unknown)[]): Promise<Omit<DemoSchool, 'close'>> {
  const folder = mkdtempSync(join(tmpdir(), 'shala-shots-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const url = process.env.DATABASE_URL ?? (await startOwnPostgres(folder, undo));
  await openAppLogin(url);
  const database = `shala_shots_${process.pid}`;
  await execute(url, `create database ${database}`);
  undo.push(() => execute(url, `drop database ${database} with (force)`));

  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const place = { PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: origin };
  const config = readConfig({
    ...place,
    ...databaseOf(url, database),
    SHALA_FOLDER: join(folder, 'var'),
    SHALA_PATIENCE: '20',
  });
  const log = openLog('error');
  const opened = await openServices(config, log);
  undo.push(opened.close);
  const services = { ...opened.services, now: () => moment };
  const app = await buildServer(services, config, log);
  undo.push(() => app.close());
  const began = Date.now();
  app.addHook('onSend', async (_request, _reply, payload) => withMoment(payload, began));
  await seedDemo(app, services);
  await app.listen({ port, host: config.host });
  const inquiries = await listInquiries(services);
  const today = moment.toISOString().slice(0, 10);
  const { rows } = await sql<{ name: string; id: number | null }>`
    select 'studentID' as name, min(student_id) as id from student_on(${today})
    union all select 'guardianID', min(guardian_id) from student_guardian
      where student_id = (select min(student_id) from student_on(${today}))
    union all select 'admission/review-list/$inquiryID', min(id) from admission_inquiry where state in ('Submitted', 'Under review')
    union all select 'admission/process-admission/$inquiryID', min(id) from admission_inquiry where state = 'Offered'
    union all select 'admission/confirm-admission/$inquiryID', min(id) from admission_inquiry where state = 'Seat confirmed'`.execute(
    services.db,
  );
  return {
    origin,
    family: await findFamily(services),
    records: Object.fromEntries(rows.flatMap(({ name, id }) => (id === null ? [] : [[name, String(id)]]))),
    forms: Object.fromEntries(inquiries.map(({ state, link }) => [state, link])),
    signIn: async (person) => {
      const role = person === 'Admin' ? 'Admin' : 'Staff';
      const isTeacher = sql<boolean>`exists (select from academic_section_teacher led
        where led.staff_id = sign_in_account.staff_id and led.role = 'Class teacher')`;
      const { id, staff_id } = await services.db
        .selectFrom('sign_in_account')
        .where(role === 'Admin' ? 'is_admin' : 'is_staff', '=', true)
        .$if(person === 'Teacher', (query) => query.where(isTeacher))
        .select(['id', 'staff_id'])
        .orderBy((account) => account.fn('cardinality', ['sets']), person === 'Teacher' ? 'asc' : 'desc')
        .orderBy('id')
        .limit(1)
        .executeTakeFirstOrThrow();
      return { staffId: staff_id, role, cookies: await openSession(services, { accountId: id, role }) };
    },
  };
}

/** The page of a guardian of the first child that the pictures show. */
async function findFamily(services: Services): Promise<string> {
  const [link] = await services.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: number }>`select guardian_id as id from student_guardian
      where student_id = (select min(student_id) from student_on(${moment.toISOString().slice(0, 10)}))
      and is_primary order by 1 limit 1`.execute(db);
    return extendLinks(
      { ...contextOutside(services, 'pictures'), db },
      rows.map(({ id }) => id),
    );
  });
  return (link && (await linkOf(services, link))?.link) ?? '';
}

async function startOwnPostgres(folder: string, undo: (() => unknown)[]): Promise<string> {
  const { url, stop } = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), forgetful: true });
  undo.push(stop);
  return url;
}

/** Times that the database's own clock wrote since the start are shown as the fixed time too. */
const withMoment = (payload: unknown, began: number) =>
  typeof payload === 'string'
    ? payload.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (at) =>
        Date.parse(at) >= began ? moment.toISOString() : at,
      )
    : payload;
