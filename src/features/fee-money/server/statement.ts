import { sql } from 'kysely';
import { accountsOf } from '#features/fee-price/api.ts';
import { showDay } from '#kit/contract/format.ts';
import type { Language } from '#kit/contract/languages.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { say } from '#kit/server/language/say.ts';
import { sheet } from '#kit/server/paper/paper.ts';
import type { StatementRow } from '../contract/account.ts';
import { readHeldCheques } from './held-cheques.ts';

interface Asked {
  studentId: number;
  /** The last day that counts. */
  on: string;
}

/** A child’s ledger entries up to a day, by due day, with the balance after each, and what falls due later. */
export async function readStatement({ db }: Pick<Context, 'db'>, { studentId, on }: Asked) {
  const isOwn = sql`entry.account_id in (select id from ${accountsOf(studentId)} account)`;
  const { rows } = await sql<Omit<StatementRow, 'debit' | 'credit'> & { amount: number }>`
    select entry.id, entry.due_on as day, entry.kind, concat_ws(', ', nullif(coalesce(head.name,
        case when due.kind = 'Fine' then 'Late fine' when entry.due_id is null then 'Advance' end), ''), nullif(due.label, 'Late fine'),
        receipt.receipt_no) as what,
      entry.amount, receipt.id as "receiptId", entry.reverses_id is not null as "isReversal",
      (sum(entry.amount) over (order by entry.due_on, entry.entry_date, entry.id))::bigint as balance
    from fee_ledger_entry entry
    left join fee_due due on due.id = entry.due_id
    left join fee_head head on head.id = due.fee_head_id
    left join fee_receipt receipt on receipt.id = entry.receipt_id
    where ${isOwn} and entry.entry_date <= ${on}::date and entry.due_on <= ${on}::date
    order by entry.due_on, entry.entry_date, entry.id`.execute(db);
  const { rows: later } = await sql<{ dueOn: string; what: string; amount: number }>`
    select entry.due_on as "dueOn", string_agg(distinct coalesce(head.name, due.label), ', ') as what, sum(entry.amount)::bigint as amount
    from fee_ledger_entry entry left join fee_due due on due.id = entry.due_id left join fee_head head on head.id = due.fee_head_id
    where ${isOwn} and entry.entry_date <= ${on}::date and entry.due_on > ${on}::date
    group by 1 having sum(entry.amount) <> 0 order by 1`.execute(db);
  return {
    on,
    rows: rows.map(({ amount, ...row }) => ({ ...row, debit: Math.max(0, amount), credit: Math.max(0, -amount) })),
    balance: rows.at(-1)?.balance ?? 0,
    later,
    heldCheques: (await readHeldCheques({ db }, [studentId], on)).get(studentId) ?? [],
  };
}

const kindWords: Record<string, Text> = {
  Charge: text`Charged`,
  'Pro-rata': text`Charged for part of the time`,
  Concession: text`Concession`,
  Applied: text`Paid from the advance`,
  Receipt: text`Received`,
  Refund: text`Refunded`,
  Fine: text`Late fine`,
  Debit: text`Debit`,
  Credit: text`Credit`,
  'Write-off': text`Written off`,
  Waiver: text`Waived`,
  Transfer: text`Moved`,
  Opening: text`Opening balance`,
};

const ownWords: Record<string, Text> = { 'Late fine': text`Late fine`, Advance: text`Advance` };

interface Printed extends Awaited<ReturnType<typeof readStatement>> {
  student: { name: string; grNo: string; place: string };
  /** What is before it is one sum; '' for all. */
  from: string;
  language: Language;
}

/** A statement as a PDF, for the office and for families. */
export async function statementFileOf(
  ctx: Context,
  { student, from, language, on, rows, balance, later, heldCheques }: Printed,
) {
  const write = say(language);
  const day = (date: string) => showDay(date, language);
  const before = rows.findLast((row) => row.day < from)?.balance ?? 0;
  const own = rows.filter((row) => row.day >= from);
  const head = await ctx.readPaperHead(ctx);
  const facts: (readonly [Text, string])[] = [
    [text`Student`, student.name],
    [text`GR no`, student.grNo],
    [text`Class`, student.place],
    [text`From`, from && day(from)],
    [text`Until`, day(on)],
  ];
  const what = ({ kind, what, isReversal }: StatementRow) => {
    const words = write(kindWords[kind] ?? verbatim(kind));
    // Fines and the advance have no name that the school gave.
    const named = what.split(', ').map((part) => write(ownWords[part] ?? verbatim(part)));
    return [named.join(', '), isReversal ? write(text`Reversed: ${{ what: words }}`) : words]
      .filter(Boolean)
      .join(' · ');
  };
  const sections = [
    ...(later.length > 0
      ? [
          {
            title: text`Not yet due`,
            groups: [
              {
                facts: later.map((one) => [verbatim(`${day(one.dueOn)}, ${one.what}`), showMoney(one.amount)] as const),
              },
            ],
          },
        ]
      : []),
    ...(heldCheques.length > 0
      ? [
          {
            title: text`Cheques held, not paid`,
            groups: [
              {
                facts: heldCheques.map(
                  ({ number, bank, datedOn, amount }) =>
                    [verbatim(`${number}, ${bank}, ${day(datedOn)}`), showMoney(amount)] as const,
                ),
              },
            ],
          },
        ]
      : []),
  ];
  const paper = {
    head,
    title: text`Fee statement`,
    language,
    facts: facts.filter(([, value]) => value !== ''),
    table: {
      heads: [text`Day`, text`Particulars`, text`Debit`, text`Credit`, text`Balance`],
      rows: [
        ...(from ? [[day(from), text`Balance before`, '', '', showMoney(before)]] : []),
        ...own.map((row) => [
          day(row.day),
          what(row),
          row.debit > 0 ? showMoney(row.debit) : '',
          row.credit > 0 ? showMoney(row.credit) : '',
          showMoney(row.balance),
        ]),
      ],
      sums: [
        text`Total`,
        '',
        showMoney(own.reduce((sum, { debit }) => sum + debit, 0)),
        showMoney(own.reduce((sum, { credit }) => sum + credit, 0)),
        showMoney(balance),
      ],
      right: [2, 3, 4],
    },
    ...(sections.length > 0 && { sections }),
    made: text`Made on ${{ day: day(toLocalDate(ctx.now())) }}. Amounts change daily while a late fine counts.`,
    signatures: [{ who: text`for ${{ school: head.name }}` }],
  };
  const name = `statement-${student.grNo.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${on}.pdf`;
  return { mediaType: 'application/pdf', name, bytes: await ctx.makePaper(sheet, paper, ctx.caller) };
}
