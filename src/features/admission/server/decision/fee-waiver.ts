import { sql } from 'kysely';
import { publishedAs } from '#features/admission-form/contract/state.ts';
import { requestApproval, withdrawApproval } from '#features/approval/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import type { processApi } from '../../contract/process.ts';
import { lockSeats } from '../seat/seat-lock.ts';
import { lockApplication } from './application.ts';

const kind = 'admission.fee-waiver';
const noFee = text`This seat has no admission fee.`;
const notOffered = text`Only the fee of an open offer is waived.`;

/** True of an `inquiry` while a second person has not decided on its waiver: its offer stays open. */
export const isWaiverAsked = sql<boolean>`exists (select from approval
  where admission_inquiry_id = inquiry.id and approval.status = 'Pending')`;

/** Asks a second person to waive the admission fee of an open offer. */
export const askWaiver: Handler<typeof processApi.askWaiver> = async (ctx, { reason, ...asked }) => {
  const inquiry = await lockApplication(ctx, asked);
  if (inquiry.state !== 'Offered') throw new AppError('conflict', notOffered);
  const [seat] = await lockSeats(ctx, [inquiry.seat_id]);
  const amount = Number(seat?.admission_fee ?? 0);
  if (amount === 0) throw new AppError('conflict', noFee);
  await requestApproval(ctx, {
    kind,
    subjectId: inquiry.id,
    branchId: inquiry.branch_id,
    title: text`Waive the admission fee of ${{ inquiryNo: inquiry.inquiry_no }}`,
    amount,
    reason,
  });
  await audit(ctx, {
    action: 'admission.waiver.asked',
    entity: 'admission_inquiry',
    entityId: inquiry.id,
    details: { Amount: showMoney(amount), Reason: reason },
  });
  return {};
};

/** Ends the request of an application that is paid or has ended. */
export const endWaiver = (ctx: UserContext, inquiryId: number) => withdrawApproval(ctx, { kind, subjectId: inquiryId });

const selectSubjects = ({ db }: UserContext, ids: readonly number[]) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .leftJoin('admission_seat as seat', 'seat.id', 'inquiry.seat_id')
    .where('inquiry.id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .select(['inquiry.id', 'inquiry.version', 'inquiry.inquiry_no', 'inquiry.quota', 'inquiry.offer_expires_on'])
    .select(['grade.name as grade', 'year.name as year', 'seat.admission_fee'])
    .select(sql<string>`trim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))`.as('child'))
    .execute();

export const waiverApproval: ApprovalKind = {
  kind,
  subject: 'admission_inquiry_id',
  title: text`Admission fee waiver`,
  notice: text`A waiver of an admission fee is waiting for your approval.`,
  sets: ['principal', 'financeApprover'],
  describe: async (ctx, ids) =>
    new Map(
      (await selectSubjects(ctx, ids)).map((row) => {
        const facts: { label: Text; value: Text }[] = [
          { label: text`Child`, value: verbatim(row.child || row.inquiry_no) },
          { label: text`Grade`, value: verbatim([row.grade, row.year].join(', ')) },
          { label: text`Quota`, value: verbatim(row.quota) },
          { label: text`Admission fee`, value: verbatim(showMoney(Number(row.admission_fee ?? 0))) },
          {
            label: text`Last day of the offer`,
            value: verbatim(row.offer_expires_on ? showDate(row.offer_expires_on) : ''),
          },
        ];
        const effect = [text`The seat is confirmed without a payment. The fee plan doesn’t change.`];
        return [row.id, { facts, effect, to: `admission/process-admission/${row.id}`, basis: row.version }];
      }),
    ),
  lock: async ({ db }, ids) => {
    const some = sql`any(${[...ids]}::integer[])`;
    await sql`select from academic_year where id in (select academic_year_id from admission_inquiry where id = ${some})
      order by id for share`.execute(db);
    await sql`select from admission_inquiry where id = ${some} order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    if (outcome !== 'Approved')
      return auditEach(ctx, { action: 'admission.fee.not-waived', entity: 'admission_inquiry', details: {} }, ids);
    const { rows } = await sql<{ id: number }>`
      update admission_inquiry set state = 'Seat confirmed', status = ${publishedAs['Seat confirmed'] ?? ''},
        version = version + 1
      where id = any(${[...ids]}::integer[]) and state = 'Offered' returning id`.execute(ctx.db);
    if (rows.length < ids.length)
      throw new AppError('conflict', text`The offer has ended. Reopen the application first.`);
    await auditEach(
      ctx,
      {
        action: 'admission.fee.waived',
        entity: 'admission_inquiry',
        details: { Status: 'Offered → Seat confirmed' },
      },
      ids,
    );
  },
};
