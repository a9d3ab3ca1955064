import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const required = { DATABASE_URL: 'postgres://localhost/shala' };
const oidc = { OIDC_CLIENT_ID: 'shala', OIDC_CLIENT_SECRET: 'x' };
const mail = { SMTP_URL: 'smtps://user:secret@mail.school.example:465', MAIL_FROM: 'Sunrise <office@school.example>' };
const sms = { SMS_URL: 'https://sms.example/send?to=91{mobile}&text={text}' };

test.each<[string, Record<string, string>, string]>([
  ['a port that is none', { PORT: '70000' }, 'PORT must be'],
  ['a database that is none', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be'],
  ['an address that is none', { PUBLIC_URL: 'school' }, 'PUBLIC_URL must be'],
  ['an address with a query', { PUBLIC_URL: 'https://school.example/?a=b' }, 'PUBLIC_URL must be'],
  ['an address with a fragment', { PUBLIC_URL: 'https://school.example/#a' }, 'PUBLIC_URL must be'],
  ['a patience that is none', { SHALA_PATIENCE: '0' }, 'SHALA_PATIENCE must be'],
  ['a mail server that is none', { ...mail, SMTP_URL: 'https://mail.school.example' }, 'SMTP_URL must be'],
  ['a mail server without a sender', { SMTP_URL: mail.SMTP_URL }, 'MAIL_FROM must say'],
  ['a sender that is no address', { ...mail, MAIL_FROM: 'Sunrise' }, 'MAIL_FROM must say'],
  ['two senders', { ...mail, MAIL_FROM: 'a@x.example, b@x.example' }, 'MAIL_FROM must say'],
  ['a provider without its secret', { OIDC_CLIENT_ID: 'shala' }, 'OIDC_CLIENT_SECRET must be'],
  ['a provider over plain http', { ...oidc, OIDC_ISSUER: 'http://issuer.example' }, 'OIDC_ISSUER must be'],
  ['a provider without a name', { ...oidc, OIDC_ISSUER: 'https://id.school.example' }, 'OIDC_NAME must name'],
  [
    'a tenant that anybody may join',
    { ...oidc, OIDC_NAME: 'Microsoft 365', OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
    'OIDC_ISSUER must name',
  ],
  ['an earlier name', { GOOGLE_CLIENT_ID: 'shala' }, 'GOOGLE_CLIENT_ID is now OIDC_CLIENT_ID'],
  ['a gateway without a place for the text', { SMS_URL: 'https://sms.example/?to={mobile}' }, 'SMS_URL must be'],
  ['a gateway that is none', { SMS_URL: 'sms.example/{mobile}/{text}' }, 'SMS_URL must be'],
])('%s stops the start, and its variable is named', (_, environment, words) => {
  expect(() => readConfig({ ...required, ...environment })).toThrow(words);
});

test('mail and text messages wait unless the configuration says how they leave', () => {
  const { mail: mails, sms: texts } = readConfig(required);
  expect([mails, texts]).toEqual([undefined, undefined]);
  const both = readConfig({ ...required, ...mail, ...sms, SMS_TEMPLATE_IDS: 'sign-in-code=1107, admission.link=1108' });
  expect(both.mail).toEqual({ url: mail.SMTP_URL, from: mail.MAIL_FROM });
  expect(both.sms?.templateIds).toEqual({ 'sign-in-code': '1107', 'admission.link': '1108' });
});

test.each([
  ['HTTPS://School.Example', 'https://school.example'],
  [' https://school.example/ ', 'https://school.example'],
  ['https://school.example:443/form//', 'https://school.example/form'],
  ['https://user:word@school.example', 'https://school.example'],
  ['http:127.1:3000', 'http://127.0.0.1:3000'],
])('PUBLIC_URL %j is %s, however it is written', (typed, address) => {
  expect(readConfig({ ...required, PUBLIC_URL: typed }).publicUrl).toBe(address);
});

test.each<[string, Record<string, string>, string]>([
  [
    'an unknown name with what is probably meant',
    { SHALA_PATINCE: '5' },
    'SHALA_PATINCE is no setting of Shala. Did you mean SHALA_PATIENCE?',
  ],
  ['an unknown name that is near none', { BACKUP_COLOUR: 'red' }, 'BACKUP_COLOUR is no setting of Shala. Remove it.'],
  [
    'a file for a value that is no secret',
    { SHALA_PATIENCE_FILE: '/x' },
    'SHALA_PATIENCE_FILE is no setting of Shala.',
  ],
  [
    'a clock that can be moved, in production,',
    { NODE_ENV: 'production', SHALA_CLOCK: '/tmp/clock' },
    'SHALA_CLOCK moves the school’s day. Remove it where NODE_ENV is production.',
  ],
  ['a switch that is neither on nor off', { BACKUP_BEFORE_UPGRADE: 'no' }, 'BACKUP_BEFORE_UPGRADE must be on or off.'],
])('%s stops the start', (_, environment, words) => {
  expect(() => readConfig({ ...required, ...environment })).toThrow(words);
});

test('OP2 variables of Kubernetes for a service called shala are no settings, and a name nearly right is warned of', () => {
  const ofKubernetes = { SHALA_PORT: 'tcp://10.0.0.1:3000', SHALA_SERVICE_HOST: '10.0.0.1', SHALA_PORT_3000_TCP: 'x' };
  expect(readConfig({ ...required, ...ofKubernetes, PATH: '/bin', HOME: '/root' }).misspelt).toEqual([]);
  expect(readConfig({ ...required, PUBLIC_ULR: 'https://x' }).misspelt).toEqual([
    { name: 'PUBLIC_ULR', near: 'PUBLIC_URL' },
  ]);
});

test('OP2 a secret may be in a file, without its last line break; given in both ways, or unreadable, it stops the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shala-secrets-'));
  const fileWith = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const linkKey = fileWith('link', 'link1:c2VjcmV0\n');
  expect(readConfig({ ...required, SHALA_LINK_KEY_FILE: linkKey }).keys.link).toBe('link1:c2VjcmV0');
  expect(readConfig({ ...required, HOST: '', PORT: '' })).toMatchObject({ host: 'localhost', port: 3000 });
  const databaseUrl = fileWith('database', `${required.DATABASE_URL}\r\n`);
  expect(readConfig({ DATABASE_URL_FILE: databaseUrl }).databaseUrl).toBe(required.DATABASE_URL);
  const refusalOf = (environment: Record<string, string>) => {
    try {
      readConfig({ ...required, ...environment });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  const empty = fileWith('empty', '\n');
  const large = fileWith('large', 'secret'.repeat(20_000));
  const wrong = fileWith('wrong', 'ftp://user:secret@mail.school.example');
  expect([
    refusalOf({ ...mail, SMTP_URL_FILE: wrong }),
    refusalOf({ SMTP_URL_FILE: empty }),
    refusalOf({ SMTP_URL_FILE: large }),
    refusalOf({ SMTP_URL_FILE: join(folder, 'none') }),
    refusalOf({ SMTP_URL_FILE: wrong }),
  ]).toEqual([
    'SMTP_URL and SMTP_URL_FILE are both given. Remove one.',
    `SMTP_URL_FILE names ${empty}, which is empty.`,
    `SMTP_URL_FILE names ${large}, which has more than 64 kB.`,
    `SMTP_URL_FILE names ${join(folder, 'none')}, which cannot be read (ENOENT).`,
    'SMTP_URL must be a mail server, for example smtps://user:password@mail.school.example:465.',
  ]);
  rmSync(folder, { recursive: true });
});
