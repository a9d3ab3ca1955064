import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds for which a start waits for a database that is starting too. */
const waitsFor = 60_000;
const tryEvery = 1000;

/** Not there yet, or "the database system is starting up". */
const passing = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ETIMEDOUT', '57P03'];

/** Waits until the database takes a connection; says so when it does not at once. Throws what the last try met. */
export async function waitForDatabase(url: string, patience: number, say: (words: string) => void): Promise<void> {
  const until = performance.now() + waitsFor * patience;
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 * patience });
    client.on('error', () => undefined); // The statement fails with the same message.
    try {
      await client.connect();
      return;
    } catch (error) {
      if (!passing.includes(codeOf(error)) || performance.now() > until) throw error;
      const { hostname, port } = new URL(url);
      if (tries === 0) say(`Waiting for PostgreSQL at ${hostname}:${port || 5432}`);
      await pause(tryEvery);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** A name with several addresses fails with one error for each. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? '';
}
