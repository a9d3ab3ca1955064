// The SQL of recorded requests alone, on a pool like the server's: what the database itself takes for them.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { appRole } from '#kit/server/database/database.ts';
import { answerAll } from './child.ts';
import { atPace } from './pace.ts';
import type { Recorded } from './server.ts';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  // As long as the server’s, or this side would open connections anew where that one need not.
  idleTimeoutMillis: 5 * 60_000,
  options: `-c role=${appRole}`,
});

interface Run {
  recorded: Recorded[];
  perSecond: number;
  seconds: number;
}

/** The SQL of one request, run again and again, one after the other. */
interface Repeating {
  recorded: Recorded;
  times: number;
}

answerAll({
  /** Milliseconds of each time. */
  repeat: async ({ recorded, times }: Repeating): Promise<number[]> => {
    const taken: number[] = [];
    for (let time = 0; time < times; time++) {
      const start = performance.now();
      await replay(recorded);
      taken.push(performance.now() - start);
    }
    return taken;
  },
  run: ({ recorded, ...pace }: Run) =>
    atPace(pace, (index) => {
      const request = recorded[index % recorded.length];
      if (!request) throw new Error('Nothing was recorded.');
      return { kind: 'bare', end: replay(request) };
    }),
});

/** In the same order, with the same values, in the same transaction; only the Idempotency-Key is a fresh one. */
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
