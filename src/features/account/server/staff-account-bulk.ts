import { sql } from 'kysely';
import { hasSignedIn } from '#features/sign-in/api.ts';
import { staffSelected } from '#features/staff/api.ts';
import { hasLeft } from '#features/staff/contract/leaving.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { countEach } from '#kit/server/security/limits.ts';
import {
  adminAccount,
  type channels,
  invitedOften,
  invitedOn,
  noAccount,
  noChannel,
  noEmail,
  noMobile,
  noSets,
  noSignIn,
  signsIn,
  type staffAccountApi,
  unchanged,
} from '../contract/staff-account.ts';
import { queueInvitations } from './invitation.ts';
import { addAccounts, changeAccounts, type LockedAccount, lockAccounts } from './many-accounts.ts';

/** How often a person is invited. */
export const invitations = { kind: 'invited', most: 5, windowSeconds: 3600 };

type ActOnMany = Handler<typeof staffAccountApi.actOnMany>;
type Input = Omit<Parameters<ActOnMany>[1], 'confirmToken'>;

interface Person {
  id: number;
  name: string;
  email: string | null;
  mobile: string | null;
  /** Of their latest spell of employment. */
  last_day: string | null;
  hasSignedIn: boolean;
  /** When they were last invited to this address within a day. */
  invitedAt: Date | null;
  account: LockedAccount | undefined;
}

export const actOnMany: ActOnMany = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    if (input.act.endsWith('permissions') && input.sets.length === 0) throw fieldRefusal('sets', noSets);
    if (input.act === 'Invite' && input.channel === '') throw fieldRefusal('channel', noChannel);
    const people = await lockPeople(ctx, await staffSelected(ctx, input.selection), input.channel);
    const often = await invitedTooOften(ctx, input, people);
    const today = toLocalDate(ctx.now());
    const decided = people.map((person) => ({
      person,
      reason: reasonToSkip(input, person, today) ?? (often.has(String(person.id)) ? invitedOften : undefined),
    }));
    const changed = decided.flatMap(({ person, reason }) => (reason ? [] : [person]));
    const skipped = decided.flatMap(({ person: { id, name }, reason }) => (reason ? [{ id, name, reason }] : []));
    if (changed.length > 0) await (input.act === 'Invite' ? invite : change)(ctx, input, changed);
    return {
      answer: {
        changed: changed.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
      },
      basis: [
        input,
        decided.map(({ person: { account, ...person }, reason }) => [
          person,
          account?.id,
          account?.version,
          reason?.id,
        ]),
      ],
      isRefused: changed.length === 0,
    };
  });

/** The selected people with their accounts, both locked: staff first, as a single invitation does. */
async function lockPeople(ctx: UserContext, ids: readonly number[], channel: Input['channel']): Promise<Person[]> {
  const aDayAgo = new Date(ctx.now().getTime() - 86_400_000);
  const changedAt = channel === 'SMS' ? sql`mobile_changed_at` : sql`email_changed_at`;
  const people = await ctx.db
    .selectFrom('staff')
    .leftJoin('sign_in_account as account', 'account.staff_id', 'staff.id')
    .where('staff.id', '=', sql<number>`any(${ids}::integer[])`)
    .select(['staff.id', 'staff.name', 'staff.email', 'staff.mobile'])
    .select(
      sql<string | null>`(select last_day from staff_employment as spell where spell.staff_id = staff.id
        order by joined_on desc limit 1)`.as('last_day'),
    )
    .select(hasSignedIn.as('hasSignedIn'))
    .select(
      sql<Date | null>`(select max(at) from audit where entity = 'staff' and entity_id = staff.id
        and action = 'staff.invited' and details ->> 'Send by' = ${channel}
        and at > greatest(${aDayAgo}::timestamptz, staff.${changedAt}))`.as('invitedAt'),
    )
    .orderBy('staff.id')
    .forUpdate('staff')
    .execute();
  const accounts = await lockAccounts(ctx, ids);
  return people.map((person) => ({ ...person, account: accounts.get(person.id) }));
}

/** Why an act can't be done for a person; undefined where it can. */
function reasonToSkip({ act, channel, sets }: Input, person: Person, today: string): Text | undefined {
  const { account, last_day, invitedAt } = person;
  const isGone = last_day !== null && last_day < today;
  if (act === 'Invite') {
    if (isGone) return hasLeft;
    if (account && !account.isOpen) return noSignIn;
    if (person.hasSignedIn) return signsIn;
    if (channel === 'Email' && !person.email) return noEmail;
    if (channel === 'SMS' && !person.mobile) return noMobile;
    // People it did not reach can be invited by the other channel, or one by one.
    return invitedAt ? invitedOn(toLocalDate(invitedAt)) : undefined;
  }
  if (!account) return noAccount;
  if (account.is_admin) return adminAccount;
  if (act === 'Restore') return isGone ? hasLeft : account.isOpen ? unchanged : undefined;
  if (act === 'Suspend') return account.isOpen ? undefined : unchanged;
  const isChanged = sets.some((set) => account.sets.includes(set) === (act === 'Remove permissions'));
  return isChanged ? undefined : unchanged;
}

/** Counts an invitation of each person who would get one. */
async function invitedTooOften(ctx: UserContext, input: Input, people: readonly Person[]): Promise<Set<string>> {
  if (input.act !== 'Invite') return new Set();
  const today = toLocalDate(ctx.now());
  const invited = people.filter((person) => !reasonToSkip(input, person, today));
  return countEach(
    ctx.db,
    invitations,
    invited.map(({ id }) => String(id)),
  );
}

async function invite(ctx: UserContext, { channel: chosen, sets }: Input, people: readonly Person[]) {
  const channel = chosen as (typeof channels)[number];
  const added = await addAccounts(
    ctx,
    people.filter(({ account }) => !account).map(({ id, last_day }) => ({ staffId: id, endsOn: last_day })),
    sets,
  );
  await queueInvitations(
    ctx,
    people.map(({ id, account, email, mobile }) => ({
      accountId: account?.id ?? added.get(id) ?? 0,
      channel,
      recipient: channel === 'Email' ? email : mobile,
    })),
  );
  await auditEach(
    ctx,
    { action: 'staff.invited', entity: 'staff', details: { 'Send by': channel } },
    people.map(({ id }) => id),
  );
}

const change = (ctx: UserContext, { act, sets }: Input, people: readonly Person[]) =>
  changeAccounts(
    ctx,
    people.flatMap(({ account, last_day }) => {
      if (!account) return [];
      const held = account.sets as typeof sets;
      const setsOf = {
        'Give permissions': [...new Set([...held, ...sets])],
        'Remove permissions': held.filter((set) => !sets.includes(set)),
      };
      return [
        {
          account,
          isActive: act === 'Restore' || (act !== 'Suspend' && account.is_active),
          sets: setsOf[act as keyof typeof setsOf] ?? held,
          endsOn: act === 'Restore' ? last_day : account.ends_on,
        },
      ];
    }),
  );
