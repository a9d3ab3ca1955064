import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { type Act, audit } from './audit.ts';
import { addHits } from './limits.ts';
import { refuseUnproved } from './session.ts';

/** Names of people that one account exports, counted by the hour (G3). */
const takenNames = { kind: 'taken-names', windowSeconds: 3600 };
/** This many an hour need no new proof of identity and no report: the class lists of a day's work. */
export const mostUnproved = 500;
/** The most names an hour: about two years of a large school. */
export const mostTaken = 20_000;

interface Taking extends Act {
  /** The number of rows of the file that name a person. */
  names: number;
}

/**
 * Creates an export, audits it (H1), and counts the people it names. Over 500 an hour it needs a new proof of identity
 * (A24), and each 500 are reported. Throws `confirm_required`, `sign_in_again` or `too_many_tries`.
 */
export async function takeNames<File>(
  ctx: UserContext,
  { names, ...act }: Taking,
  make: () => Promise<File>,
): Promise<File> {
  const subject = String(ctx.user.id);
  if (names > 0) {
    const { hits, wait } = await addHits(ctx.db, takenNames, subject, 0);
    refuseTooMany(ctx.user, hits + names, wait);
  }
  const file = await make();
  await ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db };
    const id = await audit(inside, act);
    if (names === 0) return;
    await keepList(inside, file, names);
    const { hits, wait } = await addHits(db, takenNames, subject, names);
    // Exports made at the same time are counted one after the other here.
    refuseTooMany(ctx.user, hits, wait);
    if (hits > mostUnproved && stepOf(hits) > stepOf(hits - names)) await ctx.reportAct(inside, id);
  });
  return file;
}

/** Keeps the mark of a file that names several people, so that it is known again where families would read it. */
async function keepList({ db, now }: UserContext, file: unknown, names: number) {
  if (names < 2 || !(file instanceof Object && 'bytes' in file && file.bytes instanceof Uint8Array)) return;
  const mark = createHash('sha256').update(file.bytes).digest();
  await sql`insert into taken_list (sha256, names, taken_at) values (${mark}, ${names}, ${now()})
    on conflict (sha256) do nothing`.execute(db);
}

const stepOf = (hits: number) => Math.ceil(hits / mostUnproved);

function refuseTooMany(user: User, hits: number, wait: number) {
  if (hits > mostTaken)
    throw new AppError(
      'too_many_tries',
      text(
        {
          message:
            'Export at most {mostTaken} names an hour. Try again in {minutes, plural, one {# minute} other {# minutes}}.',
        },
        { mostTaken, minutes: Math.ceil(wait / 60) },
      ),
      { retryAfter: wait },
    );
  if (hits > mostUnproved) refuseUnproved(user);
}
