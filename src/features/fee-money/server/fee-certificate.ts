import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockAccounts } from '#features/fee-price/api.ts';
import { yearNames } from '#features/school/api.ts';
import { factsIn, languagesOf, newCode, proposedLanguages, readCertificateFacts } from '#features/student/api.ts';
import { certificateLanguages } from '#features/student/contract/certificate.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showDay } from '#kit/contract/format.ts';
import type { Language } from '#kit/contract/languages.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { Context, FindProof, UserContext } from '#kit/server/context.ts';
import { nextNumber } from '#kit/server/database/numbering.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { say } from '#kit/server/language/say.ts';
import { headIn, sheet } from '#kit/server/paper/paper.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { feeCertificateApi, feeCertificateMessages, lawOf } from '../contract/fee-certificate.ts';
import { amountIn } from './amount-in.ts';
import { isRestricted, mayRead } from './family-receipts.ts';

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
  /** Whether the guardian who asks may read of all of it. */
  isOpen: boolean;
}

/**
 * What was paid on tuition, by year of the income tax, receipt series and payer: receipts by the day on which the money came,
 * without payments that ended since, and advance by the day on which it paid a due. Transport, fines, deposits and advance
 * that paid nothing yet do not count.
 */
async function countedOf({ db }: Pick<Context, 'db'>, studentId: number, guardianId = 0): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    with part as (
      select case when entry.kind = 'Receipt' then payment.value_on else coalesce(first.entry_date, entry.entry_date) end as day,
        entry.receipt_series_id, -entry.amount as amount,
        case when entry.kind = 'Receipt' then payment.payer_name else '' end as payer,
        case when entry.kind = 'Receipt' then receipt.receipt_no end as receipt_no,
        case when entry.kind = 'Receipt' then ${mayRead(guardianId)} else not ${isRestricted} end as is_open
      from fee_account account join fee_ledger_entry entry on entry.account_id = account.id
      join fee_due due on due.id = entry.due_id join fee_head head on head.id = due.fee_head_id
      left join fee_receipt receipt on receipt.id = entry.receipt_id
      left join fee_payment payment on payment.id = receipt.payment_id
      left join fee_ledger_entry first on first.id = entry.reverses_id
      where account.student_id = ${studentId} and head.category = 'Tuition'
        and (entry.kind = 'Applied' or (entry.kind = 'Receipt' and payment.ended_as is null))),
    dated as (select extract(year from day - interval '3 months')::integer as start, part.* from part)
    select start || '-' || lpad(((start + 1) % 100)::text, 2, '0') as year, start as "startsIn", series.id as "seriesId", series.name as series,
      payer, coalesce(string_agg(distinct receipt_no, ', ' order by receipt_no), '') as receipts, sum(amount)::bigint as amount, bool_and(is_open) as "isOpen"
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
  rows: Issued['rows'];
}

/** The certificates of a child, the latest first. */
async function certificatesOf({ db }: Pick<Context, 'db'>, studentId: number): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select own.id, own.certificate_no as "certificateNo", own.issued ->> 'issuedOn' as "issuedOn",
      own.financial_year as year, own.issued -> 'rows' as rows, own.receipt_series_id as "seriesId", own.amount,
      coalesce((own.issued -> 'isDuplicate')::boolean, false) as "isDuplicate"
    from fee_certificate own where own.student_id = ${studentId} order by own.id desc`.execute(db);
  return rows;
}

const lastOf = async (ctx: Pick<Context, 'db'>, studentId: number, of: Pick<Kept, 'year' | 'seriesId'>) =>
  (await certificatesOf(ctx, studentId)).find(({ year, seriesId }) => year === of.year && seriesId === of.seriesId);

const requireStudent = ({ db, user }: UserContext, id: number) =>
  db
    .selectFrom('student')
    .where('id', '=', id)
    .where(inScope(user, feeReaders, { branch: sql`branch_id` }))
    .select(['id', 'name', 'gr_no as grNo', 'branch_id as branchId'])
    .executeTakeFirstOrThrow(notFound);

/** The student's name as the register writes it in a language; in English letters where it has no other. */
async function namesOf(ctx: Pick<Context, 'db' | 'now'>, { id, name }: Pick<Child, 'id' | 'name'>) {
  const facts = (await readCertificateFacts(ctx, [{ id, leavingId: null }])).get(id);
  return (language: Language): string => (facts ? (factsIn(facts, language) as { name: string }).name : name);
}

const list: Handler<typeof feeCertificateApi.list> = async (ctx, { id }) => {
  const student = await requireStudent(ctx, id);
  const nameIn = await namesOf(ctx, student);
  const issued = await certificatesOf(ctx, id);
  const groups = Map.groupBy(await countedOf(ctx, id), ({ year, seriesId }) => `${year} ${seriesId}`);
  return {
    years: [...groups.values()].flatMap((own) => {
      const [first] = own;
      if (!first) return [];
      const { year, startsIn, seriesId, series } = first;
      const kept = issued.filter((one) => one.year === year && one.seriesId === seriesId);
      return {
        year,
        startsIn,
        seriesId,
        series,
        amount: sumOf(own),
        isCertified: kept[0] !== undefined && saysSame(kept[0].rows, own),
        issued: kept,
      };
    }),
    language: (await proposedLanguages(ctx, [id]))(id),
    inEnglishLetters: certificateLanguages.filter((one) =>
      languagesOf(one).some((language) => language !== 'en' && nameIn(language) === student.name),
    ),
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
  /** Absent on certificates in English, as all were before there was a choice. */
  language?: string;
  /** The name in the letters of that language; absent where the register has it only in English letters. */
  local?: string;
}

interface Of {
  startsIn: number;
  seriesId: number;
}
interface Child {
  id: number;
  name: string;
  grNo: string;
  branchId: number;
}

/** jsonb keeps no order of names. */
const asRow = ({ payer, receipts, amount }: Issued['rows'][number]) => ({ payer, receipts, amount });
/** Whether a certificate has the payers, receipts and amounts that count now. */
const saysSame = (kept: Issued['rows'], own: readonly Counted[]) =>
  JSON.stringify(kept.map(asRow)) === JSON.stringify(own.map(asRow));
const countsFor = (counted: readonly Counted[], { startsIn, seriesId }: Of) =>
  counted.filter((one) => one.startsIn === startsIn && one.seriesId === seriesId);
const sumOf = (own: readonly { amount: number }[]) => own.reduce((sum, { amount }) => sum + amount, 0);

/** Certifies what counts, under the lock of the account; `by` is null where the family makes it on its page. */
async function certify(
  ctx: Context,
  child: Child,
  { startsIn, seriesId }: Of,
  counted: readonly Counted[],
  by: { staffId: number; name: string } | null,
  language = 'English',
) {
  const own = countsFor(counted, { startsIn, seriesId });
  const year = own[0]?.year ?? '';
  const amount = sumOf(own);
  if (amount <= 0) throw new AppError('conflict', feeCertificateMessages.nothing);
  const before = await lastOf(ctx, child.id, { year, seriesId });
  const isDuplicate = before !== undefined && saysSame(before.rows, own);
  const { rows: places } = await sql<{ place: string; heading: string }>`
    select series.heading, coalesce(place.name, '') as place
    from fee_receipt_series series
    left join lateral student_place(${child.id}, ${toLocalDate(ctx.now())}::date) place on true where series.id = ${seriesId}`.execute(
    ctx.db,
  );
  const head = await ctx.readPaperHead(ctx);
  const issued: Issued = {
    issuedOn: toLocalDate(ctx.now()),
    year,
    student: child.name,
    grNo: child.grNo,
    place: places[0]?.place ?? '',
    heading: places[0]?.heading || (own[0]?.series ?? ''),
    school: { name: head.name },
    rows: own.map(asRow),
    madeBy: by?.name ?? '',
    before: before?.certificateNo ?? '',
    isDuplicate,
    ...(language !== 'English' && { language, ...(await localName(ctx, child, language)) }),
  };
  const numbered = { code: 'fee-certificate', branchId: child.branchId };
  const certificateNo = await nextNumber(ctx.db, numbered, await yearNames(ctx));
  const made = await ctx.db
    .insertInto('fee_certificate')
    .values({
      certificate_no: certificateNo,
      student_id: child.id,
      financial_year: year,
      receipt_series_id: seriesId,
      branch_id: child.branchId,
      amount,
      issued: JSON.stringify(issued),
      replaces_id: before?.id ?? null,
      code: newCode(),
      made_by: by?.staffId ?? null,
      made_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const details = { Number: certificateNo, 'Financial year': year, Amount: showMoney(amount) };
  await audit(ctx, {
    ...(!by && { actor: 'Parent' as const }),
    action: 'fee-certificate.made',
    entity: 'student',
    entityId: child.id,
    details,
  });
  return { id: made.id, certificateNo, issuedOn: issued.issuedOn, amount, isDuplicate };
}

async function localName(ctx: Context, child: Child, chosen: string) {
  const local = (await namesOf(ctx, child))(languagesOf(chosen).at(-1) ?? 'en');
  return local === child.name ? {} : { local };
}

const make: Handler<typeof feeCertificateApi.make> = async (ctx, { id, language, ...of }) => {
  const student = await requireStudent(ctx, id);
  await lockAccounts(ctx, [id]);
  return certify(
    ctx,
    student,
    of,
    await countedOf(ctx, id),
    { staffId: ctx.user.staffId, name: ctx.user.name },
    language,
  );
};

/** What a family may have certified of a child: years and receipt series in which the guardian may read of all money. */
export async function familyCertificates(ctx: Pick<Context, 'db'>, guardianId: number, studentId: number) {
  const groups = Map.groupBy(
    await countedOf(ctx, studentId, guardianId),
    ({ year, seriesId }) => `${year} ${seriesId}`,
  );
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    const amount = sumOf(own);
    return first && amount > 0 && own.every(({ isOpen }) => isOpen)
      ? [{ year: first.year, startsIn: first.startsIn, seriesId: first.seriesId, series: first.series, amount }]
      : [];
  });
}

/** Certificates that are made for one guardian within a day. */
const made = { kind: 'family-certificate', most: 20, windowSeconds: 86_400 };

/** The certificate for a guardian, made where what counts has changed since the last one. Throws `not_found`. */
export async function certifyForFamily(ctx: Context, guardianId: number, studentId: number, of: Of) {
  await lockAccounts(ctx, [studentId]);
  const offered = await familyCertificates(ctx, guardianId, studentId);
  const wanted = offered.find((one) => one.startsIn === of.startsIn && one.seriesId === of.seriesId);
  if (!wanted) throw notFound();
  const counted = await countedOf(ctx, studentId);
  const last = await lastOf(ctx, studentId, wanted);
  if (last && saysSame(last.rows, countsFor(counted, of))) return { id: last.id, certificateNo: last.certificateNo };
  const wait = await countHit(ctx.db, made, String(guardianId));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  const child = await ctx.db
    .selectFrom('student')
    .where('id', '=', studentId)
    .select(['id', 'name', 'gr_no as grNo', 'branch_id as branchId'])
    .executeTakeFirstOrThrow(notFound);
  const { id, certificateNo } = await certify(ctx, child, of, counted, null);
  return { id, certificateNo };
}

/**
 * A certificate as a PDF for a guardian: the last one of its year and series, while what counts is what it says. Of children
 * of whom everything is seen.
 */
export async function familyCertificateFile(
  ctx: Context,
  guardianId: number,
  studentIds: readonly number[],
  id: number,
) {
  const { rows } = await sql<Found & { studentId: number; year: string; seriesId: number }>`
    select own.certificate_no as "certificateNo", own.code, own.issued, own.amount, own.student_id as "studentId",
      own.financial_year as year, own.receipt_series_id as "seriesId"
    from fee_certificate own where own.id = ${id} and own.student_id = any(${[...studentIds]}::integer[])
      and not exists (select from fee_certificate later where later.replaces_id = own.id)`.execute(ctx.db);
  const [row] = rows;
  const offered = row ? await familyCertificates(ctx, guardianId, row.studentId) : [];
  const wanted = offered.find((one) => one.year === row?.year && one.seriesId === row.seriesId);
  if (!row || !wanted) throw notFound();
  if (!saysSame(row.issued.rows, countsFor(await countedOf(ctx, row.studentId), wanted))) throw notFound();
  return fileOf(ctx, row, [await ctx.languages.ofReader(ctx, guardianId)]);
}

const file: Handler<typeof feeCertificateApi.file> = async (ctx, { id }) => {
  const row = await ctx.db
    .selectFrom('fee_certificate as own')
    .where('own.id', '=', id)
    .where(inScope(ctx.user, feeReaders, { branch: sql`own.branch_id` }))
    .select(['own.certificate_no as certificateNo', 'own.code', 'own.issued', sql<number>`own.amount`.as('amount')])
    .executeTakeFirstOrThrow(notFound);
  const issued = row.issued as unknown as Issued;
  return fileOf(ctx, { ...row, issued }, languagesOf(issued.language));
};

interface Found {
  certificateNo: string;
  code: string;
  issued: Issued;
  amount: number;
}

/** The paper in one language, or with the words of two beside each other. */
async function fileOf(
  ctx: Context,
  { certificateNo, code, issued, amount }: Found,
  languages: readonly [Language, ...Language[]],
) {
  const head = { ...(await ctx.readPaperHead(ctx)), ...issued.school };
  const each = (words: (language: Language) => string) => verbatim([...new Set(languages.map(words))].join(' / '));
  const both = (one: Text) => each((language) => say(language)(one));
  const name = (language: Language) =>
    language !== 'en' && languagesOf(issued.language).includes(language)
      ? (issued.local ?? issued.student)
      : issued.student;
  const facts: (readonly [Text, string | Text])[] = [
    [text`Certificate no`, certificateNo],
    [text`Date`, each((language) => showDay(issued.issuedOn, language))],
    [text`Student`, each(name)],
    [text`GR no`, issued.grNo],
    [text`Class`, issued.place],
    [text`Financial year`, issued.year],
    [text`Received by`, issued.heading],
    [text`In words`, each((language) => say(language)(amountIn(language, amount)))],
    [issued.isDuplicate ? text`Duplicate of` : text`In place of`, issued.before],
    [text`Counts under`, both(lawOf(issued.year))],
    [text`Checked at`, `${ctx.publicUrl}/c/${code}`],
  ];
  const leftOut = text`Tuition fees alone. Transport, late fines, deposits and advance not used are left out.`;
  const madeBy = issued.madeBy && text`Made by ${{ name: issued.madeBy }}.`;
  const paper = {
    head: headIn(head, languages),
    title: both(issued.isDuplicate ? text`Certificate of fees paid, DUPLICATE` : text`Certificate of fees paid`),
    language: languages[0],
    facts: facts.filter(([, value]) => value !== '').map(([label, value]) => [both(label), value] as const),
    table: {
      heads: [text`Paid by`, text`Receipts`, text`Tuition fee`].map(both),
      rows: issued.rows.map(({ payer, receipts, amount: part }) => [
        payer === '' ? both(text`From the advance`) : payer,
        receipts,
        showMoney(part),
      ]),
      sums: [both(text`Total`), '', showMoney(amount)],
      right: [2],
    },
    made: each((language) => [leftOut, ...(madeBy ? [madeBy] : [])].map(say(language)).join(' ')),
    signatures: [{ who: each((language) => say(language)(text`for ${{ school: headIn(head, [language]).name }}`)) }],
  };
  return {
    mediaType: 'application/pdf',
    name: `${certificateNo.replaceAll('/', '-')}.pdf`,
    bytes: await ctx.makePaper(sheet, paper, ctx.caller),
  };
}

/** A certificate by the code on its paper: number, kind and day, and nothing of the child. One that says otherwise ends it. */
export const findFeeCertificate: FindProof = async ({ db }, code) => {
  const { rows } = await sql<{ number: string; issuedOn: string; replacedBy: string; voidSince: string }>`
    select own.certificate_no as number, own.issued ->> 'issuedOn' as "issuedOn",
      coalesce(next.certificate_no, '') as "replacedBy", coalesce(next.issued ->> 'issuedOn', '') as "voidSince"
    from fee_certificate own left join lateral (select later.* from fee_certificate later
      where (later.student_id, later.financial_year, later.receipt_series_id)
        = (own.student_id, own.financial_year, own.receipt_series_id)
        and later.id > own.id and later.issued -> 'rows' <> own.issued -> 'rows' order by later.id limit 1) next on true
    where own.code = ${code}`.execute(db);
  const [found] = rows;
  return found && { ...found, title: text`Certificate of fees paid` };
};

export const feeCertificateRoutes = routes(feeCertificateApi, { list, make, file });
