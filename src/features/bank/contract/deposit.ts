import * as z from 'zod/mini';
import { bankAccountMaster } from '#features/fee-price/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { bankReaders, bankWriters } from './access.ts';

/** The most cheques of one slip. */
export const mostOfSlip = 100;

export const depositFields = {
  bankAccountId: field.ref(text`Bank account`, { to: namedBy(bankAccountMaster) }),
  slipNo: field.text(text`Slip number`, { max: 30 }),
};

export const depositMessages = {
  once: text`A slip of today has this number already.`,
  most: text`A slip takes at most ${{ most: mostOfSlip }} cheques. Select fewer.`,
};

const shows = ['bank-deposit', 'fee-cheque', 'bank-line'] as const;

/** The deposit slips, each with what the bank has shown of it. */
export const depositList = defineList({
  name: 'bank_deposit',
  path: '/bank/deposit',
  singular: text`deposit slip`,
  plural: text`deposit slips`,
  access: bankReaders,
  shows,
  sort: '-day',
  columns: {
    slipNo: { kind: 'text', label: text`Slip` },
    day: { kind: 'date', label: text`Date`, isSorted: true },
    account: { kind: 'text', label: text`Bank account` },
    cheques: { kind: 'number', label: text`Cheques` },
    amount: { kind: 'money', label: text`Amount` },
    seen: { kind: 'money', label: text`Seen in the bank` },
    bounced: { kind: 'number', label: text`Bounced` },
    by: { kind: 'text', label: text`Made by`, isAside: true },
  },
  filters: { bankAccountId: filterBy({ label: text`Bank account`, to: namedBy(bankAccountMaster) }) },
  tabs: { all: text`All`, open: text`Not seen yet` },
  extra: {},
});

export const depositApi = {
  /** Deposits the selected cheques on one slip, all or none. */
  deposit: endpoint({
    method: 'POST',
    path: '/bank/deposit',
    access: bankWriters,
    changes: ['bank-deposit', 'fee-cheque', 'fee-payment', 'fee-plan', 'fee-day'],
    input: z.object({ selection, ...inputOf(depositFields) }),
    output: z.object({ id: z.number(), cheques: z.number(), amount: z.number() }),
  }),
  /** The slip to print for the bank. */
  paper: endpoint({
    method: 'GET',
    path: '/bank/deposit/:id/paper',
    access: bankReaders,
    shows: ['bank-deposit'],
    ownTransactions: true,
    input: z.object({ id }),
    output: servedFile,
  }),
};
