import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockAccounts } from '#features/fee-price/api.ts';
import { yearNames } from '#features/school/api.ts';
import { newCode } from '#features/student/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { FindProof, UserContext } from '#kit/server/context.ts';
import { nextNumber } from '#kit/server/database/numbering.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { sheet } from '#kit/server/paper/paper.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { amountInWords } from '../contract/amount-in-words.ts';
import { feeCertificateApi, feeCertificateMessages, lawOf } from '../contract/fee-certificate.ts';

/** What counts of a child: an amount of a payer in a year and receipt series. */
interface Counted {
  /** April to March: 2026-27. */
  year: string;
  startsIn: number;
  seriesId: number;
  series: string;
  payer: string;
  receipts: string;
  amount: number;
}

/**
 * What was paid on tuition, by year of the income tax, receipt series and payer: receipts by the day on which the money came,
 * without payments that ended since, and advance by the day on which it paid a due. Transport, fines, deposits and advance
 * that paid nothing yet do not count.
 */
async function countedOf({ db }: Pick<UserContext, 'db'>, studentId: number): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    with part as (
      select case when entry.kind = 'Receipt' then payment.value_on else coalesce(first.entry_date, entry.entry_date) end as day,
        entry.receipt_series_id, -entry.amount as amount,
        case when entry.kind = 'Receipt' then payment.payer_name else '' end as payer,
        case when entry.kind = 'Receipt' then receipt.receipt_no end as receipt_no
      from fee_account account join fee_ledger_entry entry on entry.account_id = account.id
      join fee_due due on due.id = entry.due_id join fee_head head on head.id = due.fee_head_id
      left join fee_receipt receipt on receipt.id = entry.receipt_id
      left join fee_payment payment on payment.id = receipt.payment_id
      left join fee_ledger_entry first on first.id = entry.reverses_id
      where account.student_id = ${studentId} and head.category = 'Tuition'
        and (entry.kind = 'Applied' or (entry.kind = 'Receipt' and payment.ended_as is null))),
    dated as (select extract(year from day - interval '3 months')::integer as start, part.* from part)
    select start || '-' || lpad(((start + 1) % 100)::text, 2, '0') as year, start as "startsIn", series.id as "seriesId", series.name as series,
      payer, coalesce(string_agg(distinct receipt_no, ', ' order by receipt_no), '') as receipts, sum(amount)::bigint as amount
    from dated join fee_receipt_series series on series.id = dated.receipt_series_id
    group by start, series.id, payer having sum(amount) <> 0 order by start desc, series.id, payer`.execute(db);
  return rows;
}

interface Kept {
  id: number;
  certificateNo: string;
  issuedOn: string;
  year: string;
  seriesId: number;
  amount: number;
  isDuplicate: boolean;
}

/** The certificates of a child, the latest first. */
async function certificatesOf({ db }: Pick<UserContext, 'db'>, studentId: number): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select own.id, own.certificate_no as "certificateNo", own.issued ->> 'issuedOn' as "issuedOn",
      own.financial_year as year, own.receipt_series_id as "seriesId", own.amount,
      coalesce(before.amount = own.amount, false) as "isDuplicate"
    from fee_certificate own left join fee_certificate before on before.id = own.replaces_id
    where own.student_id = ${studentId} order by own.id desc`.execute(db);
  return rows;
}

const requireStudent = ({ db, user }: UserContext, id: number) =>
  db
    .selectFrom('student')
    .where('id', '=', id)
    .where(inScope(user, feeReaders, { branch: sql`branch_id` }))
    .select(['id', 'name', 'gr_no as grNo', 'branch_id as branchId'])
    .executeTakeFirstOrThrow(notFound);

const list: Handler<typeof feeCertificateApi.list> = async (ctx, { id }) => {
  await requireStudent(ctx, id);
  const issued = await certificatesOf(ctx, id);
  const groups = Map.groupBy(await countedOf(ctx, id), ({ year, seriesId }) => `${year} ${seriesId}`);
  return {
    years: [...groups.values()].flatMap((own) => {
      const [first] = own;
      if (!first) return [];
      const { year, startsIn, seriesId, series } = first;
      return {
        year,
        startsIn,
        seriesId,
        series,
        amount: own.reduce((sum, { amount }) => sum + amount, 0),
        issued: issued.filter((one) => one.year === year && one.seriesId === seriesId),
      };
    }),
  };
};

/** What a certificate says, as it is kept. */
interface Issued {
  issuedOn: string;
  year: string;
  student: string;
  grNo: string;
  place: string;
  heading: string;
  school: { name: string };
  rows: { payer: string; receipts: string; amount: number }[];
  madeBy: string;
  /** The number of the one before it. */
  before: string;
  isDuplicate: boolean;
}

const make: Handler<typeof feeCertificateApi.make> = async (ctx, { id, startsIn, seriesId }) => {
  const student = await requireStudent(ctx, id);
  await lockAccounts(ctx, [id]);
  const own = (await countedOf(ctx, id)).filter((one) => one.startsIn === startsIn && one.seriesId === seriesId);
  const year = own[0]?.year ?? '';
  const amount = own.reduce((sum, one) => sum + one.amount, 0);
  if (amount <= 0) throw new AppError('conflict', feeCertificateMessages.nothing);
  const before = (await certificatesOf(ctx, id)).find((one) => one.year === year && one.seriesId === seriesId);
  const isDuplicate = before?.amount === amount;
  const { rows: places } = await sql<{ place: string; heading: string }>`
    select series.heading, coalesce(place.name, '') as place
    from fee_receipt_series series
    left join lateral student_place(${id}, ${toLocalDate(ctx.now())}::date) place on true where series.id = ${seriesId}`.execute(
    ctx.db,
  );
  const head = await ctx.readPaperHead(ctx);
  const issued: Issued = {
    issuedOn: toLocalDate(ctx.now()),
    year,
    student: student.name,
    grNo: student.grNo,
    place: places[0]?.place ?? '',
    heading: places[0]?.heading || (own[0]?.series ?? ''),
    school: { name: head.name },
    rows: own.map(({ payer, receipts, amount: part }) => ({ payer, receipts, amount: part })),
    madeBy: ctx.user.name,
    before: before?.certificateNo ?? '',
    isDuplicate,
  };
  const numbered = { code: 'fee-certificate', branchId: student.branchId };
  const certificateNo = await nextNumber(ctx.db, numbered, await yearNames(ctx));
  const made = await ctx.db
    .insertInto('fee_certificate')
    .values({
      certificate_no: certificateNo,
      student_id: id,
      financial_year: year,
      receipt_series_id: seriesId,
      branch_id: student.branchId,
      amount,
      issued: JSON.stringify(issued),
      replaces_id: before?.id ?? null,
      code: newCode(),
      made_by: ctx.user.staffId,
      made_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const details = { Number: certificateNo, 'Financial year': year, Amount: showMoney(amount) };
  await audit(ctx, { action: 'fee-certificate.made', entity: 'student', entityId: id, details });
  return { id: made.id, certificateNo, issuedOn: issued.issuedOn, amount, isDuplicate };
};

const file: Handler<typeof feeCertificateApi.file> = async (ctx, { id }) => {
  const row = await ctx.db
    .selectFrom('fee_certificate as own')
    .where('own.id', '=', id)
    .where(inScope(ctx.user, feeReaders, { branch: sql`own.branch_id` }))
    .select(['own.certificate_no as certificateNo', 'own.code', 'own.issued', sql<number>`own.amount`.as('amount')])
    .executeTakeFirstOrThrow(notFound);
  const issued = row.issued as unknown as Issued;
  const facts: (readonly [Text, string])[] = [
    [text`Certificate no`, row.certificateNo],
    [text`Date`, showDate(issued.issuedOn)],
    [text`Student`, issued.student],
    [text`GR no`, issued.grNo],
    [text`Class`, issued.place],
    [text`Financial year`, issued.year],
    [text`Received by`, issued.heading],
    [text`In words`, english(amountInWords(row.amount))],
    [issued.isDuplicate ? text`Duplicate of` : text`In place of`, issued.before],
    [text`Counts under`, english(lawOf(issued.year))],
    [text`Checked at`, `${ctx.publicUrl}/c/${row.code}`],
  ];
  const paper = {
    head: { ...(await ctx.readPaperHead(ctx)), ...issued.school },
    title: issued.isDuplicate ? text`Certificate of fees paid, DUPLICATE` : text`Certificate of fees paid`,
    facts: facts.filter(([, value]) => value !== ''),
    table: {
      heads: [text`Paid by`, text`Receipts`, text`Tuition fee`],
      rows: issued.rows.map(({ payer, receipts, amount }) => [
        payer === '' ? text`From the advance` : payer,
        receipts,
        showMoney(amount),
      ]),
      sums: [text`Total`, '', showMoney(row.amount)],
      right: [2],
    },
    made: text`Tuition fees alone. Transport, late fines, deposits and advance not used are left out. Made by ${{ name: issued.madeBy }}.`,
    signatures: [{ who: text`for ${{ school: issued.school.name }}` }],
  };
  return {
    mediaType: 'application/pdf',
    name: `${row.certificateNo.replaceAll('/', '-')}.pdf`,
    bytes: await ctx.makePaper(sheet, paper, ctx.caller),
  };
};

/** A certificate by the code on its paper: number, kind and day, and nothing of the child. One with another amount ends it. */
export const findFeeCertificate: FindProof = async ({ db }, code) => {
  const { rows } = await sql<{ number: string; issuedOn: string; replacedBy: string; voidSince: string }>`
    select own.certificate_no as number, own.issued ->> 'issuedOn' as "issuedOn",
      coalesce(next.certificate_no, '') as "replacedBy", coalesce(next.issued ->> 'issuedOn', '') as "voidSince"
    from fee_certificate own left join lateral (select later.* from fee_certificate later
      where (later.student_id, later.financial_year, later.receipt_series_id)
        = (own.student_id, own.financial_year, own.receipt_series_id)
        and later.id > own.id and later.amount <> own.amount order by later.id limit 1) next on true
    where own.code = ${code}`.execute(db);
  const [found] = rows;
  return found && { ...found, title: text`Certificate of fees paid` };
};

export const feeCertificateRoutes = routes(feeCertificateApi, { list, make, file });
