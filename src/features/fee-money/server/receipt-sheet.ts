import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { Paper, PaperHead } from '#kit/server/paper/paper.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';

/** A receipt as a PDF, in the words of the printed receipt. */
export function receiptSheet(head: PaperHead, receipt: ReceiptPaper): Paper {
  const facts: (readonly [Text, string])[] = [
    [text`Receipt no`, receipt.receiptNo],
    [text`Date`, showDate(receipt.date)],
    [text`Student`, receipt.student],
    [text`GR no`, receipt.grNo],
    [text`Application no`, receipt.applicationNo ?? ''],
    [text`Class`, receipt.place],
    [text`Received from`, receipt.receivedFrom],
    [text`Mode`, [receipt.mode, receipt.reference].filter(Boolean).join(', ')],
    [text`Receipts of`, receipt.heading],
    [text`In words`, english(receipt.inWords)],
  ];
  return {
    // The name and lines of the day it was issued.
    head: { ...head, ...receipt.school },
    title: receipt.isCancelled ? text`Fee receipt, CANCELLED` : text`Fee receipt`,
    facts: facts.filter(([, value]) => value !== ''),
    table: {
      heads: [text`Fee`, text`Due on`, text`Due`, text`Paid now`],
      rows: receipt.lines.map(({ head: fee, label, dueOn, due, paid }) => [
        [fee, label].filter(Boolean).join(', '),
        dueOn && showDate(dueOn),
        due > 0 ? showMoney(due) : '',
        showMoney(paid),
      ]),
      sums: [text`Total`, '', '', showMoney(receipt.total)],
      right: [2, 3],
    },
    foot: receipt.copy,
    made: text`${{ notes: receipt.notes.map(english).join(' ') }}`,
    signatures: [{ who: text`for ${{ school: receipt.school.name }}` }],
  };
}
