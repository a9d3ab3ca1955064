import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';

const group = text`Fees`;

export const backDays = setting({
  key: 'fee.back-days',
  isGuarded: true,
  group,
  label: text`Payments may be dated back by`,
  help: text`A reason is required. Closed days and closed books can’t be chosen. 0 allows no back-dating. For money of an earlier day, take the payment with an allowed date and ask for a waiver of the late fine.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {day} other {days}}' }),
  default: 1,
  least: 0,
  most: 60,
});

export const sendsReceipts = setting({
  key: 'fee.sends-receipts',
  group,
  label: text`Families get messages about payments, bounced cheques and due days`,
  help: text`The guardian who pays gets the amount and the receipt numbers; for a cheque, or another payer, the primary contact does. By default where the school has a gateway for text messages. The words are in Text messages.`,
  kind: 'yesNo',
  default: true,
});

/** Whether families get messages of payments: what the school has set, else yes with an SMS gateway. */
export async function tellsFamilies({ db, sendsTexts }: Pick<Services, 'db' | 'sendsTexts'>): Promise<boolean> {
  const stored = await db
    .selectFrom('setting')
    .where('key', '=', sendsReceipts.key)
    .where('value', 'is not', null)
    .select('value')
    .executeTakeFirst();
  return stored ? stored.value === true : sendsTexts;
}

export const cancelMinutes = setting({
  key: 'fee.cancel-minutes',
  isGuarded: true,
  group,
  label: text`Cashiers cancel their own payments within`,
  help: text`Later a second person approves it. 0 leaves every cancellation to a second person.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {minute} other {minutes}}' }),
  default: 30,
  least: 0,
  most: 60,
});

export const feeMoneySettings = [backDays, cancelMinutes, sendsReceipts] as const;
