import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import pg from 'pg';
import type { DB } from '#database/types.ts';
import { localTimeZone } from '#kit/contract/day.ts';

export type Database = Kysely<DB>;

// Calendar dates stay text (no time zone can shift them); counts and other bigints become numbers.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The database role of the application: no DDL, no update or delete on the audit log. */
export const appRole = 'shala_app';

/** What each connection works under: the role, deadlines, how similar a misspelt word must be (0 to 1), the school's days. */
export const sessionSettings = (patience: number): Record<string, string> => ({
  role: appRole,
  statement_timeout: String(4500 * patience),
  lock_timeout: String(4000 * patience),
  idle_in_transaction_session_timeout: String(15_000 * patience),
  'pg_trgm.word_similarity_threshold': '0.4',
  timezone: localTimeZone,
});

/** The same as a connection asks for it when it opens. */
export const sessionOptions = (patience: number): string =>
  Object.entries(sessionSettings(patience))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

interface PoolOptions {
  url: string;
  /** Whether statements have names and a connection asks for its settings; behind a pooler neither works. */
  named: boolean;
  /** How many times as long as usual it waits. */
  patience: number;
  /** The most connections; 10 by default. */
  most?: number;
  /** Seconds by which the school's clock is ahead, where it can be moved. */
  ahead?: () => number;
  /** Called when an idle connection breaks, for instance when the database restarts. */
  onLost: (error: Error) => void;
}

/** Opens a pool of connections that work as the application's role, with deadlines on everything. */
export function openDatabase({ url, named, patience, most = 10, ahead, onLost }: PoolOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: most,
    connectionTimeoutMillis: 1000 * patience,
    // Opening a connection costs as much as several saves, and a new one has no plans, so connections stay open through
    // quiet minutes.
    idleTimeoutMillis: 5 * 60_000,
    query_timeout: 5000 * patience,
    // Sends statements without waiting for earlier answers.
    pipeline: true,
    ...(named && { options: sessionOptions(patience) }),
    application_name: 'shala',
  });
  // Without a listener, an error of an idle connection would end the process.
  pool.on('error', onLost);
  // The same for a connection in use between two statements; its next statement then fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: guarded(pool, named, ahead) }) });
  pools.set(db, pool);
  return db;
}

const pools = new WeakMap<Database, pg.Pool>();

/** How many connections of a database are in use and idle, and how many callers wait for one. */
export function poolStates(db: Database): { used: number; idle: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {};
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** PostgreSQL keeps a plan for each as long as the connection lasts; the plan of a list takes 130 kB. */
const mostNamed = 500;
/** A longer statement was built for a number of rows that hardly repeats. */
const longestNamed = 20_000;
const namesOf = new WeakMap<pg.PoolClient, Set<string>>();

/**
 * A pool that names statements, so that each connection plans one once (1.2 to 1.8 times as fast). It drops a
 * connection after a void plan, a missing answer (J10) or too many names, and sends "begin" with the first statement.
 */
function guarded(pool: pg.Pool, named: boolean, ahead?: () => number): PostgresPool {
  return {
    end: () => pool.end(),
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      if (ahead) await setAhead(client, ahead());
      let inTransaction = false;
      let beginning = '';
      let isVoid = false;
      let silence: Error | undefined;
      const own = namesOf.get(client) ?? new Set();
      namesOf.set(client, own);
      const nameFor = (text: string) => {
        if (!named || text.length > longestNamed) return {};
        const name = nameOf(text);
        own.add(name);
        return { name };
      };
      const query = async (text: string, values: readonly unknown[]) => {
        if (silence) throw silence;
        if (/^(begin|start transaction)/i.test(text)) {
          inTransaction = true;
          beginning = text;
          return { command: '', rowCount: 0, rows: [] };
        }
        if (/^(commit|rollback)$/i.test(text)) inTransaction = false;
        try {
          sendTogether(client);
          const begun = beginning && client.query(beginning);
          beginning = '';
          const asked = client.query({ ...nameFor(text), text, values: [...values] });
          const [answered] = await Promise.all([asked, begun]);
          return answered;
        } catch (error) {
          if (isSilence(error)) {
            silence = error;
            isVoid = true;
          }
          if (!voidPlans.includes((error as pg.DatabaseError).code ?? '')) throw error;
          isVoid = true;
          if (inTransaction) throw error;
          return client.query(text, [...values]);
        }
      };
      // Kysely's query with a cursor is not used here.
      return { query, release: () => client.release(isVoid || own.size >= mostNamed) } as unknown as PostgresPoolClient;
    },
  };
}

/** Sends the statements of one turn of the event loop in one packet. */
function sendTogether(client: pg.PoolClient) {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const aheadOf = new WeakMap<pg.PoolClient, number>();

/** Tells a connection the school's clock where it knows an older one. */
async function setAhead(client: pg.PoolClient, seconds: number) {
  if (aheadOf.get(client) === seconds) return;
  try {
    await client.query("select set_config('shala.ahead', $1, false)", [`${seconds} seconds`]);
  } catch (error) {
    client.release(true);
    throw error;
  }
  aheadOf.set(client, seconds);
}

const voidPlans = ['0A000', '26000'];
const isSilence = (error: unknown): error is Error => error instanceof Error && error.message === 'Query read timeout';

const names = new Map<string, string>();
const mostNames = 5000;

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  if (names.size > mostNames) names.clear();
  const name = createHash('sha1').update(text).digest('base64url').slice(0, 20);
  names.set(text, name);
  return name;
}

/** Stands for a value while a query is built without values. */
class StandIn {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built once and run with different values, for lookups of nearly every request, where building costs
 * more than sending. `build` gets placeholders, which it may only pass to the query.
 */
export function prepared<Given extends object, Row>(
  build: (db: Database, values: Given) => Compilable<Row>,
): (db: Database, values: Given) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    built ??= build(db, standInsFor(values)).compile();
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof StandIn ? values[parameter.name as keyof Given] : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...built, parameters });
    return rows;
  };
}

const standInsFor = <Given extends object>(values: Given) =>
  Object.fromEntries(Object.keys(values).map((name) => [name, new StandIn(name)])) as Given;

/**
 * Runs an act whose statements do not need each other's answers over one connection, which sends them together. Elsewhere
 * each takes a connection of the pool, and in a transaction each waits for the one before.
 */
export const overOneConnection = <Result>(db: Database, act: (db: Database) => Promise<Result>): Promise<Result> =>
  db.getExecutor().provideConnection(async (connection) => {
    const asked: Promise<unknown>[] = [];
    const shared: DatabaseConnection = {
      executeQuery: <Row>(query: CompiledQuery) => {
        const answer = connection.executeQuery<Row>(query);
        asked.push(answer);
        return answer;
      },
      streamQuery: () => {
        throw new Error('A stream occupies its connection.');
      },
    };
    try {
      return await act(new Kysely<DB>({ dialect: dialectOf(shared) }));
    } finally {
      // After an error the others are still under way.
      await Promise.allSettled(asked);
    }
  });

/**
 * Runs an act that reads a few rows by key in many statements, whose planning would cost more than their running: each keeps one
 * plan for all values. PostgreSQL alone plans such a statement anew as long as it expects less of the kept plan. Not for
 * statements that read a part of a table that the values decide: lists, sums and days between.
 */
export const keepingPlans = <Result>(db: Database, act: (db: Database) => Promise<Result>): Promise<Result> =>
  db.transaction().execute((transaction) =>
    overOneConnection(transaction, async (one) => {
      const [, result] = await Promise.all([
        sql`set local plan_cache_mode = force_generic_plan`.execute(one),
        act(one),
      ]);
      return result;
    }),
  );

/** A dialect whose statements all go to this connection, without waiting for each other. */
function dialectOf(connection: DatabaseConnection): Dialect {
  const nothing = async () => undefined;
  const noTransaction = async () => {
    throw new Error('Statements that are sent together are no transaction.');
  };
  return {
    createDriver: () => ({
      init: nothing,
      acquireConnection: async () => connection,
      beginTransaction: noTransaction,
      commitTransaction: nothing,
      rollbackTransaction: nothing,
      releaseConnection: nothing,
      destroy: nothing,
    }),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Codes of PostgreSQL and the network that mean "not now" rather than "wrong". */
const passing = /^(08...|57P0.|57014|53...|55P03|40001|40P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|25P03)$/;
const passingWords =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error/;

/** Whether the database is unreachable, hung or overloaded, so that a retry makes sense later. */
export function isPassingFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  return (typeof code === 'string' && passing.test(code)) || passingWords.test(error.message);
}

/**
 * Whether the database aborted a transaction in favour of another (deadlock, serialization), so that it may be retried.
 */
export function isCollision(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');
}

/** Whether a row could not be deleted because another row refers to it. */
export const isReferredTo = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '23503';

/** Whether an insert or update violated a unique constraint; `constraint` limits it to one. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false;
  return constraint === undefined || error.constraint === constraint;
}
