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
