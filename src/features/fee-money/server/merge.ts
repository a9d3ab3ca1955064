import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on the record of a student or an adult in this feature. */
export const feeMoneyMerges: readonly Merging[] = [
  { table: 'fee_cheque', words: text`Cheques`, how: 'stays' },
  { table: 'fee_payment', words: text`Payments`, how: 'stays' },
  { table: 'fee_reminder', words: text`Reminders of fees`, how: 'stays' },
];
