import pg from 'pg';
import type { School } from './school.ts';

/**
 * Runs an act and returns the texts of its statements in order, without values. Two operations with equal texts send
 * the same queries, whatever the answers. `act` gets the growing list, and the list of those that were answered.
 */
export async function recordStatements<Result>(
  school: Pick<School, 'config'>,
  act: (texts: readonly string[], answered: readonly string[]) => Promise<Result>,
): Promise<{ texts: string[]; result: Result }> {
  const database = new URL(school.config.databaseUrl).pathname.slice(1);
  const texts: string[] = [];
  const answered: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...values: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function recording(this: pg.Client, ...values) {
    const asked = query.apply(this, values);
    if (this.database === database) {
      const [first] = values as [string | { text: string }];
      const text = typeof first === 'string' ? first : first.text;
      texts.push(text);
      if (asked instanceof Promise)
        asked.then(
          () => answered.push(text),
          () => undefined,
        );
    }
    return asked;
  };
  try {
    return { result: await act(texts, answered), texts };
  } finally {
    prototype.query = query;
  }
}
