import { join } from 'node:path';

/** The configuration of a process, read once at start. */
export interface Config {
  production: boolean;
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
  /** How many times as long as usual the server waits for the database and for child processes. */
  patience: number;
  /** The folder of keys, embedded database and file store. */
  folder: string;
  /** The folder of archives, and the local hour of the daily backup; without an hour the server makes none. */
  backup: { folder: string; hour?: number; beforeUpgrade: boolean };
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
  sms?: { url: string; body: string; authorization: string; templateIds: Record<string, string> };
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

  const folder = environment.SHALA_FOLDER ?? join(import.meta.dirname, '../../../var');
  const host = environment.HOST ?? 'localhost';
  const publicUrl = readPublicUrl(environment.PUBLIC_URL, port);
  return {
    production: environment.NODE_ENV === 'production',
    isLocal: isLoopback(host) && isLoopback(new URL(publicUrl).hostname),
    port,
    host,
    publicUrl,
    databaseUrl,
    databaseOwnerUrl: environment.DATABASE_OWNER_URL ?? databaseUrl,
    namedStatements: environment.DATABASE_NAMED_STATEMENTS !== 'off',
    patience: readPatience(environment.SHALA_PATIENCE),
    folder,
    backup: {
      folder: environment.BACKUP_FOLDER || join(folder, 'backups'),
      hour: readHour(environment.BACKUP_HOUR),
      beforeUpgrade: environment.BACKUP_BEFORE_UPGRADE !== 'off',
    },
    trustedProxies: (environment.TRUSTED_PROXIES ?? '').split(',').filter(Boolean),
    logLevel,
    keys: {
      link: environment.SHALA_LINK_KEY,
      data: environment.SHALA_DATA_KEY,
      code: environment.SHALA_CODE_KEY,
      backup: environment.SHALA_BACKUP_KEY,
    },
    provider: readProvider(environment),
    mail: readMail(environment),
    sms: readSms(environment),
  };
}

function readPatience(value = '1'): number {
  if (!/^[1-9][0-9]?$/.test(value)) throw new Error('SHALA_PATIENCE must be a whole number from 1 to 99.');
  return Number(value);
}

function readHour(value = '2'): number | undefined {
  if (value === 'off') return undefined;
  if (!/^([01]?[0-9]|2[0-3])$/.test(value)) throw new Error('BACKUP_HOUR must be an hour from 0 to 23, or off.');
  return Number(value);
}

/** The issuer whose name the button has where OIDC_NAME gives none. */
const googleIssuer = 'https://accounts.google.com';

function readProvider(environment: Environment): Config['provider'] {
  const old = Object.keys(environment).find((name) => /^GOOGLE_(CLIENT_ID|CLIENT_SECRET|DOMAINS|ISSUER)$/.test(name));
  if (old) throw new Error(`${old} is now ${old.replace('GOOGLE', 'OIDC')}. Rename it.`);
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_DOMAINS = '' } = environment;
  const { OIDC_ISSUER: issuer = googleIssuer, OIDC_NAME: name = 'Google' } = environment;
  if (!clientId) return undefined;
  if (!clientSecret) throw new Error('OIDC_CLIENT_SECRET must be given with OIDC_CLIENT_ID.');
  if (protocolOf(issuer) !== 'https:' && needsTls(issuer)) {
    throw new Error(`OIDC_ISSUER must be an https address, for example ${googleIssuer}.`);
  }
  if (issuer !== googleIssuer && !environment.OIDC_NAME)
    throw new Error('OIDC_NAME must name the provider of OIDC_ISSUER, for example Microsoft 365.');
  if (/\/(common|organizations|consumers)(\/|$)/.test(issuer))
    throw new Error('OIDC_ISSUER must name the school’s own tenant: anybody may have an account in the others.');
  const domains = OIDC_DOMAINS.toLowerCase()
    .split(',')
    .map((domain) => domain.trim())
    .filter(Boolean);
  // Microsoft says nothing of an address: the school's own provider vouches for those of the school's domains.
  const vouches = issuer !== googleIssuer && domains.length > 0;
  return { name, issuer, clientId, clientSecret, domains, vouches };
}

function readMail({ SMTP_URL, MAIL_FROM }: Environment): Config['mail'] {
  if (!SMTP_URL) return undefined;
  if (!/^smtps?:$/.test(protocolOf(SMTP_URL))) {
    throw new Error('SMTP_URL must be a mail server, for example smtps://user:password@mail.school.example:465.');
  }
  if (!/^([^@<>]*<)?[^@<>\s]+@[^@<>\s]+>?$/.test(MAIL_FROM ?? '')) {
    throw new Error('MAIL_FROM must say whom mail comes from, for example Sunrise School <office@school.example>.');
  }
  return { url: SMTP_URL, from: MAIL_FROM ?? '' };
}

function readSms(environment: Environment): Config['sms'] {
  const { SMS_URL: url, SMS_BODY: body = '', SMS_AUTHORIZATION: authorization = '' } = environment;
  if (!url) return undefined;
  if (
    !/^https?:$/.test(protocolOf(url)) ||
    !`${url}${body}`.includes('{mobile}') ||
    !`${url}${body}`.includes('{text}')
  ) {
    throw new Error(
      'SMS_URL must be the address of the gateway, and {mobile} and {text} must stand in it or in SMS_BODY, ' +
        'for example https://sms.example/send?to=91{mobile}&text={text}.',
    );
  }
  const pairs = (environment.SMS_TEMPLATE_IDS ?? '').split(',').filter(Boolean);
  const templateIds = Object.fromEntries(pairs.map((pair) => pair.split('=').map((part) => part.trim())));
  return { url, body, authorization, templateIds };
}

const protocolOf = (address: string) => (URL.canParse(address) ? new URL(address).protocol : '');

/** As a browser writes it: links are built from it, and its protocol decides about https. */
function readPublicUrl(value: string | undefined, port: number): string {
  if (!value) return `http://localhost:${port}`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error('PUBLIC_URL must be the address people type, for example https://admission.school.example.');
  }
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
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
