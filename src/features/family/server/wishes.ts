import { sql } from 'kysely';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { requireRowVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { ownApi, WishedChannel } from '../contract/own.ts';

type Wishes = OutputOf<typeof ownApi.read>['wishes'];

const stored = { Usual: '', SMS: 'sms', Email: 'email' } as const satisfies Record<WishedChannel, string>;
const shown: Readonly<Record<string, WishedChannel>> = { '': 'Usual', sms: 'SMS', email: 'Email' };

/** What is muted with the homework: all else is sent whatever the guardian wishes. */
const homeworkKinds = ['homework.digest', 'homework.reminder'];

/** How a guardian wants messages. */
export async function wishesOf({ db }: Pick<Context, 'db'>, guardianId: number): Promise<Wishes> {
  const row = await db
    .selectFrom('guardian_preference')
    .where('guardian_id', '=', guardianId)
    .select(['channel', 'quiet_from', 'quiet_until', 'muted', 'version'])
    .executeTakeFirst();
  return {
    channel: shown[row?.channel ?? ''] ?? 'Usual',
    quietFrom: row?.quiet_from ?? null,
    quietUntil: row?.quiet_until ?? null,
    getsHomework: !row || row.muted.length === 0,
    version: row?.version ?? 0,
  };
}

const wordsOf = ({ channel, quietFrom, quietUntil, getsHomework }: Omit<Wishes, 'version'>) => ({
  'By way': channel,
  'Quiet hours': quietFrom === null ? '–' : `${quietFrom}–${quietUntil}`,
  Homework: getsHomework ? 'Yes' : 'No',
});

export const wish: Handler<typeof ownApi.wish> = async (ctx, { version, ...given }) => {
  const guardianId = ctx.holder.id;
  const wished = given as Omit<Wishes, 'version'>;
  if (wished.channel === 'SMS' && !ctx.sendsTexts)
    throw fieldRefusal('channel', text`The school sends no text messages. Choose another way.`);
  // Creates the row, so that two first choices wait for each other.
  const before = await ctx.db
    .insertInto('guardian_preference')
    .values({ guardian_id: guardianId, set_by: 'Guardian', version: 0 })
    .onConflict((conflict) => conflict.column('guardian_id').doUpdateSet({ guardian_id: guardianId }))
    .returning(['version', 'changed_at as updated_at'])
    .executeTakeFirstOrThrow();
  requireRowVersion(before, version);
  const earlier = await wishesOf(ctx, guardianId);
  await ctx.db
    .updateTable('guardian_preference')
    .set({
      channel: stored[wished.channel],
      quiet_from: wished.quietFrom,
      quiet_until: wished.quietUntil,
      muted: wished.getsHomework ? [] : homeworkKinds,
      version: sql`version + 1`,
      changed_at: ctx.now(),
    })
    .where('guardian_id', '=', guardianId)
    .execute();
  const [old, now] = [wordsOf(earlier), wordsOf(wished)];
  await audit(ctx, {
    actor: 'Parent',
    action: 'family.wishes.changed',
    entity: 'guardian',
    entityId: guardianId,
    details: Object.fromEntries(
      Object.entries(now).flatMap(([name, value]) => {
        const was = old[name as keyof typeof old];
        return was === value ? [] : [[name, `${was} → ${value}`]];
      }),
    ),
  });
  return { version: before.version + 1 };
};

/** The own quiet hours of the reader of a message. */
export async function quietOfReader(
  { db }: Pick<Context, 'db'>,
  guardianId: number,
): Promise<{ from: number; until: number } | undefined> {
  const { rows } = await sql<{ from: number; until: number }>`
    select quiet_from as "from", quiet_until as until from guardian_preference
    where guardian_id = guardian_now(${guardianId}) and quiet_from is not null`.execute(db);
  return rows[0];
}
