import * as z from 'zod/mini';
import { feeReaders } from '#access/contract/grants.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';

const shows = ['fee-payment', 'fee-plan', 'fee-follow-up', 'approval', 'student', 'enrollment'] as const;

/** What each student owes. */
export const accountList = defineList({
  name: 'fee_account',
  path: '/fee/student',
  singular: text`student`,
  plural: text`students`,
  access: feeReaders,
  shows: [...shows, 'grade', 'section'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR` },
    section: { kind: 'text', label: text`Section` },
    net: { kind: 'money', label: text`Fees of the year`, head: text`A year`, onPhone: 'away' },
    paid: { kind: 'money', label: text`Paid of it`, head: text`Paid`, onPhone: 'away' },
    due: { kind: 'money', label: text`Due today`, onPhone: 'end' },
    fine: { kind: 'money', label: text`Late fines`, head: text`Fines`, onPhone: 'away' },
    since: { kind: 'date', label: text`Due since`, head: text`Since` },
    advance: { kind: 'money', label: text`Advance` },
    promisedOn: { kind: 'date', label: text`Promised to pay on`, head: text`Promise`, isAside: true },
    lastReceiptOn: { kind: 'date', label: text`Last receipt`, isAside: true },
    balance: { kind: 'money', label: text`Balance`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
  },
  filters: {
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
  },
  tabs: {
    all: text`All`,
    overdue: text`Overdue`,
    promised: text`Promise missed`,
    advance: text`Advance`,
    left: text`Left`,
  },
  extra: {},
});

const statementRow = z.object({
  id: z.number(),
  day: z.string(),
  kind: z.string(),
  what: z.string(),
  debit: z.number(),
  credit: z.number(),
  balance: z.number(),
  /** The receipt that it belongs to. */
  receiptId: z.nullable(z.number()),
  isReversal: z.boolean(),
});
export type StatementRow = z.infer<typeof statementRow>;

/** A cheque of a later day; it is in no balance. */
const heldCheque = z.object({ number: z.string(), bank: z.string(), datedOn: z.string(), amount: z.number() });

const receiptRow = z.object({
  id: z.number(),
  paymentId: z.number(),
  version: z.number(),
  receiptNo: z.string(),
  date: z.string(),
  series: z.string(),
  mode: z.string(),
  reference: z.string(),
  amount: z.number(),
  by: z.string(),
  endedAs: z.string(),
  endedOn: z.string(),
  endReason: z.string(),
  isAsked: z.boolean(),
});
export type ReceiptRow = z.infer<typeof receiptRow>;

export const accountApi = {
  /** A student's account: the head of the page and the receipts. */
  read: endpoint({
    method: 'GET',
    path: '/fee/student/:id',
    access: feeReaders,
    opens: 'student',
    shows,
    input: z.object({ id }),
    output: z.object({
      studentId: z.number(),
      name: z.string(),
      grNo: z.string(),
      place: z.string(),
      balance: z.number(),
      /** Due today without late fines, these, and the advance. */
      due: z.number(),
      fine: z.number(),
      advance: z.number(),
      /** The other children of the student’s adults, with what is due and late fines. */
      siblings: z.array(z.object({ studentId: z.number(), name: z.string(), due: z.number(), fine: z.number() })),
      receipts: z.array(receiptRow),
      heldCheques: z.array(heldCheque),
      /** Money of this student that was cancelled and that the school still has. */
      unplaced: z.array(z.object({ id: z.number(), day: z.string(), amount: z.number(), note: z.string() })),
      may: abilities('cancel'),
    }),
  }),
  /** The account as a running ledger as of a day: what is due by then, and below it what is not yet due. */
  statement: endpoint({
    method: 'GET',
    path: '/fee/student/:id/statement',
    access: feeReaders,
    opens: 'student',
    shows,
    input: z.object({ id, on: z._default(calendarDay(text`As of`, true), '') }),
    output: z.object({
      on: z.string(),
      rows: z.array(statementRow),
      balance: z.number(),
      /** Owed later, by due day. */
      later: z.array(z.object({ dueOn: z.string(), what: z.string(), amount: z.number() })),
      heldCheques: z.array(heldCheque),
    }),
  }),
  /** The same as a PDF. */
  statementFile: endpoint({
    method: 'GET',
    path: '/fee/student/:id/statement/file',
    access: feeReaders,
    opens: 'student',
    input: z.object({ id, on: z._default(calendarDay(text`As of`, true), '') }),
    output: servedFile,
  }),
};
