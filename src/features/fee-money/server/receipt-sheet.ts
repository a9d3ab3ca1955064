import { showDay } from '#kit/contract/format.ts';
import type { Language } from '#kit/contract/languages.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { say } from '#kit/server/language/say.ts';
import type { Paper, PaperHead } from '#kit/server/paper/paper.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import { amountIn } from './amount-in.ts';

/** A receipt as a PDF, in the words of the printed receipt; names as they were written. */
export function receiptSheet(head: PaperHead, receipt: ReceiptPaper, language: Language = 'en'): Paper {
  const write = say(language);
  const facts: (readonly [Text, string | Text])[] = [
    [text`Receipt no`, receipt.receiptNo],
    [text`Date`, showDay(receipt.date, language)],
    [text`Student`, receipt.student],
    [text`GR no`, receipt.grNo],
    [text`Application no`, receipt.applicationNo ?? ''],
    [text`Class`, receipt.place],
    [text`Received from`, receipt.receivedFrom],
    [text`Mode`, [write({ id: receipt.mode }), receipt.reference].filter(Boolean).join(', ')],
    [text`Receipts of`, receipt.heading],
    [text`In words`, language === 'en' ? receipt.inWords : amountIn(language, receipt.total)],
  ];
  return {
    // The name and lines of the day it was issued.
    head: { ...head, ...receipt.school },
    title: receipt.isCancelled ? text`Fee receipt, CANCELLED` : text`Fee receipt`,
    language,
    facts: facts.filter(([, value]) => value !== ''),
    table: {
      heads: [text`Fee`, text`Due on`, text`Due`, text`Paid now`],
      rows: receipt.lines.map(({ head: fee, label, dueOn, due, paid }) => [
        [fee, label].filter(Boolean).join(', '),
        dueOn && showDay(dueOn, language),
        due > 0 ? showMoney(due) : '',
        showMoney(paid),
      ]),
      sums: [text`Total`, '', '', showMoney(receipt.total)],
      right: [2, 3],
    },
    foot: receipt.copy,
    made: text`${{ notes: receipt.notes.map(write).join(' ') }}`,
    signatures: [{ who: text`for ${{ school: receipt.school.name }}` }],
  };
}
