import type { ListAct, PagePart } from '#kit/contract/record-card.ts';
import { text } from '#kit/contract/text.ts';
import { bankReaders, bankWriters } from './access.ts';

/** The parts stand among those of Bank on Student-Wise Fees Structure, whose own is unplaced money. */
const page = 'fee/student-wise-fees-structure/bank';

export const statementPart: PagePart = {
  page,
  key: 'statement',
  order: 20,
  title: text`Statement`,
  access: bankReaders,
};
export const depositPart: PagePart = {
  page,
  key: 'deposit',
  order: 30,
  title: text`Deposit slips`,
  access: bankReaders,
};
export const unseenPart: PagePart = {
  page,
  key: 'unseen',
  order: 40,
  title: text`Not seen in the bank`,
  access: bankReaders,
};
export const dayPart: PagePart = { page, key: 'day', order: 50, title: text`UPI and card`, access: bankReaders };

export const tallyPart: PagePart = { page, key: 'tally', order: 60, title: text`Tally`, access: bankReaders };

export const depositAct: ListAct = { list: 'fee_cheque', key: 'deposit', access: bankWriters };
