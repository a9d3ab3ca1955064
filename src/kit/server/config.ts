import { join } from 'node:path';

/** Everything a process is told from outside, read once at start. */
export interface Config {
  production: boolean;
  port: number;
  host: string;
  /** The address people type; decides whether TLS is missing. Without a slash at the end. */
  publicUrl: string;
  /** The address the application works through. */
  databaseUrl: string;
  /** The address that owns and migrates the tables; the same unless given. */
  databaseOwnerUrl: string;
  /** Off behind a pooler that hands each statement to another connection. */
  namedStatements: boolean;
  /** Where keys, the embedded database and the file store lie. */
  folder: string;
  /** Addresses of proxies whose X-Forwarded-For is believed; empty believes nobody. */
  trustedProxies: string[];
  logLevel: string;
  /** Key material given from outside, by key name; without it the keys lie in `folder`. */
  keys: { link?: string; data?: string; code?: string; backup?: string };
}

type Environment = Record<string, string | undefined>;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];

/** Reads the configuration; throws an Error that names the variable and the remedy. */
export function readConfig(environment: Environment): Config {
  const port = Number(environment.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error('PORT must be a whole number from 0 to 65535, for example PORT=3000.');
  }
  const databaseUrl = environment.DATABASE_URL ?? '';
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new Error('DATABASE_URL must be a PostgreSQL address, for example postgres://user:password@host:5432/shala.');
  }
  const logLevel = environment.LOG_LEVEL ?? 'info';
  if (!logLevels.includes(logLevel)) throw new Error(`LOG_LEVEL must be one of ${logLevels.join(', ')}.`);

  return {
    production: environment.NODE_ENV === 'production',
    port,
    host: environment.HOST ?? 'localhost',
    publicUrl: readPublicUrl(environment.PUBLIC_URL, port),
    databaseUrl,
    databaseOwnerUrl: environment.DATABASE_OWNER_URL ?? databaseUrl,
    namedStatements: environment.DATABASE_NAMED_STATEMENTS !== 'off',
    folder: environment.SHALA_FOLDER ?? join(import.meta.dirname, '../../../var'),
    trustedProxies: (environment.TRUSTED_PROXIES ?? '').split(',').filter(Boolean),
    logLevel,
    keys: {
      link: environment.SHALA_LINK_KEY,
      data: environment.SHALA_DATA_KEY,
      code: environment.SHALA_CODE_KEY,
      backup: environment.SHALA_BACKUP_KEY,
    },
  };
}

function readPublicUrl(given: string | undefined, port: number): string {
  if (!given) return `http://localhost:${port}`;
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw new Error('PUBLIC_URL must be the address people type, for example https://admission.school.example.');
  }
  return given.replace(/\/+$/, '');
}

/** Whether people would reach this server over plain http from another machine, so that a proxy with TLS is missing. */
export function needsTls(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
