// The requests of a school at 8:15: registers, family pages, homes, searches, lists and records, and what they cost.
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { linkOf } from '../src/features/family/api.ts';
import type { Services } from '../src/kit/server/context.ts';
import { openSession } from '../testing/session.ts';
import type { Figure } from './budgets.ts';
import { atPace } from './pace.ts';
import { processorOf } from './processor.ts';

/** How often a school asks for each while 35 teachers take registers, of 445 requests. */
const mix = { family: 200, home: 45, register: 35, submit: 35, search: 60, list: 70 } as const;
type Kind = keyof typeof mix;

const names: Record<Kind, string> = {
  family: 'family page',
  home: 'home, whole',
  register: 'register, open',
  submit: 'register, submit',
  search: 'search of people',
  list: 'list or record',
};
/** The most milliseconds of processor, of server and database together. */
const most: Partial<Record<Kind, number>> = { family: 10, submit: 15 };

const warmUp = 100;
const eachKind = 60;
const perSecond = 20;
const words = ['patel', 'shah', 'diya', 'aarav', 'desai', 'mehta', 'kavya', 'joshi', 'trivedi', 'rathod'];

interface Opened {
  app: FastifyInstance;
  services: Services;
  /** The address of the database's owner. */
  ownerUrl: string;
}

/** What each request of the morning costs, and how long it takes at twenty a second; registers of today are taken anew. */
export async function measureMorning({ app, services, ownerUrl }: Opened, seconds: number): Promise<Figure[]> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const ask = await openMorning(app, services, owner);
    const kinds = Object.keys(mix) as Kind[];
    // A server at 8:15 has planned its statements and compiled its code, which takes some hundred requests.
    for (const kind of kinds) for (let time = 0; time < warmUp; time++) await ask[kind]();
    const taken: Record<string, number> = {};
    for (const kind of kinds) {
      const before = await processorOf(owner);
      for (let time = 0; time < eachKind; time++) await ask[kind]();
      taken[kind] = ((await processorOf(owner)) - before) / eachKind;
    }
    const all = Object.values(mix).reduce((sum, times) => sum + times, 0);
    const mean = kinds.reduce((sum, kind) => sum + mix[kind] * (taken[kind] ?? 0), 0) / all;
    const order = orderOf(kinds);
    const { done } = await atPace({ perSecond, seconds }, (index) => {
      const kind = order[index % order.length] ?? 'family';
      return { kind, end: ask[kind]() };
    });
    const sorted = done.map(({ ms }) => ms).sort((one, other) => one - other);
    return [
      ...kinds.map(
        (kind): Figure => ({
          name: `Morning, ${names[kind]}: processor`,
          value: taken[kind] ?? Number.NaN,
          unit: 'ms',
          most: most[kind],
        }),
      ),
      { name: 'Morning, requests a second of two processors', value: 2000 / mean, unit: '' },
      {
        name: `Morning at ${perSecond} a second, median`,
        value: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
        unit: 'ms',
      },
      {
        name: `Morning at ${perSecond} a second, p95`,
        value: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
        unit: 'ms',
        most: 100,
      },
      {
        name: `Morning, errors of ${done.length}`,
        value: done.filter(({ failure }) => failure).length,
        unit: '',
        most: 0,
      },
    ];
  } finally {
    await owner.end();
  }
}

/** The kinds of the mix, each spread over the whole. */
const orderOf = (kinds: readonly Kind[]) =>
  kinds
    .flatMap((kind) => Array.from({ length: mix[kind] }, (_, index) => ({ kind, at: (index + 0.5) / mix[kind] })))
    .sort((one, other) => one.at - other.at)
    .map(({ kind }) => kind);

async function openMorning(app: FastifyInstance, services: Services, owner: pg.Client) {
  const cookies = await openCookies(services);
  const links = await openLinks(services);
  const sections = await openRegisters(owner);
  const counts = new Map<string, number>();
  const next = <One>(of: string, from: readonly One[]): One => {
    const count = counts.get(of) ?? 0;
    counts.set(of, count + 1);
    return from[count % from.length] as One;
  };
  const send = async (url: string, cookie: string, payload?: object) => {
    const answer = await app.inject({
      method: payload ? 'POST' : 'GET',
      url: `/api${url}`,
      headers: { ...(cookie && { cookie }), 'sec-fetch-site': 'same-origin' },
      ...(payload && { payload }),
    });
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body.slice(0, 200)}`);
    return answer.json();
  };
  const { office, teacher, admin } = cookies;
  const ids: number[] = (await send('/student?tab=all', office)).rows.map(({ id }: { id: number }) => id);
  const sheets = new Map<number, Sheet>();
  return {
    family: () => send(`/family?${next('link', links)}`, ''),
    home: async () => {
      const cookie = next('home', [teacher, teacher, teacher, office, admin]);
      for (const path of ['', '/day', '/todo', '/badge']) await send(`/dashboard${path}`, cookie);
    },
    register: async () => {
      const id = next('opened', sections);
      sheets.set(id, await send(`/attendance/register?sectionId=${id}`, office));
    },
    submit: async () => {
      const id = next('submitted', sections);
      const sheet: Sheet = sheets.get(id) ?? (await send(`/attendance/register?sectionId=${id}`, office));
      sheets.delete(id);
      const [present, absent] = ['P', 'A'].map((code) => sheet.codes.find((one) => one.code === code)?.id);
      const marks = sheet.children
        .filter(({ takenIn }) => takenIn === '')
        .map(({ studentId, mark }, index) => {
          // A register that was taken already is changed.
          const codeId = (index % 13 === 5) === (mark?.codeId === absent) ? present : absent;
          return { studentId, codeId, arrivedAt: '' };
        });
      const { day, slot, register } = sheet;
      await send('/attendance/register', office, {
        sectionId: id,
        day,
        slot,
        rowVersion: register?.version ?? 0,
        marks,
      });
    },
    search: () => send(`/search?search=${next('word', words)}`, next('searcher', [office, teacher, admin])),
    list: () => {
      const path = next('list', ['/student', `/student/${next('record', ids)}`, '/student?search=patel']);
      return send(path, office);
    },
  } satisfies Record<Kind, () => Promise<unknown>>;
}

interface Sheet {
  day: string;
  slot: string;
  register: { version: number } | null;
  codes: { id: number; code: string }[];
  children: { studentId: number; takenIn: string; mark: { codeId: number } | null }[];
}

/** A member of the office, a teacher and an Admin. */
async function openCookies(services: Services) {
  const accounts = await services.db
    .selectFrom('sign_in_account')
    .select(['id', 'is_staff', 'sets'])
    .where('is_active', '=', true)
    .orderBy('id')
    .execute();
  const cookieOf = async (account: { id: number; is_staff: boolean } | undefined) => {
    if (!account) throw new Error('The school lacks somebody who signs in.');
    const cookies = await openSession(services, { accountId: account.id, role: account.is_staff ? 'Staff' : 'Admin' });
    return Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  };
  const staff = accounts.filter(({ is_staff }) => is_staff);
  return {
    office: await cookieOf(staff.find(({ sets }) => sets.length === 1 && sets[0] === 'office')),
    teacher: await cookieOf(staff.find(({ sets }) => sets.length === 0)),
    admin: await cookieOf(accounts.find(({ is_staff }) => !is_staff)),
  };
}

/** The queries of the links of some guardians. */
async function openLinks(services: Services): Promise<string[]> {
  const rows = await services.db
    .selectFrom('family_link')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', services.now())
    .select('guardian_id')
    .orderBy('guardian_id')
    .limit(400)
    .execute();
  const links = await Promise.all(
    rows.map(({ guardian_id }) => linkOf(services, { guardianId: guardian_id, version: null })),
  );
  return links.flatMap((one) => (one ? [new URL(one.link, 'http://school').search.slice(1)] : []));
}

/** Makes today a school day without registers; answers the sections that have children. */
async function openRegisters(owner: pg.Client): Promise<number[]> {
  await owner.query(`
    insert into academic_calendar_day (academic_year_id, day, kind, name)
      select id, current_date, 'Working day', 'Bench' from academic_year where current_date between starts_on and ends_on
      on conflict (day, grade_id) do update set kind = 'Working day';
    alter table attendance_message disable trigger user;
    delete from attendance_message where day = current_date;
    alter table attendance_message enable trigger user;
    delete from attendance_correction where register_id in (select id from attendance_register where day = current_date);
    delete from attendance_mark where day = current_date;
    delete from attendance_register where day = current_date`);
  const { rows } = await owner.query<{ id: number }>(`
    select distinct section_id as id from student_on(current_date) where section_id is not null order by 1`);
  return rows.map(({ id }) => id);
}
