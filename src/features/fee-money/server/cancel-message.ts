import { sql } from 'kysely';
import { tellGuardians, waysOf } from '#features/family/api.ts';
import { contactsOf } from '#features/student/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import type { WhereMoney } from '../contract/move.ts';

const template = 'fee.cancelled';
const sending = { kind: template, urgency: 'Must' } as const;

/** The guardian who paid each payment, or else the primary contact of its children, of those who receive messages. */
async function payersOf(ctx: Pick<Context, 'db'>, paymentIds: readonly number[]) {
  const { rows } = await sql<{ id: number; guardianId: number | null; studentIds: number[] }>`
    select payment.id, guardian_now(payment.payer_guardian_id) as "guardianId", array_agg(distinct account.student_id) as "studentIds"
    from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
    join fee_account account on account.id = receipt.account_id
    where payment.id = any(${paymentIds}::integer[]) and account.student_id is not null group by payment.id`.execute(
    ctx.db,
  );
  const students = [...new Set(rows.flatMap(({ studentIds }) => studentIds))];
  const adults = students.length === 0 ? [] : await contactsOf(ctx, students, 'receiving');
  return rows.flatMap(({ id, guardianId, studentIds }) => {
    const own = adults.flatMap((adult) => {
      const children = adult.children.filter(({ studentId }) => studentIds.includes(studentId));
      return children.length > 0 ? [{ ...adult, children }] : [];
    });
    const contact = own.find((adult) =>
      guardianId === null ? adult.children.some(({ isPrimary }) => isPrimary) : adult.guardianId === guardianId,
    );
    return contact ? [{ id, contact }] : [];
  });
}

/** Tells the payers of cancelled and moved payments, whether the school sends receipts or not. */
export async function tellCancelled(ctx: Context, paymentIds: readonly number[]): Promise<void> {
  const payers = await payersOf(ctx, paymentIds);
  if (payers.length === 0) return;
  const pairs = payers.flatMap(({ contact: { guardianId, children } }) =>
    children.map(({ studentId }) => ({ guardianId, studentId })),
  );
  const ways = await waysOf(ctx, sending, pairs);
  await tellGuardians(
    ctx,
    sending,
    payers.flatMap(({ id, contact }) => {
      const [way] = ways.get(contact.guardianId)?.ways ?? [];
      return way ? [{ way, subjectId: id, key: `${template} ${id}` }] : [];
    }),
  );
}

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
    text`Dear parent, the payment of ${{ amount }} for ${{ children }} of ${{ day }} was cancelled: ${{ why: english(why) }}. ${{ school }}: ${{ phone }}`,
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
    return words({ ...rest, amount: showMoney(amount), day: showDate(day), why });
  },
  isFor: async ({ db }, { subjectId, recipient }) => {
    const [payer] = await payersOf({ db }, [subjectId]);
    return payer !== undefined && [payer.contact.mobile, payer.contact.email.toLowerCase()].includes(recipient);
  },
};

export const cancelMessages = { [template]: cancelled };

export const cancelTexts: Record<string, TextMessage> = {
  [template]: {
    when: text`When a payment of fees is cancelled or moved.`,
    example: ({ name, phone }) =>
      words({
        children: 'Aarohi',
        amount: '₹7,500.00',
        day: '10 Apr 2027',
        why: whys['The school still has it'],
        school: name,
        phone,
      }),
  },
};
