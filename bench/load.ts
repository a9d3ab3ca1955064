import { attendancePaths, dailyPaths, measureRegisters } from './attendance.ts';
import { type Figure, mostOfDashboard, mostOfList, mostOfSearch, percentile } from './budgets.ts';
import type { Child } from './child.ts';
import { type Fees, feePaths, measurePayments } from './fees.ts';
import type { Listing, Load } from './generator.ts';
import { othersBetween, usedSoFar } from './neighbours.ts';
import type { Taken } from './pace.ts';
import { type Flip, flipRuns } from './plan-flips.ts';
import type { Recorded } from './server.ts';

interface Options {
  server: Child;
  generator: Child;
  bare: Child;
  /** Gets the statements whose plan becomes slow. */
  flips: Flip[];
  links: string[];
  specialty: Load['specialty'];
  admins: string[];
  password: string;
  seconds: number;
}

const perSecond = 200;
const uploadsPerSecond = 10;
const signInsPerSecond = 30;
const warmUp = { seconds: 15, uploads: 3 };

/** The number of families that send a picture in a measurement, with the last rounds complete. */
export const uploadersOf = (seconds: number) => warmUp.uploads + 2 * uploadsPerSecond * (seconds + turnSeconds);

/** Ten steps for each of fifty families, and as many families again for parents who start in the middle. */
const familiesOf = ({ perSecond, seconds }: Load) =>
  perSecond > 0 ? (Math.ceil((perSecond * seconds) / 500) + 1) * 50 : 0;

/** A complete answer may take at most this many times as long as its SQL alone. */
const mostTimesBare = 3;

/** In turns, so that other load on the machine affects both sides of a comparison alike. */
const turnSeconds = 5;

/**
 * Runs the same mix of requests through the server, then their recorded SQL alone; then both again during picture
 * uploads.
 */
export async function measureLoad({
  server,
  generator,
  bare,
  flips,
  links,
  specialty,
  admins,
  password,
  seconds,
}: Options) {
  const port = await server.ask<number>('port');
  // Each family is visited once, so every save is a first one; families that send pictures are last in the list.
  const left = [...links];
  const load = (options: Partial<Load>): Promise<{ mix: Taken; uploads: Taken; signIns: Taken }> => {
    const nobody = { perSecond: 0, uploadsPerSecond: 0, signInsPerSecond: 0, families: [], uploaders: [] };
    const all: Load = { port, seconds: turnSeconds, specialty, admins, password, ...nobody, ...options };
    all.families = left.splice(0, familiesOf(all));
    all.uploaders = left.splice(left.length - all.uploadsPerSecond * all.seconds);
    return generator.ask('run', all);
  };

  await server.ask('record');
  const warm = await load({ perSecond, seconds: warmUp.seconds });
  const recorded = await server.ask<Recorded[]>('recorded');
  await load({ uploadsPerSecond: 1, seconds: warmUp.uploads });
  const replay = () => bare.ask<Taken>('run', { recorded, perSecond, seconds: turnSeconds });
  await replay();

  const before = usedSoFar();
  const turns = Math.ceil(seconds / turnSeconds);
  const all = { whole: nothingYet(), sql: nothingYet(), wholeBeside: nothingYet(), sqlBeside: nothingYet() };
  const uploads = nothingYet();
  let cpu = 0;
  for (let turn = 0; turn < turns; turn++) {
    const cpuBefore = await server.ask<number>('cpu');
    add(all.whole, (await load({ perSecond })).mix);
    cpu += (await server.ask<number>('cpu')) - cpuBefore;
    add(all.sql, await replay());
  }
  const between = usedSoFar();
  for (let turn = 0; turn < turns; turn++) {
    const both = await load({ perSecond, uploadsPerSecond });
    add(all.wholeBeside, both.mix);
    add(uploads, both.uploads);
    const [bareBeside] = await Promise.all([replay(), load({ uploadsPerSecond })]);
    add(all.sqlBeside, bareBeside);
  }
  const after = usedSoFar();
  const list = await measureLists({ server, generator, bare, flips, admins, password }, lists);
  const besideSignIns = nothingYet();
  const signIns = nothingYet();
  for (let turn = 0; turn < Math.ceil(turns / 3); turn++) {
    const both = await load({ perSecond, signInsPerSecond });
    add(besideSignIns, both.mix);
    add(signIns, both.signIns);
  }

  const statements = recorded.reduce((sum, request) => sum + request.statements.length, 0) / recorded.length;
  const figures: Figure[] = [
    { name: 'Mix: server CPU a request', value: cpu / 1000 / all.whole.done.length, unit: 'ms' },
    { name: 'Mix: SQL statements a request', value: statements, unit: '' },
    { name: 'Mix: processors busy with other programs', value: othersBetween(before, between), unit: '' },
    ...figuresOf('Mix', all.whole, all.sql),
    { name: 'Mix beside uploads: processors so busy', value: othersBetween(between, after), unit: '' },
    ...figuresOf('Mix beside uploads', all.wholeBeside, all.sqlBeside),
    ...timesOf('Uploads', uploads),
    errorsOf('Uploads', uploads),
    ...list,
    ...timesOf('Sign-ins, 30 a second', signIns),
    errorsOf('Sign-ins', signIns),
    ...timesOf('Mix beside sign-ins', besideSignIns, { p95: 300 }),
    errorsOf('Mix beside sign-ins', besideSignIns),
  ];
  return {
    figures,
    apart: apartOf({ ...all, uploads }),
    failures: failuresOf(warm.mix, uploads, signIns, besideSignIns, ...Object.values(all)),
  };
}

const nothingYet = (): Taken => ({ done: [], lateness: [] });

function add(to: Taken, { done, lateness }: Taken) {
  to.done.push(...done);
  to.lateness.push(...lateness);
}

function figuresOf(name: string, whole: Taken, sql: Taken): Figure[] {
  const p95 = (taken: Taken) => percentile(msOf(taken), 0.95);
  return [
    ...timesOf(`${name}: whole`, whole, {}, sql),
    { name: `${name}: p95 of the whole to bare SQL`, value: p95(whole) / p95(sql), unit: '×', most: mostTimesBare },
    errorsOf(`${name}: whole`, whole),
    errorsOf(`${name}: bare SQL`, sql),
  ];
}

const msOf = ({ done }: Taken, kind?: string) => done.filter((run) => !kind || run.kind === kind).map(({ ms }) => ms);

/** Reads and saves together; the written results list them separately. */
const timesOf = (name: string, taken: Taken, most: Record<string, number> = {}, bare?: Taken): Figure[] =>
  [0.5, 0.95, 0.99].map((share) => ({
    name: `${name}, p${share * 100}`,
    value: percentile(msOf(taken), share),
    unit: 'ms',
    most: most[`p${share * 100}`],
    bare: bare && percentile(msOf(bare), share),
  }));

interface Lists {
  /** The addresses, by the name of their figures. */
  paths: Record<string, string>;
  /** The most milliseconds at the 95th percentile, for the time of the SQL alone. */
  mostFor: (bareSql: number) => number;
  /** The requests of each of ten turns. */
  times: number;
  /** The session that asks; by default an Admin's. */
  cookie?: string;
}

/** The place of a page of the staff list after these letters. */
const after = Buffer.from(JSON.stringify(['hetal', 1])).toString('base64url');
/** A person of the middle of the staff, who came back once. */
const record = '/api/staff/1268';
const lists: Lists = {
  paths: {
    'List of accounts': '/api/account',
    'Staff list, first page': '/api/staff',
    'Staff list, next page': `/api/staff?after=${after}`,
    'Staff list, filtered': '/api/staff?departmentId=1&signIn=Never%20signed%20in',
    'Staff list, sorted': '/api/staff?sort=-joinedOn',
    'Staff list, searched': '/api/staff?search=asha%20patel',
    'Staff list, counts of the tabs': '/api/staff/count',
    'Staff record, card and person': `${record}/record`,
    'Staff record, employment': `${record}/employment`,
    'Staff record, education': `${record}/education`,
    'Staff record, documents': `${record}/document`,
    'Staff record, account': `${record}/account`,
    'Staff record, history': `${record}/history?before=`,
  },
  mostFor: mostOfList,
  times: 200,
};

const searches: Lists = {
  paths: Object.fromEntries(
    Object.entries({
      'two letters': 'pa',
      'a frequent surname': 'patel',
      'two words': 'jainil kheni',
      'a name in Gujarati': 'ત્રિવેદી',
      'a misspelt name': 'trivdei',
      'a name that nobody has': 'xyzzy',
      'a GR number': 'GR054321',
      'the end of a mobile number': '1234',
    }).map(([kind, words]) => [`Search by ${kind}`, `/api/search?${new URLSearchParams({ search: words })}`]),
  ),
  mostFor: mostOfSearch,
  times: 20,
};

/** The place of a page of the student list after these letters. */
const afterName = Buffer.from(JSON.stringify(['patel hetal', 1])).toString('base64url');
/** A child of the middle of the list. */
const child = '/api/student/30000';
const studentLists: Lists = {
  paths: {
    'Student list, first page': '/api/student',
    'Student list, next page': `/api/student?after=${afterName}`,
    'Student list, of a grade': '/api/student?gradeId=5',
    'Student list, of a section': '/api/student?sectionId=55',
    'Student list, birthdays of a month': '/api/student?birthMonth=January',
    'Student list, searched': '/api/student?search=riya%20patel',
    'Student list, counts of the tabs': '/api/student/count',
    'Student record, head': child,
    'Student record, personal data': `${child}/personal`,
    'Student record, family': `${child}/family`,
    'Student record, enrolment': `${child}/enrollment`,
    'Student search, a name': '/api/search?search=patel',
    'Student search, a mobile number': '/api/search?search=5500012345',
  },
  mostFor: mostOfList,
  times: 20,
};
/** As a class teacher with forty pupils. */
const teacherLists: Lists = {
  paths: {
    'Student list of a teacher, first page': '/api/student',
    'Student list of a teacher, counts of the tabs': '/api/student/count',
    'Student search of a teacher': '/api/search?search=patel',
  },
  mostFor: mostOfList,
  times: 20,
};

/** The place of a page of the inquiries in their usual order, newest first. */
const olderThan = Buffer.from(JSON.stringify(['60000', 60000])).toString('base64url');
const officeLists = (submitted: number): Lists => ({
  paths: {
    'Inquiry list, first page': '/api/inquiry',
    'Inquiry list, next page': `/api/inquiry?tab=all&after=${olderThan}`,
    'Inquiry list, filtered': '/api/inquiry?tab=all&state=Form%20sent&gradeId=3',
    'Inquiry list, overdue': '/api/inquiry?tab=overdue',
    'Inquiry list, sorted': '/api/inquiry?tab=all&sort=child',
    'Inquiry list, searched': '/api/inquiry?tab=all&search=diya%20rathod',
    'Inquiry list, counts of the tabs': '/api/inquiry/count',
    'Review list, first page': '/api/review',
    'Review list, filtered': '/api/review?waiting=More%20than%207%20days&gradeId=3',
    'Review list, counts of the tabs': '/api/review/count',
    'Review, record': `/api/review/${submitted}/record`,
    'Review, answers': `/api/review/${submitted}/answers`,
    'Inquiry, record': `/api/inquiry/${submitted}/record`,
  },
  mostFor: mostOfList,
  times: 50,
});

type Measured = Omit<Options, 'links' | 'specialty' | 'seconds'>;

/** The pages of lists, a record and the file of the whole list, with 3 000 members of staff. */
export const measureAllLists = async (how: Measured) => [...(await measureLists(how, lists)), await measureExport(how)];

/** The whole staff as a file. An account exports at most 20,000 names an hour. */
async function measureExport({ server, generator, admins, password }: Measured): Promise<Figure> {
  const port = await server.ask<number>('port');
  const cookie = await generator.ask<string>('signIn', { port, admins, password });
  const asked: Listing = { port, cookie, path: '/api/staff/export?as=csv', times: 5, atOnce: 1 };
  const taken = await generator.ask<number[]>('list', asked);
  return { name: 'Export of the staff: the slowest of five', value: Math.max(...taken), unit: 'ms', most: 1000 };
}

interface OfficeMeasured extends Measured {
  /** The session of a member of the office. */
  office: string;
  /** The inquiry whose form is submitted. */
  submitted: number;
}

/** The lists and records of the admission office at 100 000 inquiries. */
export const measureOffice = ({ office, submitted, ...how }: OfficeMeasured) =>
  measureLists(how, { ...officeLists(submitted), cookie: office });

interface StudentsMeasured extends Measured {
  /** The sessions of a class teacher and a member of the office. */
  teacher: string;
  office: string;
}

/** Lists, search and record at 60 000 students, as an Admin and as a class teacher, and their registers. */
export const measureStudents = async ({ teacher, office, ...how }: StudentsMeasured) => {
  const today = new Date().toISOString().slice(0, 10);
  const registers = { paths: attendancePaths(today), mostFor: mostOfList, times: 20 };
  const daily = { paths: dailyPaths, mostFor: mostOfList, times: 5 };
  return [
    ...(await measureLists(how, studentLists)),
    ...(await measureLists(how, { ...teacherLists, cookie: teacher })),
    ...(await measureLists(how, { ...registers, cookie: teacher })),
    ...(await measureLists(how, { ...daily, cookie: office })),
    ...(await measureRegisters({ ...how, port: await how.server.ask<number>('port'), cookie: teacher })),
  ];
};

interface FeesMeasured extends Measured {
  /** The session of an accountant. */
  accountant: string;
  fees: Fees;
}

/** Balances, day book, statement and payments of 5 000 children. */
export const measureFees = async ({ accountant, fees, ...how }: FeesMeasured) => {
  const { server } = how;
  const lists = { paths: feePaths(fees), mostFor: mostOfList, times: 10, cookie: accountant };
  return [
    ...(await measureLists(how, lists)),
    ...(await measurePayments({ port: await server.ask<number>('port'), cookie: accountant, server, ...fees })),
  ];
};

/** What the dashboard asks for when it opens. */
const dashboardPaths = (of: string) => ({
  [`Dashboard of ${of}, cards`]: '/api/dashboard',
  [`Dashboard of ${of}, to do`]: '/api/dashboard/todo',
  [`Dashboard of ${of}, the day`]: '/api/dashboard/day',
});

/** The dashboard of an Admin, the admission office and a class teacher, with the data of all parts. */
export const measureDashboards = async ({ teacher, office, ...how }: StudentsMeasured) => {
  const figures: Figure[] = [];
  for (const [of, cookie] of [['an Admin'], ['the office', office], ['a teacher', teacher]] as const)
    figures.push(
      ...(await measureLists(how, {
        paths: dashboardPaths(of),
        mostFor: mostOfDashboard,
        times: 10,
        cookie,
      })),
    );
  return figures;
};

/** The search of the header at 3 000 staff and 60 000 students. */
export const measureSearch = (how: Measured) => measureLists(how, searches);

/**
 * Requests a page of a list repeatedly as a signed-in user, in turns with its recorded SQL alone, and measures the
 * server's processor time at twenty concurrent requests.
 */
async function measureLists(
  { server, generator, bare, flips, admins, password }: Measured,
  { paths, mostFor, times, cookie: session }: Lists,
): Promise<Figure[]> {
  const who = { port: await server.ask<number>('port'), admins, password };
  const cookie = session ?? (await generator.ask<string>('signIn', who));
  const figures: Figure[] = [];
  for (const [name, path] of Object.entries(paths)) {
    const ask = (times: number, atOnce: number) =>
      generator.ask<number[]>('list', { port: who.port, path, cookie, times, atOnce } satisfies Listing);
    await server.ask('record');
    await ask(5, 1);
    const [recorded] = await server.ask<Recorded[]>('recorded');
    const replay = (times: number) => bare.ask<number[]>('repeat', { recorded, times });
    // The server and the database warm up once.
    await ask(figures.length === 0 ? 25 * times : 2 * times, 20);
    await replay(figures.length === 0 ? 5 * times : times);
    flips.push(...(await bare.ask<Flip[]>('flips', { page: name, recorded })));
    // Sequential requests use one connection: measure the plan that it keeps.
    await ask(flipRuns, 1);
    await replay(flipRuns);

    const whole: number[] = [];
    const sql: number[] = [];
    for (let turn = 0; turn < listTurns; turn++) {
      whole.push(...(await ask(times, 1)));
      sql.push(...(await replay(times)));
    }
    const cpuBefore = await server.ask<number>('cpu');
    await ask(listTurns * times, 20);
    const cpu = (await server.ask<number>('cpu')) - cpuBefore;
    const most = mostFor(percentile(sql, 0.95));
    figures.push(
      { name: `${name}: whole, p95`, value: percentile(whole, 0.95), unit: 'ms', most, bare: percentile(sql, 0.95) },
      { name: `${name}, 20 at once: server CPU a request`, value: cpu / 1000 / listTurns / times, unit: 'ms' },
    );
  }
  return figures;
}

const listTurns = 10;
const errorsOf = (name: string, { done }: Taken): Figure => ({
  name: `${name}, errors of ${done.length}`,
  value: done.length > 0 ? done.filter(({ failure }) => failure).length : Number.NaN,
  unit: '',
  most: 0,
});

/** Reads and saves separately, and how late the measuring processes themselves started requests; 95th percentiles. */
const apartOf = (runs: Record<string, Taken>) =>
  Object.fromEntries(
    Object.entries(runs).map(([name, taken]) => [
      name,
      {
        read: percentile(msOf(taken, 'read'), 0.95),
        save: percentile(msOf(taken, 'save'), 0.95),
        lateness: percentile(taken.lateness, 0.95),
      },
    ]),
  );

const failuresOf = (...runs: Taken[]) =>
  [...new Set(runs.flatMap(({ done }) => done.flatMap(({ failure }) => failure ?? [])))].slice(0, 20);
