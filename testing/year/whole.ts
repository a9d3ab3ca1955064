import { setTimeout as pause } from 'node:timers/promises';
import { addDays } from '#kit/server/day.ts';
import { doEveryMinute } from '#kit/server/job/every-minute.ts';
import { randomFrom } from '#kit/server/random.ts';
import { features } from '../../src/app/features.server.ts';
import type { Cluster } from '../faults/cluster.ts';
import { ask, confirm } from './acting.ts';
import { acts } from './acts.ts';
import { admissionActs } from './admission.ts';
import { handActs } from './by-hand.ts';
import { doubledMessages, lastMessage } from './checks.ts';
import { invariants } from './invariants.ts';
import { lessonActs } from './lessons.ts';
import { breaches, explain, type Journal, liveDay, stateOf } from './live.ts';
import { closeDay, moneyActs } from './money.ts';
import { noticeActs } from './notices.ts';
import { officeActs } from './office.ts';
import { priceActs } from './prices.ts';
import { signInAll, type YearSchool } from './school.ts';

/** What people do in the course of a year. */
const actsOfYear = [
  ...[...acts, ...moneyActs, ...lessonActs, ...officeActs],
  ...[...admissionActs, ...priceActs, ...handActs, ...noticeActs],
];

/** Of each client on a day. */
const actsOfClient = 6;

export interface YearRun {
  world: YearSchool;
  cluster: Cluster;
  seed: number;
  journal: Journal;
  /** How often the server or the database was killed. */
  kills: { server: number; database: number };
  /** What did not hold, on the first day on which it did not. */
  found: Map<string, string>;
}

/** Notes what does not hold at the end of a day, each once and with its history. */
async function lookAt({ world, journal, found }: YearRun, day: string, messagesBefore: number): Promise<void> {
  const { sql } = world.school;
  const broken = await breaches(sql, invariants, { from: day, until: day });
  const doubled = (await doubledMessages(world, messagesBefore)).map((one) => ({
    ...{ name: 'nothing is sent twice on a day', broken: one },
  }));
  for (const breach of [...broken, ...doubled]) {
    const key = `${breach.name} ${breach.broken.student ?? breach.broken.words}`;
    if (found.has(key)) continue;
    const history = explain(journal, breach, await stateOf(sql, breach.broken, day));
    found.set(key, `first on ${day}: ${history}`);
  }
}

/** The work that the server does by itself when a moment comes. */
async function doDueWork({ school }: YearSchool) {
  for (const task of features.flatMap(({ everyMinute }) => everyMinute)) await doEveryMinute(school.services, task);
}

/** Limits of an hour and the queue of jobs read the machine's clock: both follow that of the school. */
async function catchUp({ sql }: YearSchool['school']) {
  await sql('delete from attempt');
  await sql('update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null');
}

/** A server that ended by itself since yesterday is a fault; it is started again, as a service manager does. */
async function superviseServer({ world: { app }, found }: YearRun, day: string) {
  const { exitCode, signalCode } = app.child();
  if (exitCode === null && signalCode === null) return;
  const words = `by ${day} the server had ended (${exitCode ?? signalCode}): ${app.log().slice(-2000)}`;
  process.stdout.write(`${words}\n`);
  found.set(`ended ${day}`, words);
  await app.start();
}

/** Kills the server or, every third time, the database, and starts it again. */
async function killOne({ world, cluster, kills }: YearRun, random: ReturnType<typeof randomFrom>) {
  await pause(100 + random.upTo(400));
  if (random.isOnceIn(3)) {
    await cluster.kill();
    await cluster.start();
    kills.database += 1;
    return;
  }
  await world.app.kill();
  await world.app.start();
  kills.server += 1;
}

const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();

/** Lives the days of a span: registers, people at work, a kill on one day in eight, the drawer closed, the work of the night. */
export async function livePart(run: YearRun, { from, until }: { from: string; until: string }): Promise<void> {
  const { world, seed, journal } = run;
  await signInAll(world);
  for (let day = from; day <= until; day = addDays(day, 1)) {
    if (weekday(day) === 0) continue;
    await superviseServer(run, day);
    const random = randomFrom(seed + Number(day.replaceAll('-', '')));
    const messagesBefore = await lastMessage(world);
    await liveDay(world, {
      day,
      seed: seed + Number(day.replaceAll('-', '')),
      count: actsOfClient,
      journal,
      acts: actsOfYear,
      ...(random.isOnceIn(8) && { meanwhile: () => killOne(run, random) }),
    }).catch(async (error: unknown) => {
      // A server that ended by itself answers nobody.
      await superviseServer(run, day);
      throw error;
    });
    world.clockAt(day, '17:00');
    await catchUp(world.school);
    const closed = random.isOnceIn(6) ? undefined : await closeDay(world, random, day);
    if (closed) journal.push({ day, act: 'the drawer closed', isWrong: false, ...closed });
    await doDueWork(world);
    await lookAt(run, day, messagesBefore);
  }
  // It is looked at as of the last day, also where that is a Sunday.
  world.clockAt(until, '17:00');
}

/** How often each act was done and refused, for a table. */
export function countsOf(journal: Journal) {
  const counts = new Map<string, { done: number; refused: Map<string, number> }>();
  for (const { act, status, code } of journal) {
    const own = counts.get(act) ?? { done: 0, refused: new Map<string, number>() };
    if (status === 200) own.done += 1;
    else own.refused.set(`${status} ${code}`, (own.refused.get(`${status} ${code}`) ?? 0) + 1);
    counts.set(act, own);
  }
  return [...counts].map(
    ([act, { done, refused }]) =>
      `${act}: ${done}${refused.size > 0 ? ` (refused: ${[...refused].map(([code, times]) => `${times} × ${code}`).join(', ')})` : ''}`,
  );
}

/** The office decides on some children of each grade, two Admins start the turn, and server and database are killed in it. */
export async function turn(run: YearRun, lastDay: string): Promise<void> {
  const { school, app, people, grades, years, clockAt } = run.world;
  clockAt(lastDay, '20:00');
  await signInAll(run.world);
  for (const [at, gradeId] of grades.entries()) {
    const [own] = await school.sql(`select enrollment_id as id from student_on('${lastDay}')
      where academic_year_id = ${years.old.id} and grade_id = ${gradeId} order by student_id limit 1`);
    const decision = ['Detain', 'Re-test', 'Leave'][at % 3];
    const body = { version: 0, decision, reason: 'Below 33 %', conduct: '', progress: '' };
    await ask(people.office, { method: 'PUT', url: `/api/student/result/${own?.id}`, body });
  }
  const start = () => confirm(people.admin, `/year-end/${years.old.id}/turn`, { keeps: 'Same letter', gradeIds: [] });
  const both = await Promise.all([start(), start()]);
  if (both.filter(({ status, json }) => status === 200 && json.runId).length !== 1)
    throw new Error(`The turn did not start once: ${JSON.stringify(both)}`);
  // A server takes the jobs of a killed one after a minute and a half, which the run does not wait for.
  const free = () =>
    school.sql(`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour'
      where locked_at is not null`);
  for (const moment of [30, 400]) {
    await pause(moment);
    await app.kill();
    await free();
    await app.start();
    run.kills.server += 1;
  }
  await pause(300);
  await run.cluster.kill();
  await run.cluster.start();
  run.kills.database += 1;
  await free();
  const isOpen = async () =>
    (await school.sql('select from run join academic_turn on run_id = run.id where finished_at is null')).length > 0;
  while (await isOpen()) await pause(500);
}
