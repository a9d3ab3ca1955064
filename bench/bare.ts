// Runs the SQL of recorded requests alone, on a pool like the server's, to measure what the database itself takes.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { sessionOptions } from '#kit/server/database/database.ts';
import { answerAll } from './child.ts';
import { atPace } from './pace.ts';
import { type Flip, flipOf, flipRuns } from './plan-flips.ts';
import type { Recorded } from './server.ts';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  // As long as the server's; otherwise this side would reopen connections that the server keeps.
  idleTimeoutMillis: 5 * 60_000,
  options: sessionOptions(1),
});

interface Run {
  recorded: Recorded[];
  perSecond: number;
  seconds: number;
}

/** Runs the SQL of one request repeatedly, one run after the other. */
interface Repeating {
  recorded: Recorded;
  times: number;
}

answerAll({
  /** The duration of each run in milliseconds. */
  repeat: async ({ recorded, times }: Repeating): Promise<number[]> => {
    const taken: number[] = [];
    for (let time = 0; time < times; time++) {
      const start = performance.now();
      await replay(recorded);
      taken.push(performance.now() - start);
    }
    return taken;
  },
  /** The statements of one request that become slow once PostgreSQL may keep a plan. */
  flips: async ({ page, recorded }: { page: string; recorded: Recorded }): Promise<Flip[]> => {
    const flips: Flip[] = [];
    for (const { name, text, values } of recorded.statements.filter(({ name }) => name)) {
      const client = await pool.connect();
      try {
        const runs: number[] = [];
        for (let run = 0; run < flipRuns; run++) {
          const start = performance.now();
          await client.query({ name, text, values });
          runs.push(performance.now() - start);
        }
        const flip = flipOf(runs);
        if (flip) flips.push({ page, statement: text, ...flip });
      } finally {
        // Its plans must not be those of the next statement.
        client.release(true);
      }
    }
    return flips;
  },
  run: ({ recorded, ...pace }: Run) =>
    atPace(pace, (index) => {
      const request = recorded[index % recorded.length];
      if (!request) throw new Error('Nothing was recorded.');
      return { kind: 'bare', end: replay(request) };
    }),
});

/** Same order, values and transaction as recorded; only the Idempotency-Key is new. */
async function replay({ key, statements }: Recorded) {
  const freshKey = randomUUID();
  let client: pg.PoolClient | undefined;
  try {
    for (const { name, text, values } of statements) {
      if (/^begin/i.test(text)) client = await pool.connect();
      const ownValues = values.map((value) => (key && value === key ? freshKey : value));
      await (client ?? pool).query({ name, text, values: ownValues });
      if (/^(commit|rollback)/i.test(text)) {
        client?.release();
        client = undefined;
      }
    }
  } finally {
    client?.release(true);
  }
}
