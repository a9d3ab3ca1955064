import { sql } from 'kysely';
import { linkOf, showsDues, tellGuardians } from '#features/family/api.ts';
import { languageKeys } from '#kit/contract/languages.ts';
import type { Context, Services } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { textKey } from '#kit/server/messages/text-message.ts';
import { readSetting } from '#kit/server/settings.ts';

type Told = Parameters<typeof tellGuardians>[2][number];

/** The kinds of reminders that carry the link to the guardian's page: their text messages are registered apart. */
const withPage = { 'fee.reminder': 'fee.reminder-page', 'fee.due-day': 'fee.due-day-page' } as const;
type Reminder = keyof typeof withPage;

/** The kind of a reminder with the link. */
export const pageKind = <Kind extends Reminder>(kind: Kind): (typeof withPage)[Kind] => withPage[kind];

/** Queues reminders: with the link for guardians who have one that works, and read these dues on their page. */
export async function tellWithPage(
  ctx: Context,
  sending: { kind: Reminder; urgency: 'Must' },
  told: readonly (Told & { studentIds: readonly number[] })[],
): Promise<void> {
  const pairs = told.flatMap(({ way: { guardianId }, studentIds }) =>
    studentIds.map((id) => [guardianId, id] as const),
  );
  const { rows } = (await readSetting(ctx, showsDues))
    ? await sql<{ id: number }>`
        select distinct link.guardian_id as id
        from unnest(${pairs.map(([id]) => id)}::integer[], ${pairs.map(([, id]) => id)}::integer[]) as pair (guardian_id, student_id)
        join family_link link on link.guardian_id = pair.guardian_id and link.revoked_at is null and link.expires_at > ${ctx.now()}
        join lateral family_children(pair.guardian_id, ${toLocalDate(ctx.now())}::date) child
          on child.student_id = pair.student_id and child.reach = 'All'`.execute(ctx.db)
    : { rows: [] };
  const paged = new Set(rows.map(({ id }) => id));
  // Operators drop a text that is not registered, so where only the plain one is, that one goes out.
  const texts = await ctx.readRegisteredTexts(ctx);
  const isRegistered = (kind: string) => languageKeys.some((language) => texts.has(textKey(kind, language)));
  const isPlainOnly = isRegistered(sending.kind) && !isRegistered(pageKind(sending.kind));
  const hasPage = ({ way }: Told) => paged.has(way.guardianId) && !(way.channel === 'sms' && isPlainOnly);
  const linked = told.filter(hasPage);
  const plain = told.filter((one) => !hasPage(one));
  if (linked.length > 0)
    await tellGuardians(ctx, { ...sending, kind: pageKind(sending.kind), carriesLink: true }, linked);
  if (plain.length > 0) await tellGuardians(ctx, sending, plain);
}

/** The page of the guardian who is reminded, by the link that works now; undefined where none does. */
export async function pageOfReminder(services: Services, reminderId: number) {
  const row = await services.db
    .selectFrom('fee_reminder')
    .where('id', '=', reminderId)
    .select('guardian_id')
    .executeTakeFirst();
  return row && linkOf(services, { guardianId: row.guardian_id, version: null });
}
