import { join } from 'node:path';
import type { BucketSettings } from './files/s3.ts';
import { misspelt, readVariables, refusal, type Values } from './variables.ts';

/** The configuration of a process, read once at start. */
export interface Config {
  production: boolean;
  /** Whether `npm start` makes and shows a demo school. */
  hasDemo: boolean;
  /** Whether only this machine can reach the server: HOST and PUBLIC_URL are both loopback addresses. */
  isLocal: boolean;
  port: number;
  host: string;
  /** The public address; shows whether TLS is missing. Without a slash at the end. */
  publicUrl: string;
  /** The database address for the application's login. */
  databaseUrl: string;
  /** The database address for the owner, who migrates the tables; `databaseUrl` by default. */
  databaseOwnerUrl: string;
  /** Off behind a pooler that shares connections: then the login brings its settings too. */
  namedStatements: boolean;
  /** Connections for requests. */
  pool: number;
  /** Whether this process sends messages, seals, tidies up and backs up. */
  doesJobs: boolean;
  /** How many times as long as usual the server waits for the database and for child processes. */
  patience: number;
  /** The file that says by how many seconds the school's clock is ahead; never in production. */
  clock?: string;
  /** The folder of keys, embedded database and file store. */
  folder: string;
  /** The bucket of the file store, in place of `folder`. */
  bucket?: BucketSettings;
  /**
   * The folder of archives, and the local hour of the daily backup; without an hour the server makes none. With a bucket
   * an archive lies in the folder only while it is made.
   */
  backup: { folder: string; bucket?: BucketSettings; hour?: number; beforeUpgrade: boolean };
  /** Whether a start applies waiting migrations by itself. */
  upgradesAtStart: boolean;
  /** Addresses of proxies whose X-Forwarded-For is trusted; none when empty. */
  trustedProxies: string[];
  logLevel: string;
  /** Keys from the configuration, by name; keys that are not given are read from `folder`. */
  keys: { link?: string; data?: string; code?: string; backup?: string };
  /** The mail server and the sender of mail; without it mail waits in the outbox. */
  mail?: { url: string; from: string };
  /** The OpenID Connect provider for Staff; without it no page offers it. */
  provider?: {
    /** Its name on the button. */
    name: string;
    issuer: string;
    clientId: string;
    clientSecret: string;
    domains: string[];
    /** Whether addresses of which the provider says nothing are verified: those of `domains`. */
    vouches: boolean;
  };
  /** The gateway for text messages; without it they wait in the outbox. */
  sms?: { url: string; body: string; authorization: string; reportSecret: string; templateIds: Record<string, string> };
  /** Where metrics are served; without it they are not. */
  metrics?: { host: string; port: number; token?: string };
  /** The operator's address that gets what is wrong and urgent, beside the emails to Admins. */
  alertUrl?: string;
  /** Names in the environment that are nearly one of Shala's. */
  misspelt: { name: string; near: string }[];
}

type Environment = Record<string, string | undefined>;

/** Reads the configuration; throws an Error that names the variable and the remedy. */
export function readConfig(environment: Environment): Config {
  refuseEarlierNames(environment);
  const values = readVariables(environment);
  const { find, get } = values;
  const port = Number(get('PORT'));
  const databaseUrl = get('DATABASE_URL');
  const folder = find('SHALA_FOLDER') ?? join(import.meta.dirname, '../../../var');
  const host = get('HOST');
  const publicUrl = readPublicUrl(find('PUBLIC_URL'), port);
  const production = find('NODE_ENV') === 'production';
  const backupHour = get('BACKUP_HOUR');
  return {
    production,
    hasDemo: !production && get('SHALA_DEMO') === 'on',
    isLocal: isLoopback(host) && isLoopback(new URL(publicUrl).hostname),
    port,
    host,
    publicUrl,
    databaseUrl,
    databaseOwnerUrl: find('DATABASE_OWNER_URL') ?? databaseUrl,
    namedStatements: get('DATABASE_NAMED_STATEMENTS') === 'on',
    pool: Number(get('DATABASE_POOL')),
    doesJobs: get('SHALA_JOBS') === 'on',
    patience: Number(get('SHALA_PATIENCE')),
    clock: readClock(find('SHALA_CLOCK'), production),
    folder,
    bucket: readBucket('S3_BUCKET', values),
    backup: {
      folder: find('BACKUP_FOLDER') ?? join(folder, 'backups'),
      bucket: readBucket('BACKUP_BUCKET', values),
      hour: backupHour === 'off' ? undefined : Number(backupHour),
      beforeUpgrade: get('BACKUP_BEFORE_UPGRADE') === 'on',
    },
    upgradesAtStart: get('SHALA_UPGRADE') === 'on',
    trustedProxies: listOf(find('TRUSTED_PROXIES')),
    logLevel: get('LOG_LEVEL'),
    keys: {
      link: find('SHALA_LINK_KEY'),
      data: find('SHALA_DATA_KEY'),
      code: find('SHALA_CODE_KEY'),
      backup: find('SHALA_BACKUP_KEY'),
    },
    provider: readProvider(values),
    mail: readMail(values),
    sms: readSms(values),
    metrics: readMetrics(values),
    alertUrl: find('ALERT_URL'),
    misspelt: misspelt(environment),
  };
}

function readClock(file: string | undefined, production: boolean) {
  if (file && production)
    throw new Error('SHALA_CLOCK moves the school’s day. Remove it where NODE_ENV is production.');
  return file;
}

const listOf = (value = '') =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** The issuer whose name the button has where OIDC_NAME gives none. */
const googleIssuer = 'https://accounts.google.com';

function refuseEarlierNames(environment: Environment) {
  const old = Object.keys(environment).find((name) => /^GOOGLE_(CLIENT_ID|CLIENT_SECRET|DOMAINS|ISSUER)$/.test(name));
  if (old) throw new Error(`${old} is now ${old.replace('GOOGLE', 'OIDC')}. Rename it.`);
}

function readProvider({ find, get }: Values): Config['provider'] {
  const clientId = find('OIDC_CLIENT_ID');
  if (!clientId) return undefined;
  const clientSecret = find('OIDC_CLIENT_SECRET');
  if (!clientSecret) throw new Error('OIDC_CLIENT_SECRET must be given with OIDC_CLIENT_ID.');
  const issuer = get('OIDC_ISSUER');
  if (protocolOf(issuer) !== 'https:' && needsTls(issuer)) {
    throw new Error(`OIDC_ISSUER must be an https address, for example ${googleIssuer}.`);
  }
  const name = find('OIDC_NAME') ?? 'Google';
  if (issuer !== googleIssuer && !find('OIDC_NAME'))
    throw new Error('OIDC_NAME must name the provider of OIDC_ISSUER, for example Microsoft 365.');
  if (/\/(common|organizations|consumers)(\/|$)/.test(issuer))
    throw new Error('OIDC_ISSUER must name the school’s own tenant: anybody may have an account in the others.');
  const domains = listOf(find('OIDC_DOMAINS')?.toLowerCase());
  // Microsoft says nothing of an address: the school's own provider vouches for those of the school's domains.
  const vouches = issuer !== googleIssuer && domains.length > 0;
  return { name, issuer, clientId, clientSecret, domains, vouches };
}

function readMail({ find, get }: Values): Config['mail'] {
  const url = find('SMTP_URL');
  return url ? { url, from: get('MAIL_FROM') } : undefined;
}

function readSms({ find }: Values): Config['sms'] {
  const url = find('SMS_URL');
  if (!url) return undefined;
  const body = find('SMS_BODY') ?? '';
  if (!`${url}${body}`.includes('{mobile}') || !`${url}${body}`.includes('{text}'))
    throw new Error(`${refusal('SMS_URL').message} {mobile} and {text} must stand in it or in SMS_BODY.`);
  const pairs = listOf(find('SMS_TEMPLATE_IDS'));
  const templateIds = Object.fromEntries(pairs.map((pair) => pair.split('=').map((part) => part.trim())));
  return {
    url,
    body,
    authorization: find('SMS_AUTHORIZATION') ?? '',
    reportSecret: find('SMS_REPORT_SECRET') ?? '',
    templateIds,
  };
}

/** A bucket, and the folder in it that names after a slash. */
function readBucket(setting: 'S3_BUCKET' | 'BACKUP_BUCKET', { find, get }: Values): BucketSettings | undefined {
  const place = find(setting);
  if (!place) return undefined;
  const [keyId, secret] = [find('S3_ACCESS_KEY_ID'), find('S3_SECRET_ACCESS_KEY')];
  if (!keyId || !secret) throw new Error(`S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be given with ${setting}.`);
  const [name = '', ...folders] = place.split('/').filter(Boolean);
  const region = get('S3_REGION');
  const endpoint = find('S3_ENDPOINT') ?? `https://s3.${region}.amazonaws.com`;
  const patience = Number(get('SHALA_PATIENCE'));
  return { endpoint, region, keyId, secret, name, folder: folders.map((one) => `${one}/`).join(''), patience };
}

function readMetrics({ find, get }: Values): Config['metrics'] {
  const port = find('METRICS_PORT');
  if (!port) return undefined;
  const host = get('METRICS_HOST');
  const token = find('METRICS_TOKEN');
  if (!token && !isLoopback(host))
    throw new Error('METRICS_TOKEN must be given where METRICS_HOST lets other machines in.');
  return { host, port: Number(port), token };
}

const protocolOf = (address: string) => (URL.canParse(address) ? new URL(address).protocol : '');

/** As a browser writes it: links are built from it, and its protocol decides about https. */
function readPublicUrl(value: string | undefined, port: number): string {
  if (!value) return `http://localhost:${port}`;
  const { origin, pathname } = new URL(value);
  return `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
}

/** Whether a host's name or address is this machine's own: localhost, 127.0.0.0/8 or ::1. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.[0-9]{1,3}){3}|::1|\[::1\])$/i.test(host);

/** Refuses to serve other machines in demo mode, with its demo accounts and the page of all messages. */
export function checkOpenness({ production, isLocal }: Config) {
  if (production || isLocal) return;
  throw new Error(
    'HOST or PUBLIC_URL lets other machines in, who could use the demo accounts and read /dev/outbox. ' +
      'Set NODE_ENV=production to serve a school, or leave both at localhost.',
  );
}

/** Whether people would reach this server over plain http from another machine, because a proxy with TLS is missing. */
export function needsTls(publicUrl: string): boolean {
  if (!URL.canParse(publicUrl)) return true;
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
