import { sql } from 'kysely';
import { guardedSetting, type HeldSetting, heldSettings } from '#features/school/contract/hooks.ts';
import { english } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { noShowKeeps } from '../settings.ts';
import { isGuarded, propose } from './proposal.ts';

/** Whether anyone may decide for the user; without one a change applies at once, and is reported. */
async function hasDecider({ db, user }: UserContext): Promise<boolean> {
  const { rows } = await sql`select from sign_in_account where is_active and is_staff
    and sets && array['financeApprover', 'principal'] and may_be_second(${user.staffId}, null, null, staff_id) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** A finance approver or the principal decides on settings of fees, once the school has taken money. */
export const holdSettings = answer(guardedSetting, { by: 'fee', step: 11 }, async (ctx, change) => {
  const { key, label, words, wanted, rowVersion } = change;
  const isOfFees = key.startsWith('fee.') || key === noShowKeeps.key;
  if (!isOfFees || !(await isGuarded(ctx)) || !(await hasDecider(ctx as UserContext))) return { isHeld: false };
  await propose(ctx as UserContext, {
    kind: 'Setting',
    subject: null,
    settingKey: key,
    basis: rowVersion,
    input: { value: wanted },
    name: english(label),
    lines: [{ label: english(label), from: english(words.before), to: english(words.wanted) }],
  });
  return { isHeld: true };
});

/** The changes of settings that wait for a second person. */
export const listHeldSettings = answer(heldSettings, { by: 'fee', step: 11 }, async ({ db }) => {
  const { rows } = await sql<HeldSetting>`
    select setting_key as key, lines->0->>'from' as "from", lines->0->>'to' as "to", staff.name as "askedBy",
      asked_at::date::text as "askedOn"
    from fee_proposal join staff on staff.id = asked_by where setting_key is not null and status = 'Asked'`.execute(db);
  return rows;
});
