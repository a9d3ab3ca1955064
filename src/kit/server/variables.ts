import { readFileSync, statSync } from 'node:fs';

/** What a value must be; its words complete "PORT must …". */
interface Kind {
  words: string;
  /** Shown in the refusal, in place of the value that was given. */
  example?: string;
  isValid: (value: string) => boolean;
}

interface Variable {
  kind: Kind;
  /** The value where none is given. */
  value?: string;
  /** What happens without a value, in words; by default the value itself. */
  without?: string;
  /** The program that reads it, where that is not the server. */
  reader?: 'npm start' | 'npm run create-admin' | 'npm run prepare-database' | 'npm test';
  /** May be given as a file too, whose path is in the variable of the same name with _FILE. */
  isSecret?: true;
  words: string;
}

const protocolIn = (protocols: RegExp) => (value: string) =>
  URL.canParse(value) && protocols.test(new URL(value).protocol);

const anything: Kind = { words: 'be given', isValid: () => true };
const onOrOff: Kind = { words: 'be on or off', isValid: (value) => /^(on|off)$/.test(value) };
const whole = (least: number, most: number, example?: string): Kind => ({
  words: `be a whole number from ${least} to ${most}`,
  example,
  isValid: (value) => /^[0-9]{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most,
});
const oneOf = (values: readonly string[]): Kind => ({
  words: `be one of ${values.join(', ')}`,
  isValid: (value) => values.includes(value),
});
const hour: Kind = {
  words: 'be an hour from 0 to 23, or off',
  isValid: (value) => value === 'off' || /^([01]?[0-9]|2[0-3])$/.test(value),
};
const postgres: Kind = {
  words: 'be a PostgreSQL address',
  example: 'postgres://user:password@host:5432/shala',
  isValid: (value) => /^postgres(ql)?:\/\//.test(value),
};
const publicAddress: Kind = {
  words: 'be the address people type',
  example: 'https://admission.school.example',
  isValid: (value) => protocolIn(/^https?:$/)(value) && !new URL(value).search && !new URL(value).hash,
};
const mailServer: Kind = {
  words: 'be a mail server',
  example: 'smtps://user:password@mail.school.example:465',
  isValid: protocolIn(/^smtps?:$/),
};
const sender: Kind = {
  words: 'say whom mail comes from',
  example: 'Sunrise School <office@school.example>',
  isValid: (value) => /^([^@<>]*<)?[^@<>\s]+@[^@<>\s]+>?$/.test(value),
};
const atLeast24: Kind = {
  words: 'have 24 to 100 letters and digits',
  example: 'k3v9sXq2pLwZ7tRb5mNc8dYf',
  isValid: (value) => /^[A-Za-z0-9]{24,100}$/.test(value),
};
/** A template: its places for number and text may also stand in SMS_BODY. */
const gateway: Kind = {
  words: 'be the address of the gateway',
  example: 'https://sms.example/send?to=91{mobile}&text={text}',
  isValid: protocolIn(/^https?:$/),
};
const webhook: Kind = {
  words: 'be the address of a web service',
  example: 'https://monitor.example/shala',
  isValid: protocolIn(/^https?:$/),
};
const storage: Kind = {
  words: 'be the address of a server that speaks S3',
  example: 'https://minio.school.example',
  isValid: (value) => protocolIn(/^https?:$/)(value) && !new URL(value).search && new URL(value).pathname === '/',
};
const bucket: Kind = {
  words: 'name a bucket, and a folder in it after a slash',
  example: 'shala-files/north',
  isValid: (value) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9_-]{1,60}){0,4}\/?$/.test(value),
};
/** Keys are checked where they are opened, against those that the database knows. */
const key = (name: string, what: string): Variable => ({
  kind: anything,
  without: `\`var/keys/${name}\``,
  isSecret: true,
  words: `${what}, \`id:base64\`; older ones after a comma.`,
});

/** Every variable of the environment that Shala reads, in the order of the guide (docs/guide/operate.md). */
const variables = {
  NODE_ENV: {
    kind: anything,
    without: '',
    words: '`production` for a school; without it only this machine is served, with the demo school.',
  },
  PORT: { kind: whole(0, 65_535, 'PORT=3000'), value: '3000', words: 'Port to listen on; 0 takes a free one.' },
  HOST: { kind: anything, value: 'localhost', words: 'Address to listen on; `0.0.0.0` for all.' },
  PUBLIC_URL: {
    kind: publicAddress,
    without: '`http://localhost:PORT`',
    words: 'The public address. `https:` also sends Strict-Transport-Security.',
  },
  DATABASE_URL: {
    kind: postgres,
    without: 'embedded',
    isSecret: true,
    words: '`postgres://…` of the application. For `npm test`, a server that can create databases.',
  },
  DATABASE_OWNER_URL: {
    kind: postgres,
    without: 'embedded, `DATABASE_URL`',
    isSecret: true,
    words: 'The login that owns and migrates the tables; in production not that of `DATABASE_URL`.',
  },
  DATABASE_ADMIN_URL: {
    kind: postgres,
    without: '',
    isSecret: true,
    reader: 'npm run prepare-database',
    words:
      'The login of an administrator, who makes the other two and the database; also for `npm run backup -- --verify`.',
  },
  DATABASE_NAMED_STATEMENTS: {
    kind: onOrOff,
    value: 'on',
    words: '`off` behind a pooler by transaction; its login then needs settings of its own ([above](#a-pooler)).',
  },
  DATABASE_POOL: {
    kind: whole(3, 50),
    value: '10',
    words: 'Connections of a process for requests; jobs take four more, or two below a pool of 8.',
  },
  SHALA_JOBS: {
    kind: onOrOff,
    value: 'on',
    words: '`off` for a process that only answers requests: another one must send messages, seal, tidy up and back up.',
  },
  SHALA_PATIENCE: {
    kind: whole(1, 99),
    value: '1',
    words: 'How many times as long the server waits for database and child processes; tests set 10.',
  },
  SHALA_CLOCK: {
    kind: anything,
    without: 'none',
    words: 'For a rehearsal: a file with the seconds by which the school’s clock is ahead. Refused in production.',
  },
  SHALA_FOLDER: {
    kind: anything,
    without: '`var`',
    words: 'Folder of keys, files and the embedded database.',
  },
  S3_BUCKET: {
    kind: bucket,
    without: 'none',
    words:
      'Bucket of uploaded files in place of `SHALA_FOLDER`, so that several machines share them ([how](../run/machines.md)).',
  },
  S3_ENDPOINT: {
    kind: storage,
    without: 'Amazon’s',
    words: 'The address of another server that speaks S3, without a bucket.',
  },
  S3_REGION: { kind: anything, value: 'us-east-1', words: 'Its region; `ap-south-1` is Amazon’s in Mumbai.' },
  S3_ACCESS_KEY_ID: { kind: anything, without: '', isSecret: true, words: 'The key of both buckets.' },
  S3_SECRET_ACCESS_KEY: { kind: anything, without: '', isSecret: true, words: 'Its secret.' },
  BACKUP_HOUR: {
    kind: hour,
    value: '2',
    words: 'Hour of the daily backup by the machine’s clock, 0 to 23; `off` for none.',
  },
  BACKUP_FOLDER: {
    kind: anything,
    without: '`var/backups`',
    words: 'Folder of archives; one for each school.',
  },
  BACKUP_BUCKET: {
    kind: bucket,
    without: 'none',
    words: 'Bucket of archives in place of that folder; with its own folder for each school after a slash.',
  },
  BACKUP_BEFORE_UPGRADE: { kind: onOrOff, value: 'on', words: '`off` makes no backup before an upgrade.' },
  SHALA_UPGRADE: {
    kind: onOrOff,
    value: 'on',
    words: '`off` refuses a start while migrations wait: `npm run upgrade` applies them.',
  },
  SHALA_LINK_KEY: key('link', 'Key of the links'),
  SHALA_DATA_KEY: key('data', 'Key of encrypted data'),
  SHALA_CODE_KEY: key('code', 'Key for one-time codes, links to a password, seals'),
  SHALA_BACKUP_KEY: key('backup', 'Key of the archives'),
  SHALA_DEMO: { kind: onOrOff, value: 'on', reader: 'npm start', words: '`off` makes no demo school.' },
  SHALA_DEMO_TEMPLATE: {
    kind: onOrOff,
    value: 'on',
    reader: 'npm start',
    words: '`off` makes each demo school itself, and copies none of an earlier start of the same day.',
  },
  SHALA_NEW_PASSWORD: {
    kind: anything,
    without: 'asks',
    reader: 'npm run create-admin',
    words: 'The password of the new Admin.',
  },
  TRUSTED_PROXIES: {
    kind: anything,
    without: 'none',
    words: 'Proxies whose X-Forwarded-For is trusted: `127.0.0.1,10.0.0.0/8`.',
  },
  OIDC_CLIENT_ID: {
    kind: anything,
    without: 'no provider',
    words: 'Of the OAuth client; register `<PUBLIC_URL>/login` as its redirect address.',
  },
  OIDC_CLIENT_SECRET: { kind: anything, without: '', isSecret: true, words: 'Its secret.' },
  OIDC_DOMAINS: {
    kind: anything,
    without: 'any',
    words: 'Email domains that may sign in, with commas; an active Staff account is always needed.',
  },
  OIDC_ISSUER: {
    kind: anything,
    value: 'https://accounts.google.com',
    words:
      'Another OpenID Connect provider: `https://login.microsoftonline.com/<tenant id>/v2.0` for Microsoft 365, which ' +
      'also needs `OIDC_DOMAINS`.',
  },
  OIDC_NAME: { kind: anything, without: '`Google`', words: 'The name of that provider on the button.' },
  SMTP_URL: {
    kind: mailServer,
    without: 'mail waits',
    isSecret: true,
    words: '`smtps://user:password@host:465`; with `smtp://`, `?requireTLS=true` insists on TLS.',
  },
  MAIL_FROM: {
    kind: sender,
    without: '',
    words: 'Sender of mail, `Sunrise School <office@school.example>`; required with `SMTP_URL`.',
  },
  SMS_URL: {
    kind: gateway,
    without: 'text messages wait',
    words:
      'The gateway’s address; {mobile}, {text}, {id}, {templateId}, {language} and {unicode} (0 or 1) are filled in.',
  },
  SMS_BODY: { kind: anything, without: '', words: 'JSON to POST instead, with the same values.' },
  SMS_AUTHORIZATION: {
    kind: anything,
    without: '',
    isSecret: true,
    words: 'The Authorization header of the gateway.',
  },
  SMS_REPORT_SECRET: {
    kind: atLeast24,
    without: 'no reports of delivery are taken',
    isSecret: true,
    words:
      'The end of the address at which the gateway reports what became of messages, after /api/message/report/: a form with id, state (Accepted, Failed, Delivered or Read), reason and isFinal, or JSON { "reports": [{ … }] }.',
  },
  SMS_TEMPLATE_IDS: {
    kind: anything,
    without: '',
    words: 'IDs for kinds without one in Organizational Master, `sign-in-code=1107…`.',
  },
  METRICS_PORT: {
    kind: whole(1, 65_535),
    without: 'none',
    words: 'Port of `/metrics` for Prometheus, apart from the pages.',
  },
  METRICS_HOST: {
    kind: anything,
    value: '127.0.0.1',
    words: 'Address of that port; any but this machine’s needs the token.',
  },
  METRICS_TOKEN: {
    kind: anything,
    without: '',
    isSecret: true,
    words: 'What a monitor sends as `Authorization: Bearer …`.',
  },
  ALERT_URL: {
    kind: webhook,
    without: 'emails to Admins alone',
    isSecret: true,
    words: 'Gets what is wrong and urgent as JSON by POST, also while mail hangs.',
  },
  LOG_LEVEL: {
    kind: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    value: 'info',
    without: '`info`; `warn` with `npm start`',
    words: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`.',
  },
  CHROMIUM: {
    kind: anything,
    without: 'found',
    reader: 'npm test',
    words: 'The browser of the browser tests; `/usr/bin/chromium` and similar are tried.',
  },
  E2E_PORT: {
    kind: whole(1, 65_534),
    value: '21470',
    reader: 'npm test',
    words: 'Port of the browser tests’ server; the next one is used too.',
  },
} as const satisfies Record<string, Variable>;

type Name = keyof typeof variables;
type Environment = Record<string, string | undefined>;

const table: Readonly<Record<string, Variable>> = variables;

/** The refusal of a value, which it never repeats: the value may be a password. */
export function refusal(name: Name): Error {
  const { words, example } = table[name]?.kind ?? anything;
  return new Error(`${name} must ${words}${example ? `, for example ${example}` : ''}.`);
}

/** Where the values of the environment are read; throws when one is not what its variable must be. */
export interface Values {
  /** The value that was given, or the one of the table; undefined where neither is. */
  find: (name: Name) => string | undefined;
  /** The same; throws where neither is. */
  get: (name: Name) => string;
}

/** Reads the environment by the table: also from files for secrets, and refuses names that are no variable of Shala. */
export function readVariables(environment: Environment): Values {
  for (const name of Object.keys(environment)) refuseUnknown(name);
  const find = (name: Name) => {
    const given = readSecretFile(name, environment) || environment[name] || table[name]?.value;
    if (given !== undefined && !table[name]?.kind.isValid(given)) throw refusal(name);
    return given;
  };
  return {
    find,
    get: (name) => {
      const value = find(name);
      if (value === undefined) throw refusal(name);
      return value;
    },
  };
}

const fileEnd = '_FILE';
const largestSecret = 64 * 1024;

/** The secret in the file that NAME_FILE names, without its last line break. */
function readSecretFile(name: string, environment: Environment): string | undefined {
  const path = environment[`${name}${fileEnd}`];
  if (!table[name]?.isSecret || !path) return undefined;
  if (environment[name]) throw new Error(`${name} and ${name}${fileEnd} are both given. Remove one.`);
  const refuse = (why: string) => new Error(`${name}${fileEnd} names ${path}, ${why}.`);
  let content: string;
  try {
    if (statSync(path).size > largestSecret) throw refuse('which has more than 64 kB');
    content = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code ? refuse(`which cannot be read (${code})`) : error;
  }
  if (content === '') throw refuse('which is empty');
  return content;
}

/** All names that begin so are Shala's. */
const ownNames = /^(SHALA|BACKUP|OIDC|SMS|METRICS|ALERT|S3)_/;
/** Kubernetes sets these for a service that is called shala. */
const ofKubernetes = /^SHALA_(SERVICE_|PORT$|PORT_)/;

/** A secret may be given in one of two ways. */
const isFileOf = (name: string) => name.endsWith(fileEnd) && table[name.slice(0, -fileEnd.length)]?.isSecret === true;

function refuseUnknown(name: string) {
  if (!ownNames.test(name) || ofKubernetes.test(name) || name in table || isFileOf(name)) return;
  const near = findNear(name);
  throw new Error(`${name} is no setting of Shala.${near ? ` Did you mean ${near}?` : ' Remove it.'}`);
}

/** Names of the environment that are nearly one of Shala's, which itself is not given: probably misspelt. */
export const misspelt = (environment: Environment): { name: string; near: string }[] =>
  Object.keys(environment).flatMap((name) => {
    if (name in table || ownNames.test(name) || isFileOf(name)) return [];
    const near = findNear(name);
    return near && environment[near] === undefined ? [{ name, near }] : [];
  });

/** Short names differ by two letters from too much: PORT and PATH. */
const shortest = 8;

const findNear = (name: string): string | undefined =>
  Object.keys(table).find((known) => known.length >= shortest && name !== known && distance(name, known) <= 2);

/** How many letters must be added, removed or replaced to make one word of the other. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [at, wanted] of [...other].entries()) {
      const replaced = (row[at] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The rows of the guide's table. */
export const documentedVariables = (): { name: string; without: string; words: string }[] =>
  Object.entries(table).map(([name, { value, without, reader, isSecret, words }]) => ({
    name: `\`${name}\`${isSecret ? ' *' : ''}`,
    without: without ?? `\`${value}\``,
    words: reader ? `${words} Read by \`${reader}\`.` : words,
  }));

/** The lines of `.env.example`: each variable of the server with its meaning, and its usual value or an example. */
export const exampleLines = (): string[] =>
  Object.entries(table)
    .filter(([, { reader }]) => !reader)
    .flatMap(([name, { kind, value, words }]) => [
      '',
      `# ${words.replaceAll('`', '').split(' ([')[0]?.replace(/\.?$/, '.')}`,
      `#${name}=${value ?? kind.example ?? ''}`,
    ]);
