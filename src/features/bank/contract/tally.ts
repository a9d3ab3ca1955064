import * as z from 'zod/mini';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, rule } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { bankReaders, bankWriters } from './access.ts';

export const tallyMessages = {
  lacks: text`Some ledgers have no name of Tally yet. Enter them first.`,
  none: text`Nothing was booked in these days.`,
  unknown: text`There is no such ledger.`,
};

const asked = {
  seriesId: id,
  from: calendarDay(text`From`),
  to: calendarDay(text`Until`),
};
const inOrder = rule<{ from: string; to: string }>(({ from, to }, say) => {
  if (from && to && to < from) say('to', text`Choose a day that is not before the first one.`);
});

export const ledgerNameFields = {
  name: field.text(text`Name in Tally`, { max: 100 }),
};

const ledger = z.object({
  key: z.string(),
  /** The fee head, mode, account and so on. */
  of: anyText,
  /** Its name in Tally; '' until somebody enters it. */
  name: z.string(),
  /** The name that the school uses. */
  usual: z.string(),
});

export const tallyApi = {
  /** The names of ledgers, and the receipt series: each is a company of Tally. */
  names: endpoint({
    method: 'GET',
    path: '/bank/ledger-name',
    access: bankReaders,
    shows: ['bank-ledger-name'],
    input: z.object({}),
    output: z.object({ ledgers: z.array(ledger), series: z.array(z.object({ id: z.number(), name: z.string() })) }),
  }),
  saveName: endpoint({
    method: 'POST',
    path: '/bank/ledger-name',
    access: bankWriters,
    changes: ['bank-ledger-name'],
    input: z.object({ key: z.string().check(z.maxLength(30)), ...inputOf(ledgerNameFields) }),
    output: z.object({}),
  }),
  /** What a file would have, and which names it lacks. */
  preview: endpoint({
    method: 'GET',
    path: '/bank/tally',
    access: bankReaders,
    shows: ['bank-ledger-name', 'fee-payment', 'fee-day', 'bank-deposit'],
    input: z.object(asked).check(inOrder),
    output: z.object({
      vouchers: z.number(),
      cancelled: z.number(),
      /** In paise; credits are as much. */
      debit: z.number(),
      lacks: z.array(anyText),
      /** Shifts of these days that are still open: more may be booked. */
      openShifts: z.number(),
    }),
  }),
  /** The vouchers of a receipt series, as XML that Tally imports. A span that is exported again alters and doubles nothing. */
  file: endpoint({
    method: 'GET',
    path: '/bank/tally/file',
    access: bankWriters,
    input: z.object(asked).check(inOrder),
    output: servedFile,
  }),
};
