import { type RawBuilder, sql } from 'kysely';
import type { Text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '../context.ts';
import { toLocalDate } from '../day.ts';
import { isOpenOn } from '../security/open-account.ts';

/** Those who are told: everyone who is named in one of these ways. */
export interface Recipients {
  accounts?: readonly number[];
  /** The people, by the ids of their records. */
  staff?: readonly number[];
  /** All Staff with one of these permission sets. */
  sets?: readonly string[];
  /** Only those of `sets` whose account reaches this branch. */
  branchId?: number | null;
}

interface News {
  /** What it is about, such as `admission.message`. */
  kind: string;
  text: Text;
  /** The page of the product where it is done, with its query. The database refuses every other address. */
  path: string;
  /** An account has at most one unread notification under the same key: a later one replaces it. */
  key?: string;
}

interface Notification extends News {
  to: Recipients;
  /** Those who are told where nobody of `to` may sign in. */
  orElse?: Recipients;
}

/** Nobody is told about their own act. */
type Teller = Pick<Context, 'db' | 'now'> & Partial<Pick<UserContext, 'user'>>;

/**
 * Tells people what has become theirs to do, within the transaction of the act: one statement for any number of people.
 * The user who acts, and accounts that may not sign in today, get nothing.
 */
export async function notify(ctx: Teller, { to, orElse, ...news }: Notification): Promise<void> {
  const open = sql`select account.id, account.staff_id, account.is_staff, account.sets from sign_in_account account
    where ${isOpenOn(toLocalDate(ctx.now()))}`;
  await insert(
    ctx,
    sql`with account as (${open}), named as (select id from account where ${isAmong(to)})
      select id, ${news.kind}::text as kind, ${JSON.stringify(news.text)}::jsonb as text, ${news.path}::text as path,
        ${news.key ?? null}::text as dedupe_key
      from account where case when exists (select from named) then id in (select id from named) else ${isAmong(orElse)} end`,
  );
}

/** As `notify`, with words for each account; its caller names accounts that may sign in. */
export async function notifyEach(ctx: Teller, notifications: readonly (News & { accountId: number })[]): Promise<void> {
  const columnOf = <Name extends keyof News>(name: Name) =>
    notifications.map((notification) => notification[name] ?? null);
  await insert(
    ctx,
    sql`select * from unnest(${notifications.map(({ accountId }) => accountId)}::integer[], ${columnOf('kind')}::text[],
      ${notifications.map((notification) => JSON.stringify(notification.text))}::jsonb[], ${columnOf('path')}::text[],
      ${columnOf('key')}::text[]) as each (id, kind, text, path, dedupe_key)`,
  );
}

/** True of an `account` that may sign in. */
const isAmong = ({
  accounts = [],
  staff = [],
  sets = [],
  branchId = null,
}: Recipients = {}) => sql<boolean>`(id = any(${[...accounts]}::integer[])
  or staff_id = any(${[...staff]}::integer[]) or (is_staff and sets && ${[...sets]}::text[]
    and (${branchId}::integer is null or not exists (select from sign_in_account_branch where account_id = account.id)
      or exists (select from sign_in_account_branch where account_id = account.id and branch_id = ${branchId}))))`;

/** Marks the unread notices under these keys as read, for everyone: there is nothing left to do. */
export const endNotices = ({ db, now }: Teller, keys: readonly string[]) =>
  sql`update notice set read_at = ${now()} where id in (select id from notice
    where dedupe_key = any(${[...keys]}::text[]) and read_at is null order by account_id for update)`.execute(db);

/** In order of the accounts, so that two acts wait for each other and not in a circle. A renewed notification is the newest. */
const insert = ({ db, now, user }: Teller, told: RawBuilder<unknown>) =>
  sql`insert into notice (account_id, kind, text, path, dedupe_key, created_at)
    select told.id, kind, text, path, dedupe_key, ${now()} from (${told}) as told
    where told.id is distinct from ${user?.id ?? null}::integer
    order by told.id
    on conflict (account_id, dedupe_key) where read_at is null do update set id = default, kind = excluded.kind,
      text = excluded.text, path = excluded.path, created_at = excluded.created_at`.execute(db);
