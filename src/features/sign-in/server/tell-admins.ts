import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { dayOf, isOpenOn } from './may-sign-in.ts';

interface News {
  template: string;
  subjectId: number;
  /** Accounts that get no message: the actor, and the account concerned. */
  except: readonly number[];
  /** Each Admin gets at most one message for the same key. */
  dedupeKey?: string;
  /** If false, the query runs anyway, so that the time reveals nothing. */
  isNews?: boolean;
}

/** Queues an email to every active Admin within the transaction of the act: one statement for any number of Admins. */
export async function tellAdmins(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { template, subjectId, except, dedupeKey, isNews = true }: News,
) {
  await sql`
    with told as (
      insert into outbox (channel, template, recipient, subject_id, dedupe_key)
      select 'email', ${template}, staff.email, ${subjectId}::integer, ${dedupeKey ?? null}::text || ' ' || account.id
      from sign_in_account account join staff on staff.id = account.staff_id
      where ${isNews} and account.is_admin and ${isOpenOn(dayOf({ now }))} and staff.email is not null
        and account.id <> all(${[...except]}::integer[])
      order by account.id
      on conflict (dedupe_key) do nothing
      returning id
    )
    select queue_sending(id) from told
  `.execute(db);
}
