import { sql } from 'kysely';
import { tellGuardians, waysOf } from '#features/family/api.ts';
import { contactsOf } from '#features/student/api.ts';
import { showMoney } from '#kit/contract/money.ts';
import { onDay, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { realisation } from './message-words.ts';
import { tellsFamilies } from './settings.ts';

const template = 'fee.receipt';
const sending = { kind: template, urgency: 'Must' } as const;

interface Payer {
  /** Null for a payer who is no guardian, and for a cheque, whose drawer is only a name. */
  guardianId: number | null;
  studentIds: readonly number[];
}

/** The guardian who paid, or else the primary contact of the children; undefined where that adult receives no messages. */
async function payingContact(ctx: Pick<Context, 'db'>, { guardianId, studentIds }: Payer) {
  const adults = await contactsOf(ctx, studentIds, 'receiving');
  return adults.find((one) =>
    guardianId === null ? one.children.some(({ isPrimary }) => isPrimary) : one.guardianId === guardianId,
  );
}

/** Queues the receipts of a payment for the family, where the school sends them. */
export async function sendReceipts(ctx: Context, paymentId: number, payer: Payer) {
  if (!(await tellsFamilies(ctx))) return;
  const contact = await payingContact(ctx, payer);
  if (!contact) return;
  const { guardianId, children } = contact;
  const ways = await waysOf(
    ctx,
    sending,
    children.map(({ studentId }) => ({ guardianId, studentId })),
  );
  const [way] = ways.get(guardianId)?.ways ?? [];
  if (way) await tellGuardians(ctx, sending, [{ way, subjectId: paymentId, key: `${template} ${paymentId}` }]);
}

interface Words {
  children: string;
  amount: string;
  day: string;
  numbers: string;
  school: string;
  phone: string;
  /** Whether a bank has yet to pay it. */
  isCheque: boolean;
}

const receiptWords = ({ children, amount, day, numbers, school, phone, isCheque }: Words): Rendered => ({
  subject: text`Receipt for fees of ${{ children }}`,
  paragraphs: [
    text`Dear parent, ${{ amount }} for ${{ children }} was received on ${{ day: onDay(day, true) }}. Receipt ${{ numbers }}. ${{ school }}: ${{ phone }}`,
    ...(isCheque ? [realisation] : []),
  ],
});

const receipt: Template = {
  render: async ({ db }, id) => {
    const { rows } = await sql<Omit<Words, 'amount' | 'day'> & { amount: number; day: string }>`
      select payment.amount, payment.paid_on::text as day, school.name as school, school.phone,
        payment.mode in ('Cheque', 'Demand draft') as "isCheque",
        string_agg(distinct student.first_name, ', ') as children, string_agg(receipt.receipt_no, ', ' order by receipt.id) as numbers
      from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
      join fee_account account on account.id = receipt.account_id join student on student.id = account.student_id
      cross join academic_school school
      where payment.id = ${id} and payment.ended_as is null group by payment.id, school.name, school.phone`.execute(db);
    const [found] = rows;
    return found && receiptWords({ ...found, amount: showMoney(found.amount) });
  },
  isFor: async ({ db }, { subjectId, recipient }) => {
    const { rows } = await sql<Payer>`
      select guardian_now(payment.payer_guardian_id) as "guardianId", array_agg(account.student_id) as "studentIds"
      from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
      join fee_account account on account.id = receipt.account_id
      where payment.id = ${subjectId} and account.student_id is not null group by payment.id`.execute(db);
    const contact = rows[0] && (await payingContact({ db }, rows[0]));
    return contact !== undefined && [contact.mobile, contact.email.toLowerCase()].includes(recipient);
  },
};

export const receiptMessages = { [template]: receipt };

export const receiptTexts: Record<string, TextMessage> = {
  [template]: {
    when: text`When fees are paid, where the setting says so.`,
    example: ({ name, phone }) =>
      receiptWords({
        children: 'Aarohi',
        amount: '₹7,500.00',
        day: '2027-04-10',
        numbers: 'SCH/2027-28/00001',
        school: name,
        phone,
        isCheque: false,
      }),
  },
};
