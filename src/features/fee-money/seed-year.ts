import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import { postEntries } from '#features/fee-price/api.ts';
import { showMoney } from '#kit/contract/money.ts';
import { financialYearOf } from '#kit/contract/numbering.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';
import { amountInWords } from './contract/amount-in-words.ts';
import { notes } from './contract/day.ts';
import { type FineTerms, fineAsOf } from './contract/fine.ts';
import { paymentNo } from './contract/receipt.ts';
import { fineEntries, storeFineDues } from './server/post-fines.ts';
import { fineKey, type OwedFine } from './server/read-dues.ts';

/** The modes, with the percentage of payments up to each. */
const modes = [
  ['Cash', 45],
  ['UPI', 85],
  ['Bank transfer', 95],
  ['Card', 100],
] as const;

/** Few enough receipts for the deadline of a statement. */
const atOnce = 400;

/** Cash of one payer and day stays below the legal limit. */
const mostCash = 15_000_000;

/** How families pay, with the percentage up to each: on time, late with a fine, the latest dues in half, or not at all lately. */
const manners = [
  ['On time', 70],
  ['Late', 88],
  ['In part', 96],
  ['Not lately', 100],
] as const;

/** Half of an amount, in whole rupees. */
const halfOf = (amount: number) => (amount - (amount % 200)) / 2;

interface Due {
  accountId: number;
  yearId: number;
  branchId: number;
  student: string;
  grNo: string;
  place: string;
  payer: string;
  payerId: number | null;
  dueOn: string;
  seriesId: number;
  numberSeriesId: number;
  prefix: string;
  heading: string;
  dues: { id: number; head: string; label: string; net: number; ruleId: number | null; terms: FineTerms | null }[];
}

/** A receipt line: the due and the amount paid on it. A fine refers to its due by key. */
interface Paid {
  id: number;
  fine?: OwedFine;
  head: string;
  label: string;
  net: number;
  paid: number;
}

/**
 * Payments of the year until yesterday, by the manner of each family, and every day closed. The first cashier has only days
 * before the last five, which are those of `seedMoney`. Written in sets, as `fee_post` wants it.
 */
export async function seedYear({ db, readPaperHead, ...ctx }: Context, { today, random }: SeedPlan) {
  const numbers = random('fee-year');
  const last = addDays(today, -1);
  const lastOfFirst = addDays(today, -5);
  const { rows: cashiers } = await sql<{ staffId: number; name: string }>`
    select staff.id as "staffId", staff.name from sign_in_account account join staff on staff.id = account.staff_id
    where 'accountant' = any(sets) order by cardinality(sets), account.id limit 2`.execute(db);
  const dues = await readDues(db, last);
  if (cashiers.length === 0 || dues.length === 0) return;
  const head = await readPaperHead({ db, readPaperHead, ...ctx } as Context);
  const mannerOf = new Map<number, (typeof manners)[number][0]>();
  const payments = [...Map.groupBy(dues, ({ accountId, dueOn }) => `${accountId} ${dueOn}`).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { accountId, dueOn } = first;
    const place = numbers.upTo(100);
    const manner = mannerOf.get(accountId) ?? manners.find(([, upTo]) => place < upTo)?.[0] ?? 'On time';
    mannerOf.set(accountId, manner);
    if (manner === 'Not lately' && dueOn > addDays(today, -75)) return [];
    const late = manner === 'Late' ? 8 + numbers.upTo(30) : numbers.upTo(4) - 2;
    const day = addDays(dueOn, late);
    const at = day > lastOfFirst ? 1 : accountId % cashiers.length;
    const cashier = cashiers[at];
    if (day > last || !cashier) return [];
    const isHalf = manner === 'In part' && dueOn > addDays(today, -45);
    const fines = manner === 'Late' ? finesOf(own, day) : [];
    const receipts = own.map((series) => ({
      ...series,
      dues: [
        ...series.dues.map((due): Paid => ({ ...due, paid: isHalf ? halfOf(due.net) : due.net })),
        ...fines
          .filter(({ receiptSeriesId }) => receiptSeriesId === series.seriesId)
          .map((fine): Paid => ({ id: 0, fine, head: 'Late fine', label: '', net: fine.accrued, paid: fine.accrued })),
      ].filter(({ paid }) => paid > 0),
    }));
    const amount = receipts.flatMap((receipt) => receipt.dues).reduce((sum, { paid }) => sum + paid, 0);
    if (amount === 0) return [];
    const share = numbers.upTo(100);
    const [chosen] = modes.find(([, upTo]) => share < upTo) ?? modes[0];
    const mode = chosen === 'Cash' && amount > mostCash ? 'UPI' : chosen;
    return [{ day, mode, amount, cashier, payer: first.payer, payerId: first.payerId, accountId, receipts }];
  });
  payments.sort((one, other) => one.day.localeCompare(other.day) || one.accountId - other.accountId);
  await db.transaction().execute(async (tx) => {
    await sql`insert into fee_day (staff_id, day) select distinct "staffId", day
      from jsonb_to_recordset(${JSON.stringify(payments.map(({ day, cashier }) => ({ day, staffId: cashier.staffId })))}::jsonb)
        as row ("staffId" integer, day date) on conflict do nothing`.execute(tx);
    const { rows: made } = await sql<{ id: number }>`
      insert into fee_payment (day_id, staff_id, paid_on, payer_guardian_id, payer_name, payer_key, mode, amount, reference, created_at)
      select drawer.id, drawer.staff_id, row.day, row.adult, row.payer, 'a ' || row.account, row.mode, row.amount, row.reference,
        row.day + time '10:00' + (row.place % 360) * interval '1 minute'
      from jsonb_to_recordset(${JSON.stringify(
        payments.map(({ day, cashier, payer, payerId, accountId, mode, amount }, place) => ({
          place,
          adult: payerId,
          day,
          staff: cashier.staffId,
          payer,
          account: accountId,
          mode,
          amount,
          reference: mode === 'Cash' ? '' : `${mode.slice(0, 1)}${3_000_000_000 + place}`,
        })),
      )}::jsonb) as row (place integer, adult integer, day date, staff integer, payer text, account integer, mode text, amount bigint,
        reference text)
      join fee_day drawer on drawer.staff_id = row.staff and drawer.day = row.day order by row.place returning id`.execute(
      tx,
    );
    const fineDues = await postFines(tx, payments);
    const ids = made.map(({ id }) => id).sort((one, other) => one - other);
    const counts = new Map<string, number>();
    const receipts = payments.flatMap(({ receipts: own, ...payment }, place) => {
      const id = ids[place] ?? 0;
      return own
        .filter(({ dues: paid }) => paid.length > 0)
        .map((receipt) => {
          const period = financialYearOf(payment.day, 4);
          const key = `${receipt.numberSeriesId} ${period}`;
          const value = (counts.get(key) ?? 0) + 1;
          counts.set(key, value);
          const total = receipt.dues.reduce((sum, { paid }) => sum + paid, 0);
          const receiptNo = `${receipt.prefix}/${period}/${String(value).padStart(5, '0')}`;
          return {
            payment_id: id,
            receipt_date: payment.day,
            account_id: receipt.accountId,
            receipt_series_id: receipt.seriesId,
            branch_id: receipt.branchId,
            number_series_id: receipt.numberSeriesId,
            number_period: period,
            number_value: value,
            receipt_no: receiptNo,
            amount: total,
            paid: receipt.dues.map(({ id: due, fine, paid }) => ({ due: fine ? fineDues.get(fine.key) : due, paid })),
            issued_as: {
              receiptNo,
              paymentNo: paymentNo(id),
              school: { name: head.name, lines: head.lines },
              heading: receipt.heading,
              date: payment.day,
              student: receipt.student,
              grNo: receipt.grNo,
              place: receipt.place,
              rollNo: '',
              receivedFrom: payment.payer,
              mode: payment.mode,
              reference: payment.mode === 'Cash' ? '' : `${payment.mode.slice(0, 1)}${3_000_000_000 + place}`,
              lines: receipt.dues.map((due) => ({
                head: due.head,
                label: due.label,
                dueOn: receipt.dueOn,
                due: due.net,
                paid: due.paid,
              })),
              total,
              inWords: amountInWords(total),
              notes: [
                text`Payment ${{ number: paymentNo(id) }}, ${{ amount: showMoney(payment.amount) }} in all.`,
                text`Collected by ${{ name: payment.cashier.name }}.`,
              ],
            },
          };
        });
    });
    // The plans of `fee_post` are those of empty tables until now, and a statement has a deadline.
    await sql`discard plans`.execute(tx);
    for (let done = 0; done < receipts.length; done += atOnce)
      await insertReceipts(tx, receipts.slice(done, done + atOnce));
    await sql`insert into number_series_value (series_id, period, next_value)
      select series, period, next from jsonb_to_recordset(${JSON.stringify(
        [...counts].map(([key, value]) => {
          const [series, period] = key.split(' ');
          return { series: Number(series), period, next: value + 1 };
        }),
      )}::jsonb) as row (series integer, period text, next integer)`.execute(tx);
    await cancelSome(tx, today);
  });
  await db.transaction().execute((tx) => closeDays(tx, last));
}

/** The late fines of a due day that is paid in full on a later day: one for each rule. */
function finesOf(own: readonly Due[], day: string): OwedFine[] {
  const fined = own.flatMap(({ dues, ...series }) => dues.map((due) => ({ ...series, ...due })));
  return [...Map.groupBy(fined, ({ ruleId }) => ruleId)].flatMap(([ruleId, [due]]) => {
    if (ruleId === null || !due?.terms) return [];
    const { accountId, dueOn, terms } = due;
    const late = { dueOn, fineFrom: null, dues: [{ net: 1, money: [] }], stays: [] };
    const { amount: accrued, days } = fineAsOf(terms, late, day);
    const fine = { accountId, ruleId, fineOf: dueOn, receiptSeriesId: due.seriesId, academicYearId: due.yearId };
    const none = { label: '', maxAmount: null, dueId: null, posted: 0, net: 0, paid: 0, dueIds: [] };
    return accrued > 0 ? [{ ...fine, ...none, key: fineKey(fine), days, accrued }] : [];
  });
}

/** Posts the fines that payments pay, each on the day of its payment. Returns the due of each by its key. */
async function postFines(
  db: Database,
  payments: readonly { day: string; receipts: readonly { dues: readonly Paid[] }[] }[],
): Promise<Map<string, number>> {
  const fines = payments.flatMap(({ day, receipts }) =>
    receipts.flatMap(({ dues }) => dues.flatMap(({ fine }) => (fine ? [{ day, fine }] : []))),
  );
  const dueOf = new Map<string, number>();
  for (let done = 0; done < fines.length; done += atOnce) {
    const some = fines.slice(done, done + atOnce);
    const stored = await storeFineDues(
      { db },
      some.map(({ fine }) => fine),
    );
    for (const [key, due] of stored) dueOf.set(key, due);
    await postEntries(
      { db },
      some.flatMap(({ day, fine }) => fineEntries([fine], stored, day)),
    );
  }
  return dueOf;
}

/** What fell due until a day, by student, day and receipt series. */
async function readDues(db: Database, last: string) {
  const { rows } = await sql<Due>`
    select account.id as "accountId", due.academic_year_id as "yearId", student.branch_id as "branchId", student.name as student, student.gr_no as "grNo",
      coalesce((select name from student_place(student.id, due.due_on)), '') as place,
      coalesce(contact.name, 'A parent') as payer, contact.guardian_id as "payerId",
      due.due_on as "dueOn", series.id as "seriesId", number.id as "numberSeriesId", number.prefix, series.heading,
      jsonb_agg(jsonb_build_object('id', due.id, 'head', head.name, 'label', due.label, 'net', due.net,
        'ruleId', head.fine_rule_id, 'terms', (
          select jsonb_build_object('kind', version.kind, 'amount', version.amount, 'graceDays', grace_days,
            'maxAmount', max_amount, 'slabs', coalesce((select jsonb_agg(jsonb_build_object('fromDay', from_day,
              'amount', slab.amount) order by from_day) from fee_fine_slab slab where slab.version_id = version.id), '[]'))
          from fee_fine_version version where version.rule_id = head.fine_rule_id
            and due.due_on between effective_from and coalesce(effective_to, 'infinity'))) order by head.priority, due.id) as dues
    from fee_account account join student on student.id = account.student_id
    join fee_due due on due.account_id = account.id and due.kind = 'Plan' and due.net > 0 and due.paid = 0
    join fee_head head on head.id = due.fee_head_id
    join fee_receipt_series series on series.id = due.receipt_series_id
    join number_series number on number.code = 'fee-receipt-' || series.id and number.branch_id is null
    left join lateral (select name, guardian_id from student_contact where student_id = student.id limit 1) contact on true
    where due.due_on <= ${last}::date group by account.id, student.id, due.academic_year_id, due.due_on, series.id, number.id, contact.name, contact.guardian_id
    order by due.due_on, account.id, series.id`.execute(db);
  return rows;
}

/** Stores receipts with what each paid. */
const insertReceipts = (db: Database, receipts: readonly object[]) =>
  sql`
    with own as (
      select * from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as row (payment_id integer, receipt_date date,
        account_id integer, receipt_series_id integer, branch_id integer, number_series_id integer, number_period text,
        number_value integer, receipt_no text, amount bigint, issued_as jsonb, paid jsonb)),
    made as (
      insert into fee_receipt (payment_id, receipt_date, account_id, receipt_series_id, branch_id, number_series_id,
        number_period, number_value, receipt_no, amount, issued_as)
      select payment_id, receipt_date, account_id, receipt_series_id, branch_id, number_series_id, number_period,
        number_value, receipt_no, amount, issued_as from own returning id, receipt_no)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, receipt_id)
    select own.account_id, part.due, own.receipt_series_id, 'Receipt', own.receipt_date, own.receipt_date, -part.paid, made.id
    from own join made on made.receipt_no = own.receipt_no
    cross join lateral jsonb_to_recordset(own.paid) as part (due integer, paid bigint)`.execute(db);

/** Nine payments that were cancelled on the next day. */
async function cancelSome(db: Database, today: string) {
  await sql`update fee_payment payment set ended_as = 'Cancelled', ended_on = paid_on + 1, ended_by = staff_id,
      end_reason = 'Entered for a brother', version = 2
    from (select id from fee_payment where paid_on < ${today}::date - 20 order by reference desc, id limit 9) as wrong
    where wrong.id = payment.id`.execute(db);
  await sql`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, receipt_id,
      reverses_id)
    select entry.account_id, due_id, entry.receipt_series_id, kind, payment.ended_on, payment.ended_on, -entry.amount,
      receipt.id, entry.id
    from fee_ledger_entry entry join fee_receipt receipt on receipt.id = entry.receipt_id
    join fee_payment payment on payment.id = receipt.payment_id and payment.ended_as is not null
    where entry.reverses_id is null`.execute(db);
}

/** Counts every drawer in the largest notes, closes its day and takes the cash to the bank; three are short, with a reason. */
async function closeDays(db: Database, last: string) {
  const { rows } = await sql<{ id: number; expected: number }>`
    select id, opening_cash + fee_cash_of(id) as expected from fee_day where status = 'Open' and day <= ${last}::date
    order by id`.execute(db);
  const isShort = (at: number) => at % Math.ceil(rows.length / 3) === 5;
  const counts = rows.flatMap(({ id, expected }, at) => {
    let left = Math.max(0, Math.trunc(Number(expected) / 100) - (isShort(at) ? 20 : 0));
    return notes.flatMap((note) => {
      const pieces = Math.trunc(left / note);
      left -= pieces * note;
      return pieces > 0 ? [{ day: id, note, pieces }] : [];
    });
  });
  await sql`insert into fee_day_count (day_id, note, pieces)
    select day, note, pieces from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
      as row (day integer, note smallint, pieces integer)`.execute(db);
  await sql`update fee_day set status = 'Closed', closed_by = staff_id, closed_at = day + time '18:00', version = version + 1,
      slip_no = to_char(day, 'DDMM'), banked = (select coalesce(sum(note * pieces), 0) * 100 from fee_day_count where day_id = fee_day.id),
      reason = case when (select coalesce(sum(note * pieces), 0) * 100 from fee_day_count where day_id = fee_day.id)
        <> opening_cash + fee_cash_of(id) then 'Gave too much change' else '' end
    where id = any(${rows.map(({ id }) => id)}::integer[])`.execute(db);
}
