import pg from 'pg';
import type { School } from './school.ts';

/**
 * Runs an act and returns the texts of its statements in order, without values. Two operations with equal texts send
 * the same queries, whatever the answers. `act` gets the growing list.
 */
export async function recordStatements<Result>(
  school: Pick<School, 'config'>,
  act: (texts: readonly string[]) => Promise<Result>,
): Promise<{ texts: string[]; result: Result }> {
  const database = new URL(school.config.databaseUrl).pathname.slice(1);
  const texts: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...values: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function recording(this: pg.Client, ...values) {
    const [first] = values as [string | { text: string }];
    if (this.database === database) texts.push(typeof first === 'string' ? first : first.text);
    return query.apply(this, values);
  };
  try {
    return { result: await act(texts), texts };
  } finally {
    prototype.query = query;
  }
}
