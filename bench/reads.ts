// What the plan of a statement reads.
import pg from 'pg';

export interface Asked {
  text: string;
  values: unknown[];
}

interface Node {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

const scans = /^(Seq|Index|Index Only|Bitmap Heap|Tid|Sample|Function) Scan$/;

/** The rows that the scans of a plan read, with those that a condition removed. */
function sumScans(node: Node): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = node;
  const own = scans.test(node['Node Type'])
    ? (rows + removed + (node['Rows Removed by Index Recheck'] ?? 0)) * loops
    : 0;
  return (node.Plans ?? []).reduce((sum, plan) => sum + sumScans(plan), Math.round(own));
}

interface Reads {
  rows?: number;
  reads?: number;
}

const reading = /^\s*(select|with)\b/i;
const writing = /\b(insert into|update|delete from|for (no key )?(update|share)|pg_\w*lock)\b/i;

/** Explains each reading statement once, without changing rows. */
export function openReads(url: string) {
  const client = new pg.Client({ connectionString: url });
  const connected = client.connect();
  const known = new Map<string, Reads>();
  const explain = async ({ text, values }: Asked): Promise<Reads> => {
    if (!reading.test(text) || writing.test(text)) return {};
    await connected;
    try {
      await client.query('begin read only');
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      return plan ? { rows: Math.round(plan['Actual Rows'] * plan['Actual Loops']), reads: sumScans(plan) } : {};
    } catch {
      // A statement of a temporary table, or one with a function that writes.
      return {};
    } finally {
      await client.query('rollback');
    }
  };
  return {
    /** The rows that a statement answers and reads; nothing of one that writes or locks. */
    of: async (asked: Asked): Promise<Reads> => {
      const found = known.get(asked.text) ?? (await explain(asked));
      known.set(asked.text, found);
      return found;
    },
    close: () => connected.then(() => client.end()),
  };
}
