import { bankAccountMaster } from '#features/fee-price/contract/masters.ts';
import { field } from '#kit/contract/field.ts';
import { importApi } from '#kit/contract/import.ts';
import { namedBy } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { bankWriters } from './access.ts';

/** The columns of a bank's statement; the account is usually the same for all rows. */
export const statementFile = {
  bankAccountId: field.ref(text`Bank account`, { to: namedBy(bankAccountMaster) }),
  day: field.date(text`Date`, {
    alsoNamed: ['Txn Date', 'Transaction Date', 'Tran Date', 'Posting Date', 'Post Date', 'Entry Date'],
  }),
  narration: field.text(text`Narration`, {
    max: 500,
    alsoNamed: ['Description', 'Particulars', 'Transaction Remarks', 'Remarks', 'Transaction Particulars', 'Details'],
  }),
  reference: field.text(text`Reference`, {
    max: 60,
    optional: true,
    alsoNamed: [
      'Chq./Ref.No.',
      'Ref No./Cheque No.',
      'Chq/Ref No',
      'Cheque No',
      'Cheque Number',
      'Instrument No',
      'UTR',
      'UTR No',
      'Reference No',
      'Tran ID',
    ],
  }),
  debit: field.text(text`Withdrawal (₹)`, {
    max: 40,
    optional: true,
    alsoNamed: ['Withdrawal', 'Withdrawals', 'Withdrawal Amt.', 'Withdrawal Amount', 'Debit', 'Debit Amount', 'Dr'],
  }),
  credit: field.text(text`Deposit (₹)`, {
    max: 40,
    optional: true,
    alsoNamed: ['Deposit', 'Deposits', 'Deposit Amt.', 'Deposit Amount', 'Credit', 'Credit Amount', 'Cr'],
  }),
  amount: field.text(text`Amount (₹)`, { max: 40, optional: true, alsoNamed: ['Amount', 'Transaction Amount'] }),
  side: field.text(text`Cr or Dr`, {
    max: 10,
    optional: true,
    alsoNamed: ['Cr/Dr', 'Dr/Cr', 'Debit/Credit', 'Type', 'Transaction Type'],
  }),
  balance: field.text(text`Balance (₹)`, {
    max: 40,
    optional: true,
    alsoNamed: ['Balance', 'Closing Balance', 'Running Balance', 'Available Balance', 'Balance Amount'],
  }),
};

export const statementMessages = {
  amount: text`Enter an amount such as 1,25,000.50, on one side.`,
  day: text`Enter the day, such as 01/04/2026 or 1-Apr-26.`,
  later: text`This day is later than today.`,
  account: text`Choose the bank account of the statement.`,
  columns: text`Match the column of deposits, or that of amounts.`,
};

export const statementImportApi = importApi({
  path: '/bank/statement',
  access: bankWriters,
  changes: ['bank-line'],
  columns: statementFile,
  needed: ['bankAccountId', 'day', 'narration'],
});
