import type { Context } from '#kit/server/context.ts';
import { countHit, networkOf, waitWithin } from '#kit/server/security/limits.ts';
import { findDevice } from './session.ts';
import { tooMany } from './too-many.ts';

const hour = 3600;
/** All codes of one person: by email, by mobile, after the password, and to a new address. */
const ofPerson = { kind: 'code-sent', most: 5, windowSeconds: hour };
/** Of these five, strangers can use at most three; two stay for the person's own browsers and the second step. */
const ofStrangers = { kind: 'code-sent-strangers', most: 3, windowSeconds: hour };
const ofNetwork = { kind: 'code-sent-network', most: 2, windowSeconds: hour };
/** The limit that strangers see: counted by the typed address, whether or not it has an account. */
const ofTarget = { kind: 'code-asked', most: 2, windowSeconds: hour };
const justNow = { kind: 'code-sent-just-now', most: 1, windowSeconds: 30 };
const ofAddress = { kind: 'code-sent-address', most: 300, windowSeconds: hour };

async function refuseOver(waiting: Promise<number>) {
  const wait = await waiting;
  if (wait > 0) throw tooMany(wait);
}

const personOf = (accountId: number) => `account:${accountId}`;

/** Counts a code for a known person; `subject` gets at most one code in half a minute. */
export async function countOwnCode({ db }: Context, accountId: number, subject: string) {
  await refuseOver(countHit(db, justNow, subject));
  await refuseOver(countHit(db, ofPerson, personOf(accountId)));
}

/**
 * Counts a code requested at sign-in, and returns whether to send it. The refusal depends only on the typed address:
 * otherwise it would reveal which addresses belong to one person (A9).
 */
export async function countAskedCode(ctx: Context, accountId: number | undefined, target: string): Promise<boolean> {
  const device = await findDevice(ctx, accountId);
  if (device && accountId !== undefined) {
    await countOwnCode(ctx, accountId, device.id.toString('hex'));
    return true;
  }
  const network = networkOf(ctx.address);
  await refuseOver(countHit(ctx.db, ofAddress, network));
  // Checked before the half minute is counted, so that a stranger cannot keep the owner waiting.
  await refuseOver(waitWithin(ctx.db, ofTarget, `${network} ${target}`));
  await refuseOver(countHit(ctx.db, justNow, target));
  await countHit(ctx.db, ofTarget, `${network} ${target}`);
  return takeOfStrangers(ctx, accountId === undefined ? target : personOf(accountId), network);
}

/** Runs the same statements whichever limit is exceeded: after one is, the others count under unused names. */
async function takeOfStrangers({ db }: Context, person: string, network: string): Promise<boolean> {
  let isOver = false;
  for (const [limit, subject] of [
    [ofNetwork, `${network} ${person}`],
    [ofStrangers, person],
    [ofPerson, person],
  ] as const) {
    const wait = await countHit(db, limit, isOver ? `over ${subject}` : subject);
    isOver ||= wait > 0;
  }
  return !isOver;
}
