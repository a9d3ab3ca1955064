import { sql } from 'kysely';
import { tellGuardians } from '#features/family/api.ts';
import { showMoney } from '#kit/contract/money.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import type { WhereMoney } from '../contract/move.ts';
import { isForPayer, toldPayers } from './payers.ts';

const template = 'fee.cancelled';
const sending = { kind: template, urgency: 'Must' } as const;

/** Tells the payers of cancelled and moved payments, whether the school sends receipts or not. */
export const tellCancelled = async (ctx: Context, paymentIds: readonly number[]): Promise<void> =>
  tellGuardians(ctx, sending, await toldPayers(ctx, sending, paymentIds));

interface Words {
  children: string;
  amount: string;
  day: string;
  why: Text;
  school: string;
  phone: string;
}

// Registered text messages have variables of at most 30 characters.
const whys: Record<WhereMoney, Text> = {
  'Given back now': text`the cash was given back`,
  'It never came': text`no money was received`,
  'The school still has it': text`the school still has the money`,
};

const words = ({ children, amount, day, why, school, phone }: Words): Rendered => ({
  subject: text`Payment for ${{ children }} cancelled`,
  paragraphs: [
    text`Dear parent, the payment of ${{ amount }} for ${{ children }} of ${{ day: onDay(day, true) }} was cancelled: ${{ why }}. ${{ school }}: ${{ phone }}`,
  ],
});

const cancelled: Template = {
  render: async ({ db }, id) => {
    const { rows } = await sql<{
      amount: number;
      day: string;
      money: WhereMoney | '';
      children: string;
      numbers: string | null;
      school: string;
      phone: string;
    }>`
      select payment.amount, payment.paid_on::text as day, payment.end_money as money, school.name as school, school.phone,
        string_agg(distinct student.first_name, ', ') as children,
        (select string_agg(own.receipt_no, ', ' order by own.id) from fee_payment next join fee_receipt own on own.payment_id = next.id
          where next.reissue_of = payment.id and own.account_id in
            (select account_id from fee_receipt where payment_id = payment.id)) as numbers
      from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
      join fee_account account on account.id = receipt.account_id join student on student.id = account.student_id
      cross join academic_school school
      where payment.id = ${id} and payment.ended_as in ('Cancelled', 'Reissued') group by payment.id, school.name, school.phone`.execute(
      db,
    );
    const [found] = rows;
    if (!found) return undefined;
    const { amount, day, money, numbers, ...rest } = found;
    const moved = numbers ? text`it moved to another receipt` : text`it was for another child`;
    const why = money === '' ? moved : whys[money];
    return words({ ...rest, amount: showMoney(amount), day, why });
  },
  isFor: isForPayer,
};

export const cancelMessages = { [template]: cancelled };

export const cancelTexts: Record<string, TextMessage> = {
  [template]: {
    when: text`When a payment of fees is cancelled or moved.`,
    example: ({ name, phone }) =>
      words({
        children: 'Aarohi',
        amount: '₹7,500.00',
        day: '2027-04-10',
        why: whys['The school still has it'],
        school: name,
        phone,
      }),
  },
};
