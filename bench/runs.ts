import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openServices } from '../src/app/services.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { contextOutside } from '../src/kit/server/context.ts';
import { startRun } from '../src/kit/server/job/runs.ts';
import { openLog } from '../src/kit/server/log.ts';
import type { Figure } from './budgets.ts';
import type { Child } from './child.ts';

const families = 5000;
/** The servers are killed when so many families are reminded. */
const killedAt = [1500, 3500];
/** Milliseconds after which a run that makes no progress counts as stuck. */
const patience = 120_000;

interface Options {
  env: Record<string, string>;
  /** The server at work, and how another one is started. */
  server: Child;
  start: () => Child;
}

/** Reminds 5 000 families by a run whose server is killed twice, and counts what each family got. */
export async function measureRun({ env, server, start }: Options): Promise<Figure[]> {
  const { services, close } = await openServices(readConfig(env), openLog('error'));
  const { db } = services;
  const count = async (what: ReturnType<typeof sql<{ count: number }>>) => (await what.execute(db)).rows[0]?.count ?? 0;
  try {
    const { rows } = await sql<{ id: number; name: string }>`select inquiry.id, inquiry_no as name
      from admission_inquiry inquiry
      where state in ('Form sent', 'In progress') and father_email like '%@bench.example'
      order by inquiry.id limit ${families}`.execute(db);
    if (rows.length < families) throw new Error(`Only ${rows.length} families can be reminded.`);
    const begun = performance.now();
    const id = await db
      .transaction()
      .execute((db) =>
        startRun({ ...contextOutside(services, randomUUID()), db }, { kind: 'admission.remind', input: {}, rows }),
      );
    const done = () =>
      count(sql`select count(*)::int as count from run_row where run_id = ${id} and status <> 'Waiting'`);
    let running = server;
    for (const most of [...killedAt, families]) {
      await until(done, most);
      if (most === families) break;
      await running.kill();
      running = start();
    }
    const seconds = (performance.now() - begun) / 1000;
    const sent = sql`select subject_id, count(*) as messages from outbox where template = 'admission.reminder' group by 1`;
    const twice = await count(sql`select count(*)::int as count from (${sent}) as sent where messages > 1`);
    const reached = await count(sql`select count(*)::int as count from (${sent}) as sent`);
    return [
      { name: 'Reminding 5 000 families, the server killed twice', value: seconds, unit: 's' },
      { name: 'Families reminded twice', value: twice, unit: '', most: 0 },
      { name: 'Families not reminded', value: families - reached, unit: '', most: 0 },
    ];
  } finally {
    await close();
  }
}

/** Waits until `done` reaches `most`. Throws when it makes no progress. */
async function until(done: () => Promise<number>, most: number) {
  let [last, since] = [-1, performance.now()];
  for (;;) {
    const now = await done();
    if (now >= most) return;
    if (now > last) [last, since] = [now, performance.now()];
    if (performance.now() - since > patience) throw new Error(`The run stands still at ${now} of ${most}.`);
    await pause(50);
  }
}
