import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server } from 'oauth2-mock-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount } from '#features/account/api.ts';
import type { Browser } from '#testing/browser.ts';
import { openOwnSchool, openSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import { byGoogle } from './google.ts';

// Uses a test provider that returns whatever identity a test needs.
const provider = new OAuth2Server();
let school: School;
let elsewhere: School;
let oidc: Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_NAME' | 'OIDC_CLIENT_SECRET' | 'OIDC_DOMAINS', string>;
/** The identity in the provider's token, and how a test alters its answers. */
let told: Record<string, unknown>;
let answered: (body: Record<string, unknown>) => void;

beforeAll(async () => {
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  provider.service.on('beforeTokenSigning', (token) => {
    Object.assign(token.payload, told);
  });
  provider.service.on('beforeResponse', (response) => answered(response.body));
  oidc = {
    OIDC_ISSUER: `http://127.0.0.1:${provider.address().port}`,
    OIDC_CLIENT_ID: 'shala',
    OIDC_NAME: 'Microsoft 365',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_DOMAINS: 'school.example,staff.example',
  };
  provider.issuer.url = oidc.OIDC_ISSUER;
  school = await openOwnSchool(oidc);
  elsewhere = await openOwnSchool({ ...oidc, OIDC_ISSUER: 'http://127.0.0.1:1' });
});
beforeEach(() => {
  told = {};
  answered = () => undefined;
});
afterEach(() => school.sql('delete from attempt'));
afterAll(async () => {
  await Promise.all([school.close(), elsewhere.close()]);
  await provider.stop();
});

let made = 0;
const somebody = async (values: object = { isStaff: true }) => {
  const number = ++made;
  const email = `google${number}@school.example`;
  const { id, staffId } = await createAccount(school.context(), 'Test', { name: `Google ${number}`, email, ...values });
  told = { email, email_verified: true, sub: `subject-${number}` };
  return { id, staffId, email };
};

const start = (browser: Browser, body: object = {}) =>
  browser.send({ method: 'POST', url: '/api/sign-in/google', body });
/** Goes to the provider and back; returns the query of the redirect. */
const goThere = async (browser: Browser, body: object = {}) => {
  const { json } = await start(browser, body);
  const { headers } = await fetch(json.address, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').search.slice(1);
};
const comeBack = (browser: Browser, GoogleAnswer: string) =>
  browser.send({
    method: 'POST',
    url: '/api/sign-in/authenticate-user',
    body: { AuthenicateUserBy: 'Google', GoogleAnswer },
  });
const signIn = async (browser = school.browser(), body: object = {}) => ({
  browser,
  answer: await comeBack(browser, await goThere(browser, body)),
});
const me = (browser: Browser) => browser.send({ url: '/api/sign-in/me' });
const lastReason = async () =>
  (
    await school.sql(
      `select details->>'reason' as reason from audit where action = 'sign-in.refused' order by id desc limit 1`,
    )
  )[0]?.reason;

test('A15 signs in the account of a verified email address, as Staff, also that of an Admin', async () => {
  const { id, staffId } = await somebody({
    isStaff: true,
    isAdmin: true,
    userName: 'google.admin',
    password: 'Teak-Bridge-48',
  });
  const { browser, answer } = await signIn();
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject([{ isSuccess: true, otPval: '', userMasterModel: [{ userID: staffId }] }]);
  expect((await me(browser)).json).toMatchObject({ userID: staffId, role: 'Staff' });
  const [row] = await school.sql(`select google_subject as subject from sign_in_account where id = ${id}`);
  expect(row?.subject).toBe(told.sub);
  const again = await signIn();
  expect(again.answer.json[0].isSuccess).toBe(true);
});

test('A15 an address of which a provider of the school’s own says nothing, as Microsoft’s do, is verified within its domains', async () => {
  const { staffId } = await somebody();
  told.email_verified = undefined;
  const { browser, answer } = await signIn();
  expect(answer.json).toMatchObject([{ isSuccess: true }]);
  expect((await me(browser)).json).toMatchObject({ userID: staffId });

  const anyDomain = await openOwnSchool({ ...oidc, OIDC_DOMAINS: '' });
  try {
    const { answer } = await signIn(anyDomain.browser());
    expect(answer.json).toBeNull();
  } finally {
    await anyDomain.close();
  }
});

test('A15 asks for what is needed and no more, with PKCE, and nothing secret stands in the address', async () => {
  const browser = school.browser();
  const { json } = await start(browser);
  const query = Object.fromEntries(new URL(json.address).searchParams);
  expect(query).toMatchObject({
    response_type: 'code',
    client_id: 'shala',
    redirect_uri: `${school.config.publicUrl}/login`,
    scope: 'openid email',
    code_challenge_method: 'S256',
  });
  const kept = JSON.parse(Buffer.from(browser.cookies.get('__Host-google') ?? '', 'base64url').toString());
  expect(json.address).not.toContain(kept.verifier);
  expect(json.address).not.toContain('secret');
});

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

type Body = Record<string, unknown>;
/** False claims, or a token altered in transit. */
type Wrong = { told?: Body; token?: (token: string) => string | undefined };

const wrongClaim = 'OAUTH_JWT_CLAIM_COMPARISON_FAILED';
const noToken = 'OAUTH_INVALID_RESPONSE';

test.each<[string, string, Wrong]>([
  ['a token for somebody else’s client', wrongClaim, { told: { aud: 'another' } }],
  ['a token of another issuer', wrongClaim, { told: { iss: 'https://evil.example' } }],
  [
    'a token that has expired',
    'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
    { told: { exp: Math.floor(Date.now() / 1000) - 3600 } },
  ],
  ['the nonce of another trip', wrongClaim, { told: { nonce: 'an-older-nonce' } }],
  ['a token without a nonce', noToken, { told: { nonce: undefined } }],
  ['a token without a signature', noToken, { token: (token) => `${part({ alg: 'none' })}.${token.split('.')[1]}.` }],
  ['a signature that is changed', noToken, { token: (token) => `${token.slice(0, -20)}${'A'.repeat(20)}` }],
  ['no token at all', noToken, { token: () => undefined }],
  ['an address that is not verified', 'address not verified', { told: { email_verified: false } }],
  ['“true” as a word', 'address not verified', { told: { email_verified: 'true' } }],
  ['an address nobody here has', 'no account', { told: { email: 'stranger@school.example' } }],
  ['an address of another domain', 'domain not allowed', { told: { email: 'somebody@gmail.example' } }],
  ['no address', 'domain not allowed', { told: { email: undefined } }],
])('A15 refuses %s with null, and writes the reason down', async (_, reason, wrong) => {
  const { id } = await somebody();
  Object.assign(told, wrong.told);
  await school.sql(`update staff set email = 'somebody@gmail.example' where '${told.email}' = 'somebody@gmail.example'
    and id = (select staff_id from sign_in_account where id = ${id})`);
  answered = (body) => {
    if (wrong.token && body.id_token) body.id_token = wrong.token(String(body.id_token));
  };
  const { browser, answer } = await signIn();
  expect([answer.status, answer.text]).toEqual([200, 'null']);
  expect((await me(browser)).status).toBe(401);
  expect(await lastReason()).toBe(reason);
  const [row] = await school.sql(`select google_subject as subject from sign_in_account where id = ${id}`);
  expect(row?.subject).toBeNull();
});

test('A15 refuses a token that another key signed', async () => {
  await somebody();
  const head = part({ alg: 'RS256', typ: 'JWT' });
  const browser = school.browser();
  const query = await goThere(browser);
  const kept = JSON.parse(Buffer.from(browser.cookies.get('__Host-google') ?? '', 'base64url').toString());
  const now = Math.floor(Date.now() / 1000);
  const claims = { ...told, iss: provider.issuer.url, aud: 'shala', nonce: kept.nonce, iat: now, exp: now + 600 };
  const text = `${head}.${part(claims)}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64url');
  answered = (body) => {
    if (body.id_token) body.id_token = `${text}.${signature}`;
  };
  expect((await comeBack(browser, query)).text).toBe('null');
  expect(await lastReason()).not.toBe('no account');
});

test('A15 the account belongs to the person it was first used by: the same address of another is refused', async () => {
  const { id, email } = await somebody();
  await signIn();
  told = { ...told, sub: 'somebody-else' };
  const { answer } = await signIn();
  expect([answer.text, await lastReason()]).toEqual(['null', 'another person of the provider']);
  // Nor may one person of the provider hold two accounts.
  const second = await somebody();
  const [first] = await school.sql(`select google_subject as subject from sign_in_account where id = ${id}`);
  told = { email: second.email, email_verified: true, sub: first?.subject };
  expect((await signIn()).answer.text).toBe('null');
  expect(email).not.toBe(second.email);
});

test('A15 an account that is closed, or no Staff, is refused', async () => {
  const closed = await somebody();
  await school.sql(`update sign_in_account set is_active = false where id = ${closed.id}`);
  expect((await signIn()).answer.text).toBe('null');
  await somebody({ isAdmin: true, userName: 'only.admin', password: 'Teak-Bridge-48' });
  expect((await signIn()).answer.text).toBe('null');
});

test('A15 what came back is good once, in the browser that went, with its own state', async () => {
  await somebody();
  const browser = school.browser();
  const query = await goThere(browser);
  const held = browser.cookies.get('__Host-google') ?? '';
  expect((await comeBack(school.browser(), query)).text).toBe('null');
  const forged = new URLSearchParams(query);
  forged.set('state', 'of-another-trip');
  const other = school.browser();
  other.cookies.set('__Host-google', held);
  expect((await comeBack(other, forged.toString())).text).toBe('null');
  expect((await comeBack(browser, query)).json[0].isSuccess).toBe(true);
  expect(browser.cookies.has('__Host-google')).toBe(false);
  browser.cookies.clear();
  browser.cookies.set('__Host-google', held);
  expect((await comeBack(browser, query)).text).toBe('null');
});

test.each(['error=access_denied&state=x', '', 'code=x', 'code=x&state=y', `code=${'x'.repeat(3000)}&state=y`, '%%%'])(
  'A15 null for an answer that is none: %s',
  async (query) => {
    const browser = school.browser();
    await start(browser);
    expect((await comeBack(browser, query)).text).toBe('null');
  },
);

test('A19 remembers a device only where that was ticked', async () => {
  await somebody();
  await signIn();
  await signIn(school.browser(), { rememberMe: true });
  const rows = await school.sql(
    `select is_remembered as kept from sign_in_session where method = 'Google' order by number desc limit 2`,
  );
  expect(rows).toEqual([{ kept: true }, { kept: false }]);
});

test('J16 a provider that is away is said in calm words, and other ways go on', async () => {
  const browser = elsewhere.browser();
  const answer = await start(browser);
  expect(answer.status).toBe(503);
  expect(answer.json.title).toContain('Sign in another way.');
  expect((await comeBack(browser, 'code=x&state=y')).text).toBe('null');
});

soak('J16 a provider that is slow at every step holds nobody up for more than three seconds', async () => {
  const slow = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const about = {
      issuer,
      authorization_endpoint: `${issuer}/go`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: issuer,
    };
    // The token request gets no answer.
    if (request.url !== '/token')
      setTimeout(() => response.setHeader('content-type', 'application/json').end(JSON.stringify(about)), 2000);
  });
  await new Promise<void>((open) => slow.listen(0, '127.0.0.1', () => open()));
  const provider = {
    ...elsewhere.services.provider,
    issuer: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
  };
  const trip = Buffer.from(JSON.stringify({ state: 'y', nonce: 'n', verifier: 'v'.repeat(43) })).toString('base64url');
  const ctx = elsewhere.context();
  const inBrowser = { ...ctx, provider: provider as never, http: { ...ctx.http, cookie: () => trip } };
  const began = performance.now();
  expect(await byGoogle(inBrowser, 'code=x&state=y')).toBeNull();
  expect(performance.now() - began).toBeGreaterThan(2000);
  expect(performance.now() - began).toBeLessThan(3500);
  slow.closeAllConnections();
  slow.close();
});

test('is hidden and refused where it is not set up', async () => {
  const plain = await openSchool();
  try {
    expect((await plain.send({ url: '/api/app-configuration' })).json.signInProvider).toBe('');
    expect((await school.send({ url: '/api/app-configuration' })).json.signInProvider).toBe('Microsoft 365');
    expect((await start(plain.browser())).status).toBe(422);
    expect((await comeBack(plain.browser(), 'code=x&state=y')).status).toBe(422);
  } finally {
    await plain.close();
  }
});

test('I6 neither the code nor the token nor the secret reaches log or audit', async () => {
  await somebody();
  const browser = school.browser();
  const query = await goThere(browser);
  await comeBack(browser, query);
  told.aud = 'another';
  await signIn();
  answered = (body) => {
    if (body.id_token) body.id_token = `${body.id_token}x`;
  };
  await signIn();
  const code = new URLSearchParams(query).get('code') ?? 'none';
  const [audit] = await school.sql(`select json_agg(details)::text as kept from audit`);
  for (const where of [school.log(), String(audit?.kept)]) {
    expect(where).not.toContain(code);
    expect(where).not.toMatch(/eyJ[A-Za-z0-9_-]{20}/);
  }
});

test('Y3 an address that others changed signs in with Google after 72 hours', async () => {
  const { staffId } = await somebody();
  const email = `changed${made}@school.example`;
  await school.sql(`update staff set email = '${email}' where id = ${staffId}`);
  told = { ...told, email };
  expect((await signIn()).answer.json).toBeNull();
  expect(await lastReason()).toBe('address changed');
  await school.sql(`update staff set email_changed_at = now() - interval '73 hours' where id = ${staffId}`);
  expect((await signIn()).answer.json[0].isSuccess).toBe(true);
});
