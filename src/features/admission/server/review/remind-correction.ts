import { sql } from 'kysely';
import { sendToParents } from '#features/admission-form/api.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type RunAct, startRun } from '#kit/server/job/runs.ts';
import { audit } from '#kit/server/security/audit.ts';
import { settingValue } from '#kit/server/settings.ts';
import { reviewApi } from '../../contract/review.ts';
import { hasNoContact, startSelected, whyNotAgain } from '../inquiry/send-selected.ts';
import { isReachedByStarter, outOfReach } from '../scope.ts';
import { mostReminders, reminderDays } from '../settings.ts';
import { formsSelected } from './review-list.ts';

const kind = 'admission.remind-correction';
const template = 'admission.correction-reminder';
const told = { title: text`Remind the families`, path: '/school-erp/admission/review-list' };
const isNotAwaited = text`The school does not wait for a correction.`;

const hasContact = sql<boolean>`coalesce(father_email, father_mobile, mother_email, mother_mobile) is not null`;

const forms = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .leftJoin('admission_correction as correction', (join) =>
      join.onRef('correction.inquiry_id', '=', 'inquiry.id').on('correction.answered_at', 'is', null),
    )
    .select(['inquiry.id', 'inquiry_no', 'first_name', 'last_name', 'state', 'inquiry.version'])
    .select(['correction.id as correction_id', 'correction.reminded_at', 'correction.reminders'])
    .select(settingValue(mostReminders).as('most_reminders'))
    .select(hasContact.as('has_contact'));

type Form = Awaited<ReturnType<ReturnType<typeof forms>['executeTakeFirstOrThrow']>>;

/** Why this family is not reminded; undefined where it can be. */
function whyNotReminded({ state, correction_id, has_contact, ...row }: Form, now: Date): Text | undefined {
  if (state !== 'Correction requested' || !correction_id) return isNotAwaited;
  if (!has_contact) return hasNoContact;
  return whyNotAgain({ ...row, reminders: row.reminders ?? 0 }, now);
}

export const remindCorrections: Handler<typeof reviewApi.remindMany> = (ctx, input) =>
  startSelected(ctx, { kind, told, template, access: reviewApi.remindMany.access }, input, async () => {
    const ids = await formsSelected(ctx, input.selection);
    const rows = await forms(ctx)
      .where('inquiry.id', '=', sql<number>`any(${ids}::integer[])`)
      .orderBy('inquiry.id')
      .execute();
    return rows.map((row) => ({ ...row, reason: whyNotReminded(row, ctx.now()) }));
  });

const remind: RunAct = async (ctx, id) => {
  const row = await forms(ctx)
    .where('inquiry.id', '=', id)
    .where(isReachedByStarter(ctx))
    .forUpdate('inquiry')
    .executeTakeFirst();
  if (!row) return outOfReach;
  const reason = whyNotReminded(row, ctx.now());
  if (reason) return reason;
  await sendToParents(ctx, ctx.actor, {
    inquiryId: id,
    template,
    key: `run ${ctx.run} ${id}`,
  });
  await ctx.db
    .updateTable('admission_correction')
    .set({ reminders: sql`reminders + 1`, reminded_at: ctx.now() })
    .where('id', '=', row.correction_id)
    .execute();
  await audit(ctx, {
    actor: ctx.actor,
    action: 'admission.correction.reminded',
    entity: 'admission_inquiry',
    entityId: id,
  });
  return undefined;
};

export const correctionRuns = { [kind]: remind };

/** Reminds the families whose correction has rested for the next of the school's reminder days since the request. */
export async function remindOfCorrections(ctx: Context): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`
    select inquiry.id, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as name
    from admission_correction correction
    join admission_inquiry inquiry on inquiry.id = correction.inquiry_id
    cross join (select ${settingValue(reminderDays)} as days, ${settingValue(mostReminders)} as most) as setting
    where answered_at is null and state = 'Correction requested' and link_revoked_at is null and ${hasContact}
      and correction.reminders < least(most, cardinality(days))
      and (greatest(requested_at, correction.reminded_at) at time zone ${localTimeZone})::date
        <= ${toLocalDate(ctx.now())}::date - (days[correction.reminders + 1]
          - case when correction.reminders > 0 then days[correction.reminders] else 0 end)
    order by inquiry.id`.execute(ctx.db);
  if (rows.length > 0) await startRun(ctx, { kind, input: {}, rows });
}
