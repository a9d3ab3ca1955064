import { sql } from 'kysely';
import { publishedAs } from '#features/admission-form/contract/state.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import { type RunAct, startRun } from '#kit/server/job/runs.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { audit } from '#kit/server/security/audit.ts';
import { isWaiverAsked } from './fee-waiver.ts';
import { stateBeforeOffer } from './held.ts';

const notOpen = text`The offer is answered or has more days.`;

/** Ends an offer whose last day is over. The date decides; this only writes it. */
export const expireOne: RunAct = async (ctx, id) => {
  const today = toLocalDate(ctx.now());
  await sql`select from academic_year where id = (select academic_year_id from admission_inquiry where id = ${id})
    for share`.execute(ctx.db);
  const row = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .where('inquiry.id', '=', id)
    .where('inquiry.state', '=', 'Offered')
    .where(sql<boolean>`inquiry.offer_expires_on < ${today}::date`)
    .where('year.status', '<>', 'Closed')
    .where((where) => where.not(isWaiverAsked))
    .select(['inquiry.id', 'inquiry.state', 'inquiry.version', 'inquiry.seat_id', 'inquiry.seat_quota'])
    .select('grade.name as grade')
    .forUpdate('inquiry')
    .executeTakeFirst();
  if (!row) return notOpen;
  await ctx.db
    .updateTable('admission_inquiry')
    .set({
      state: 'Offer expired',
      status: publishedAs['Offer expired'] ?? '',
      ended_state: await stateBeforeOffer(ctx, row),
      version: row.version + 1,
    })
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    actor: ctx.actor,
    action: 'admission.offer.expired',
    entity: 'admission_inquiry',
    entityId: id,
    version: row.version + 1,
  });
  await notify(ctx, {
    to: { sets: ['admissionHead'] },
    kind: 'admission.seat.free',
    text: text`A seat is free: ${{ grade: row.grade }}, ${{ quota: row.seat_quota ?? '' }}.`,
    path: '/school-erp/admission/process-admission?show=seats',
    key: `seat ${row.seat_id}`,
  });
  return undefined;
};

/** Each morning the offers whose last day is over. */
export const dailyExpiry: DailyTask = {
  name: 'admission.expire',
  from: 6,
  until: 24,
  act: async (ctx) => {
    const { rows } = await sql<{ id: number; name: string }>`
      select inquiry.id, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as name
      from admission_inquiry inquiry join academic_year year on year.id = academic_year_id and year.status <> 'Closed'
      where state = 'Offered' and offer_expires_on < ${toLocalDate(ctx.now())}::date and not ${isWaiverAsked} order by inquiry.id`.execute(
      ctx.db,
    );
    if (rows.length > 0) await startRun(ctx, { kind: 'admission.expire', input: {}, rows });
  },
};
