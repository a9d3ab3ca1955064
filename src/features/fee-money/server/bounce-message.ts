import { sql } from 'kysely';
import { tellGuardians } from '#features/family/api.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { isForPayer, toldPayers } from './payers.ts';
import { tellsFamilies } from './settings.ts';

const template = 'fee.bounced';
const sending = { kind: template, urgency: 'Must' } as const;

/** Tells the payers of cheques that bounced, where the school tells families of payments. */
export async function tellBounced(ctx: Context, paymentIds: readonly number[]): Promise<void> {
  if (await tellsFamilies(ctx)) await tellGuardians(ctx, sending, await toldPayers(ctx, sending, paymentIds));
}

interface Words {
  number: string;
  amount: string;
  children: string;
  school: string;
  phone: string;
}

const words = ({ number, amount, children, school, phone }: Words): Rendered => ({
  subject: text`Cheque ${{ number }} was returned`,
  paragraphs: [
    text`Dear parent, the bank returned cheque ${{ number }} of ${{ amount }} for ${{ children }}. These fees are due again. ${{ school }}: ${{ phone }}`,
  ],
});

/** None once the cheque is at the bank again. */
const bounced: Template = {
  render: async ({ db }, id) => {
    const { rows } = await sql<Omit<Words, 'amount'> & { amount: number }>`
      select payment.reference as number, payment.amount, school.name as school, school.phone,
        string_agg(distinct student.first_name, ', ') as children
      from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
      join fee_account account on account.id = receipt.account_id join student on student.id = account.student_id
      cross join academic_school school
      where payment.id = ${id} and payment.ended_as = 'Bounced'
        and not exists (select from fee_cheque again where again.number = payment.reference and again.amount = payment.amount
          and again.payment_id > payment.id and again.status in ('Received', 'Deposited', 'Cleared'))
      group by payment.id, school.name, school.phone`.execute(db);
    const [found] = rows;
    return found && words({ ...found, amount: showMoney(found.amount) });
  },
  isFor: isForPayer,
};

export const bounceMessages = { [template]: bounced };

export const bounceTexts: Record<string, TextMessage> = {
  [template]: {
    when: text`When a cheque bounces, where the setting says so.`,
    example: ({ name, phone }) =>
      words({ number: '412301', amount: '₹7,500.00', children: 'Aarohi', school: name, phone }),
  },
};
