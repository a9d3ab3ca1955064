import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import * as oidc from 'openid-client';
import { AppError } from '#kit/contract/errors.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { Config } from '#kit/server/config.ts';
import type { Context } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit, networkOf } from '#kit/server/security/limits.ts';
import type { SignInAnswer, signInApi } from '../contract/sign-in.ts';
import { findStaffAccount } from './code.ts';
import { auditSignIn, beginSession } from './session.ts';
import { tooMany } from './too-many.ts';

// Google, or any other OpenID Connect provider: the code flow with PKCE, finished on the server (A15).

type Settings = NonNullable<Config['provider']>;

const awayMessage = (provider: string) => text`${{ provider }} can’t be reached. Sign in another way.`;
/** The longest wait for the provider (J16), in milliseconds. */
const answerWithin = 3000;
const addressLimit = { kind: 'google', most: 300, windowSeconds: 3600 };

/** Stored in the browser while the user is at the provider; useless without the code. */
const tripCookie = '__Host-google';
const tripSeconds = 10 * 60;
interface Trip {
  state: string;
  nonce: string;
  verifier: string;
  remembers: boolean;
}

/** Returns the provider's address for the redirect. */
export const startGoogle: Handler<typeof signInApi.startGoogle> = async (ctx, { rememberMe }) => {
  const settings = settingsOf(ctx);
  await countTrip(ctx);
  const provider = await within(discover(settings)).catch(() => {
    throw new AppError('unavailable', awayMessage(settings.name));
  });
  const trip: Trip = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    remembers: rememberMe,
  };
  ctx.http.setCookie(tripCookie, Buffer.from(JSON.stringify(trip)).toString('base64url'), tripSeconds);
  const address = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: returnAddress(ctx),
    scope: 'openid email',
    state: trip.state,
    nonce: trip.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(trip.verifier),
    code_challenge_method: 'S256',
    prompt: 'select_account',
  });
  return { address: address.href };
};

/**
 * Signs in with the answer of the provider, as the email code's account. Null, with an audited reason, unless it has
 * the verified email address of an active Staff account.
 */
export async function byGoogle(ctx: Context, answered: string): Promise<SignInAnswer | null> {
  const settings = settingsOf(ctx);
  await countTrip(ctx);
  const trip = tripOf(ctx.http.cookie(tripCookie));
  ctx.http.setCookie(tripCookie, '', 0); // Each redirect back is accepted once.
  const claims = await within(claimsOf(ctx, settings, answered, trip)).catch((error: unknown) => ({
    refusal: reasonOf(error),
  }));
  return ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db };
    const found = 'refusal' in claims ? claims : await findAccount(inside, settings, claims);
    if ('refusal' in found) {
      const details = { method: 'Google', reason: found.refusal };
      const act = { action: 'sign-in.refused', entity: 'sign_in_account', entityId: 0 } as const;
      await audit(inside, { ...act, result: 'refused', details });
      return null;
    }
    const { accountId } = found;
    const isRemembered = trip?.remembers === true;
    const answer = await beginSession(inside, { accountId, role: 'Staff', method: 'Google', isRemembered });
    await auditSignIn(inside, accountId, 'Staff', { method: 'Google' });
    return answer;
  });
}

interface Claims {
  sub: string;
  email: string;
  isVerified: boolean;
}
interface Refused {
  refusal: string;
}

async function claimsOf(ctx: Context, settings: Settings, answered: string, trip: Trip | undefined): Promise<Claims> {
  if (!trip) throw new Error('no trip');
  const provider = await discover(settings);
  // Checks state, signature, issuer, audience, times and nonce; throws when any of them fails.
  const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${returnAddress(ctx)}?${answered}`), {
    expectedState: trip.state,
    expectedNonce: trip.nonce,
    pkceCodeVerifier: trip.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('no claims');
  const { sub, email, email_verified } = claims;
  const isVerified = email_verified === true || (email_verified === undefined && settings.vouches);
  return { sub, email: String(email ?? '').toLowerCase(), isVerified };
}

/** The account of an address. The first sign-in stores the provider's id of the person; later ones must match both. */
async function findAccount(
  ctx: Context,
  { domains }: Settings,
  { sub, email, isVerified }: Claims,
): Promise<{ accountId: number } | Refused> {
  if (!isVerified) return { refusal: 'address not verified' };
  if (domains.length > 0 && !domains.includes(email.split('@')[1] ?? '')) return { refusal: 'domain not allowed' };
  const account = await findStaffAccount(ctx, 'Email', email);
  if (!account) return { refusal: 'no account' };
  if (account.isHeld) return { refusal: 'address changed' };
  const tied = await ctx.db
    .updateTable('sign_in_account')
    .set({ google_subject: sub })
    .where('id', '=', account.id)
    .where((where) => where.or([where('google_subject', 'is', null), where('google_subject', '=', sub)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sign_in_account as other')
            .where('other.google_subject', '=', sub)
            .where('other.id', '<>', account.id)
            .select(sql`1`.as('one')),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  return tied ? { accountId: tied.id } : { refusal: 'another person of the provider' };
}

const known = new WeakMap<Settings, Promise<oidc.Configuration>>();

/** The provider's configuration, read once; read again after a failure. */
function discover(settings: Settings): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const before = known.get(settings);
  if (before) return before;
  const isPlain = issuer.startsWith('http:');
  const asked = oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: answerWithin / 1000,
    // The signature is checked too, although the token comes over our own connection.
    execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
  });
  known.set(settings, asked);
  asked.catch(() => known.delete(settings));
  return asked;
}

function settingsOf({ provider }: Context): Settings {
  if (!provider) throw new AppError('invalid', verbatim('No provider to sign in with is set up.'));
  return provider;
}

async function countTrip(ctx: Context) {
  const seconds = await countHit(ctx.db, addressLimit, networkOf(ctx.address));
  if (seconds > 0) throw tooMany(seconds);
}

/** Where the provider sends the browser back to; it must be registered there. */
const returnAddress = ({ publicUrl }: Context) => `${publicUrl}/login`;

function tripOf(value: string): Trip | undefined {
  try {
    const { state, nonce, verifier, remembers } = JSON.parse(Buffer.from(value, 'base64url').toString()) as Trip;
    return state && nonce && verifier ? { state, nonce, verifier, remembers } : undefined;
  } catch {
    return undefined;
  }
}

const within = <Result>(act: Promise<Result>): Promise<Result> =>
  Promise.race([
    act,
    wait(answerWithin, undefined, { ref: false }).then(() => {
      throw new Error('no answer in time');
    }),
  ]);

/** The error's code only: its message may repeat the token. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return (code ?? (message === 'no trip' || message === 'no answer in time' ? message : 'failed')).slice(0, 100);
}
