import { sql } from 'kysely';
import { sendToParents, stateAfter } from '#features/admission-form/api.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import { type RunAct, type RunContext, startRun } from '#kit/server/job/runs.ts';
import { audit } from '#kit/server/security/audit.ts';
import { settingValue } from '#kit/server/settings.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { remindOfCorrections } from '../review/remind-correction.ts';
import { isReachedByStarter, outOfReach } from '../scope.ts';
import { mostReminders, reminderDays, remindersFrom, remindersUntil } from '../settings.ts';
import { inquiriesSelected } from './list.ts';
import { closedGrade, isGradeOpen } from './open-grade.ts';
import { hasNoContact, isJustSent, type SelectedSend, startSelected, whyNotAgain } from './send-selected.ts';

const isEnded = text`The form is submitted, or the inquiry has ended.`;
const isNotSent = text`The form was not sent yet.`;
const isRevoked = text`The link is revoked. Send the form again.`;

interface Unfinished {
  state: string;
  has_contact: boolean;
  is_grade_open: boolean;
  link_sent_at: Date | null;
  link_revoked_at: Date | null;
  reminders: number;
  most_reminders: number;
  reminded_at: Date | null;
}

const unfinished = ({ db, now }: Pick<Context, 'db' | 'now'>) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .select(['inquiry.id', 'inquiry_no', 'first_name', 'last_name', 'state', 'inquiry.version'])
    .select(isGradeOpen(now()).as('is_grade_open'))
    .select([
      'link_sent_at',
      'link_revoked_at',
      'reminders',
      'reminded_at',
      settingValue(mostReminders).as('most_reminders'),
    ])
    .select(
      sql<boolean>`coalesce(father_email, father_mobile, mother_email, mother_mobile) is not null`.as('has_contact'),
    );

/** Why this family gets no message with the form; undefined where it can. */
function whyNotWritten({ state, has_contact, is_grade_open }: Unfinished): Text | undefined {
  if (!['New', 'Form sent', 'In progress'].includes(state)) return isEnded;
  if (!is_grade_open) return closedGrade;
  return has_contact ? undefined : hasNoContact;
}

/** Why the form is not sent to this family; undefined where it can be. */
function whyNotSent(row: Unfinished, now: Date): Text | undefined {
  const isFresh = row.state !== 'New' && row.link_sent_at && now.getTime() - row.link_sent_at.getTime() < 3_600_000;
  return whyNotWritten(row) ?? (isFresh ? isJustSent : undefined);
}

/** Why this family is not reminded; undefined where it can be. */
function whyNotReminded(row: Unfinished, now: Date): Text | undefined {
  if (row.state === 'New') return isNotSent;
  if (row.link_revoked_at) return isRevoked;
  return whyNotAgain(row, now) ?? whyNotWritten(row);
}

const kinds = {
  'admission.send-form': whyNotSent,
  'admission.remind': whyNotReminded,
} as const;

const path = '/school-erp/admission/inquiry';
const told = {
  'admission.send-form': { title: text`Send the form`, path },
  'admission.remind': { title: text`Remind the families`, path },
};

const templates = { 'admission.send-form': 'admission.link', 'admission.remind': 'admission.reminder' } as const;

const accesses = {
  'admission.send-form': inquiryApi.sendMany.access,
  'admission.remind': inquiryApi.remindMany.access,
};

const sendSelected = (ctx: UserContext, kind: keyof typeof kinds, asked: SelectedSend) =>
  startSelected(ctx, { kind, told: told[kind], template: templates[kind], access: accesses[kind] }, asked, async () => {
    const ids = await inquiriesSelected(ctx, asked.selection);
    const rows = await unfinished(ctx)
      .where('inquiry.id', '=', sql<number>`any(${ids}::integer[])`)
      .orderBy('inquiry.id')
      .execute();
    return rows.map((row) => ({ ...row, reason: kinds[kind](row, ctx.now()) }));
  });

export const sendMany: Handler<typeof inquiryApi.sendMany> = (ctx, input) =>
  sendSelected(ctx, 'admission.send-form', input);

export const remindMany: Handler<typeof inquiryApi.remindMany> = (ctx, input) =>
  sendSelected(ctx, 'admission.remind', input);

/** The inquiry as it is now, locked: the family may have moved on since the run was started. */
const lockUnfinished = (ctx: RunContext, id: number) =>
  unfinished(ctx).where('inquiry.id', '=', id).where(isReachedByStarter(ctx)).forUpdate('inquiry').executeTakeFirst();

const sendForm: RunAct = async (ctx, id) => {
  const row = await lockUnfinished(ctx, id);
  if (!row) return outOfReach;
  const reason = whyNotSent(row, ctx.now());
  if (reason) return reason;
  const state = row.state === 'In progress' ? row.state : stateAfter('sendForm', row.state);
  await sendToParents(ctx, ctx.actor, {
    inquiryId: id,
    template: templates['admission.send-form'],
    key: `run ${ctx.run} ${id}`,
  });
  await ctx.db
    .updateTable('admission_inquiry')
    .set({ state, link_sent_at: ctx.now(), version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  await audit(ctx, { actor: ctx.actor, action: 'admission.link.sent', entity: 'admission_inquiry', entityId: id });
  return undefined;
};

const remind: RunAct = async (ctx, id) => {
  const row = await lockUnfinished(ctx, id);
  if (!row) return outOfReach;
  const reason = whyNotReminded(row, ctx.now());
  if (reason) return reason;
  await sendToParents(ctx, ctx.actor, {
    inquiryId: id,
    template: templates['admission.remind'],
    key: `run ${ctx.run} ${id}`,
  });
  await ctx.db
    .updateTable('admission_inquiry')
    .set({ reminders: row.reminders + 1, reminded_at: ctx.now() })
    .where('id', '=', id)
    .execute();
  await audit(ctx, { actor: ctx.actor, action: 'admission.link.reminded', entity: 'admission_inquiry', entityId: id });
  return undefined;
};

export const inquiryRuns = { 'admission.send-form': sendForm, 'admission.remind': remind };

/**
 * Each day the families whose unfinished form has rested for the next of the days of reminders, counted from the
 * sending of the link or the last answer, and those whose correction has.
 */
export const dailyReminders: DailyTask = {
  name: 'admission.reminders',
  from: remindersFrom,
  until: remindersUntil,
  act: async (ctx) => {
    const { rows } = await sql<{ id: number; name: string }>`
      select inquiry.id, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as name
      from admission_inquiry inquiry
      cross join (select ${settingValue(reminderDays)} as days, ${settingValue(mostReminders)} as most) as setting
      where state in ('Form sent', 'In progress') and link_revoked_at is null and ${isGradeOpen(ctx.now())}
        and reminders < least(most, cardinality(days))
        and coalesce(father_email, father_mobile, mother_email, mother_mobile) is not null
        and (greatest(link_sent_at, reminded_at, (select max(saved_at) from admission_draft where inquiry_id = inquiry.id),
            (select updated_at from admission_basic_info where inquiry_id = inquiry.id),
            (select updated_at from admission_parent_info where inquiry_id = inquiry.id),
            (select updated_at from admission_health where inquiry_id = inquiry.id),
            (select updated_at from admission_additional_info where inquiry_id = inquiry.id))
          at time zone ${localTimeZone})::date
          <= ${toLocalDate(ctx.now())}::date
            - (days[reminders + 1] - case when reminders > 0 then days[reminders] else 0 end)
      order by inquiry.id`.execute(ctx.db);
    if (rows.length > 0) await startRun(ctx, { kind: 'admission.remind', input: {}, rows });
    await remindOfCorrections(ctx);
  },
};
