import { AppError } from '#kit/contract/errors.ts';
import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { readSettings } from '#kit/server/settings.ts';
import { audit } from './audit.ts';
import { addHits } from './limits.ts';
import { refuseUnproved } from './session.ts';

const group = text`Opened records`;
const unit = text({ message: '{n, plural, one {record an hour} other {records an hour}}' });

/** Records of people that an account opens within an hour before it needs a new proof of identity. */
export const openedUnproved = setting({
  key: 'opened.unproved',
  group,
  label: text`Records opened without a new proof of identity`,
  help: text`After this number within an hour, users confirm their identity again. Each further 100 are reported to the Admins.`,
  kind: 'number',
  unit,
  default: 100,
  least: 10,
  most: 1000,
});
export const mostOpened = setting({
  key: 'opened.most',
  group,
  label: text`Most records opened`,
  help: text`After this number within an hour, a user opens no other record until the hour is over.`,
  kind: 'number',
  unit,
  default: 500,
  least: 20,
  most: 5000,
});
export const openingSettings = [openedUnproved, mostOpened];

const hour = 3600;
const opened = { kind: 'opened', windowSeconds: hour };
const openedRecord = { kind: 'opened-record', windowSeconds: hour };
const reportedEach = 100;

/**
 * Counts a record of a person that an account opens, once an hour whatever it reads of it (G3). Above the setting it
 * needs a new proof of identity, and each further 100 are reported. Throws `confirm_required`, `sign_in_again` or
 * `too_many_tries`.
 */
export async function countOpened(ctx: UserContext, kind: string, id: number): Promise<void> {
  const { db, user } = ctx;
  // Their own record, as everyone may read it.
  if (kind === 'staff' && id === user.staffId) return;
  const [account, record] = [String(user.id), `${user.id} ${kind} ${id}`];
  if ((await addHits(db, openedRecord, record, 0)).hits > 0) return;
  const limits = await readSettings(ctx, { unproved: openedUnproved, most: mostOpened });
  const refuse = ({ hits, wait }: { hits: number; wait: number }, added: number) => {
    if (hits + added > limits.most)
      throw new AppError(
        'too_many_tries',
        text(
          {
            message:
              'You have opened {n} records within an hour. Open others in {minutes, plural, one {# minute} other {# minutes}}.',
          },
          { n: limits.most, minutes: Math.ceil(wait / 60) },
        ),
        { retryAfter: wait },
      );
    if (hits + added > limits.unproved) refuseUnproved(user);
  };
  refuse(await addHits(db, opened, account, 0), 1);
  // Of two requests for the same record, one counts.
  if ((await addHits(db, openedRecord, record, 1)).hits > 1) return;
  const counted = await addHits(db, opened, account, 1);
  refuse(counted, 0);
  const { hits } = counted;
  if (hits <= limits.unproved || (hits - limits.unproved) % reportedEach !== 1) return;
  const report = async (db: Database) => {
    const act = { action: 'records.opened', entity: 'sign_in_account', entityId: user.id, details: { rows: hits } };
    await ctx.reportAct({ ...ctx, db }, await audit({ ...ctx, db }, act));
  };
  await (db.isTransaction ? report(db) : db.transaction().execute(report));
}

const links = { kind: 'link-by-hand', windowSeconds: hour };
/** Links of families that an account hands over within an hour without a new proof of identity. */
const mostLinksUnproved = 20;

/** Counts a link that an account is given to hand over. Throws `confirm_required` or `sign_in_again`. */
export async function countLink({ db, user }: UserContext): Promise<void> {
  const { hits } = await addHits(db, links, String(user.id), 1);
  if (hits > mostLinksUnproved) refuseUnproved(user);
}
