import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Act, audit } from './audit.ts';
import { addHits } from './limits.ts';
import { refuseUnproved } from './session.ts';

/** Masked values that one account reveals, counted by the hour. */
const reveals = { kind: 'reveal', windowSeconds: 3600 };
/** This many an hour need no new proof of identity; each further 20 are reported to the Admins. */
const mostUnproved = 20;
/** The most an hour. */
const mostRevealed = 100;

/**
 * Audits the reveal of a masked value with its reason, and counts it. Over 20 an hour it needs a new proof of identity.
 * Throws `confirm_required`, `sign_in_again` or `too_many_tries`.
 */
export async function auditReveal(ctx: UserContext, { reason, ...act }: Act & { reason: string }) {
  if (ctx.keepsAnswer) throw new Error(`The operation of ${act.action} keeps its answer. Give it isReveal.`);
  const { hits, wait } = await addHits(ctx.db, reveals, String(ctx.user.id), 1);
  if (hits > mostRevealed)
    throw new AppError('too_many_tries', text`You have revealed too many numbers within an hour. Try again later.`, {
      retryAfter: wait,
    });
  if (hits > mostUnproved) refuseUnproved(ctx.user);
  const id = await audit(ctx, { ...act, details: { ...act.details, Reason: reason } });
  if (hits > mostUnproved && hits % mostUnproved === 1) await ctx.reportAct(ctx, id);
}
