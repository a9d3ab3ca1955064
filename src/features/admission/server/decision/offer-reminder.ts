import { sql } from 'kysely';
import { sendToParents } from '#features/admission-form/api.ts';
import { text } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import { type RunAct, startRun } from '#kit/server/job/runs.ts';
import { readSetting } from '#kit/server/settings.ts';
import { offerReminderDays } from '../settings.ts';

const kind = 'admission.offer-reminder';
const notOpen = text`The offer is answered or has ended.`;

/** Reminds the family of an offer once: a later last day is another reminder. */
const remindOne: RunAct = async (ctx, id) => {
  const offer = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', id)
    .where('state', '=', 'Offered')
    .where('offer_expires_on', '>=', toLocalDate(ctx.now()))
    .select('offer_expires_on')
    .executeTakeFirst();
  if (!offer) return notOpen;
  await sendToParents(ctx, ctx.actor, {
    inquiryId: id,
    template: kind,
    key: `${kind} ${id} ${offer.offer_expires_on}`,
  });
  return undefined;
};
export const offerReminderRuns = { [kind]: remindOne };

/** Each morning the open offers that end after the days of the setting. */
export const dailyOfferReminders: DailyTask = {
  name: kind,
  from: 9,
  until: 20,
  act: async (ctx) => {
    const days = await readSetting(ctx, offerReminderDays);
    if (days === 0) return;
    const { rows } = await sql<{ id: number; name: string }>`
      select inquiry.id, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as name
      from admission_inquiry inquiry join academic_year year on year.id = academic_year_id and year.status <> 'Closed'
      where state = 'Offered' and offer_expires_on = ${addDays(toLocalDate(ctx.now()), days)}::date
      order by inquiry.id`.execute(ctx.db);
    if (rows.length > 0) await startRun(ctx, { kind, input: {}, rows });
  },
};
