import { type RawBuilder, sql } from 'kysely';
import { english, type Text, text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Grouping, opensInto, type ReportKind, reportWords } from '../contract/report.ts';
import { headOf, linesOf, ofLedger } from './report-lines.ts';
import {
  type Asked,
  type Column,
  fineRows,
  finesBeside,
  money,
  number,
  openByLedger,
  openDues,
  type Report,
  words,
} from './report-queries.ts';

type Part = RawBuilder<unknown>;

/** A grouping: the key of a line, as text, and the columns that name the row of a key. */
interface Group {
  key: Part;
  columns: readonly Column[];
  /** What those columns show, over `row.key`. */
  shows: readonly Part[];
  sort: Part;
}

const grade = (what: string) => sql`(select ${sql.ref(what)} from academic_grade where id = row.key::integer)`;
const nobody = text`Without a class`;
const account = (what: Part) => sql`(select ${what} from fee_account account where account.id = row.account_id)`;
const student = account(sql`coalesce((select name from student where id = account.student_id),
  (select concat_ws(' ', first_name, last_name) from admission_inquiry where id = account.inquiry_id), account.unplaced_note)`);
const receipt = (what: string) => sql`(select ${sql.ref(what)} from fee_receipt where id = row.key::integer)`;

/** The heads that are none of the school's. */
const ownHeads: Record<string, Text> = {
  fine: text`Late fines`,
  bounce: text`Cheque bounce charges`,
  opening: text`Opening balances`,
  advance: text`Advance`,
  other: text`Other`,
};

function headWords(key: Part): Part {
  return sql`case ${key} ${sql.join(
    Object.entries(ownHeads).map(([head, words]) => sql`when ${head} then ${english(words)}`),
    sql` `,
  )} end`;
}

const groups: Record<Grouping, Group> = {
  Day: {
    key: sql`line.day::text`,
    columns: [{ label: text`Day`, kind: 'date' }],
    shows: [sql`row.key`],
    sort: sql`row.key`,
  },
  Receipt: {
    key: sql`line.receipt_id::text`,
    columns: [{ label: text`Date`, kind: 'date' }, words(text`Receipt`), words(text`Student`)],
    shows: [sql`${receipt('receipt_date')}::text`, receipt('receipt_no'), student],
    sort: sql`${receipt('receipt_date')}, row.key::integer`,
  },
  Class: {
    key: sql`line.grade_id::text`,
    columns: [words(text`Class`)],
    shows: [sql`coalesce(${grade('name')}, ${english(nobody)})`],
    sort: grade('position'),
  },
  Section: {
    key: sql`line.section_id::text`,
    columns: [words(text`Section`)],
    shows: [
      sql`coalesce((select grade.name || ' ' || section.name from academic_section section join academic_grade grade
        on grade.id = section.grade_id where section.id = row.key::integer), ${english(nobody)})`,
    ],
    sort: sql`(select grade.position from academic_section section join academic_grade grade on grade.id = section.grade_id
      where section.id = row.key::integer), 4`,
  },
  Student: {
    key: sql`line.account_id::text`,
    columns: [words(text`Student`), words(text`GR`)],
    shows: [student, account(sql`coalesce((select gr_no from student where id = account.student_id), '')`)],
    sort: sql`4, row.key`,
  },
  Mode: {
    key: sql`line.mode`,
    columns: [{ label: text`Mode`, kind: 'option' }],
    shows: [sql`row.key`],
    sort: sql`row.key`,
  },
  Cashier: {
    key: sql`line.cashier_id::text`,
    columns: [words(text`Cashier`)],
    shows: [sql`(select name from staff where id = row.key::integer)`],
    sort: sql`4`,
  },
  'Receipt series': {
    key: sql`line.series_id::text`,
    columns: [words(text`Receipt series`)],
    shows: [sql`(select name from fee_receipt_series where id = row.key::integer)`],
    sort: sql`4`,
  },
  'Fee head': {
    key: sql`line.head`,
    columns: [words(text`Fee head`)],
    shows: [
      sql`case when row.key ~ '^[0-9]+$' then (select name from fee_head where id = row.key::integer)
      else ${headWords(sql`row.key`)} end`,
    ],
    sort: sql`row.key !~ '^[0-9]+$', 4`,
  },
};

interface Lines {
  /** Lines with `amount`, `head` and the columns of keys. */
  query: Part;
  counted: { column: Column; by: Part };
  /** Columns after the total. */
  further: readonly { column: Column; shows: Part }[];
  ledger: Part;
}

type Grouped = Extract<ReportKind, 'Receipts by head' | 'Collection' | 'Bank day' | 'Dues by class'>;

const receipts = (user: UserContext['user'], asked: Asked): Lines => {
  const where = sql`entry.kind = 'Receipt' and entry.entry_date between ${asked.from}::date and ${asked.to}::date`;
  return {
    query: sql`select entry.entry_date as day, entry.receipt_id, entry.account_id, account.student_id, place.grade_id, place.section_id,
        payment.mode, payment.staff_id as cashier_id, entry.receipt_series_id as series_id, ${headOf} as head,
        -entry.amount as amount, null::date as since
      ${linesOf(user, asked, { where })}`,
    counted: { column: number(text`Receipts`), by: sql`line.receipt_id` },
    further: [],
    ledger: ofLedger(user, asked, sql`-sum(entry.amount)`, where),
  };
};

const linesOfReport: Record<Grouped, (user: UserContext['user'], asked: Asked) => Lines> = {
  'Receipts by head': receipts,
  Collection: receipts,
  'Bank day': (user, asked) => {
    const where = sql`entry.kind = 'Receipt' and payment.mode <> 'Cash'
      and payment.value_on between ${asked.from}::date and ${asked.to}::date`;
    // A cheque is seen once it is cleared. Most payments have a line of their own; a moved one has that of the first.
    const isSeen = sql`(payment.id in (select payment_id from bank_line where payment_id is not null)
      or (payment.reissue_of is not null and bank_saw(payment.id))
      or payment.id in (select payment_id from fee_cheque where status = 'Cleared'))`;
    return {
      query: sql`select payment.value_on as day, entry.receipt_id, entry.account_id, account.student_id, null::integer as grade_id,
          null::integer as section_id, payment.mode, payment.staff_id as cashier_id, entry.receipt_series_id as series_id,
          ''::text as head, -entry.amount as amount, null::date as since, ${isSeen} as is_seen
        ${linesOf(user, asked, { where, isPlaced: false })}`,
      counted: { column: number(text`Receipts`), by: sql`line.receipt_id` },
      further: [
        {
          column: money(text`Seen in the bank`),
          shows: sql`coalesce(sum(line.amount) filter (where line.is_seen), 0)::bigint`,
        },
        {
          column: money(text`Not seen`),
          shows: sql`coalesce(sum(line.amount) filter (where not line.is_seen), 0)::bigint`,
        },
      ],
      ledger: ofLedger(user, asked, sql`-sum(entry.amount)`, where),
    };
  },
  'Dues by class': (user, asked) => {
    const late = (first: number, last: number) => sql`coalesce(sum(line.amount) filter
      (where ${asked.to}::date - line.since between ${first}::integer and ${last}::integer), 0)::bigint`;
    const { fines } = asked;
    // The fine of a child stands on one of the lines that it has.
    const fine = sql`case when row_number() over (partition by open.account_id order by open.due_id) = 1
      then coalesce(fine.amount, 0) else 0 end as fine`;
    return {
      query: sql`select null::date as day, null::integer as receipt_id, open.account_id, open.student_id, open.grade_id, open.section_id,
          ''::text as mode, null::integer as cashier_id, null::integer as series_id, open.head, open.owed as amount, open.since
          ${fines ? sql`, ${fine}` : sql``}
        from (${openDues(user, asked, { head: headOf })}) as open
        ${fines ? sql`left join ${fineRows(fines)} on fine.account_id = open.account_id` : sql``}`,
      counted: { column: number(text`Students`), by: sql`line.account_id` },
      further: [
        { column: money(text`To 30 days`), shows: late(0, 30) },
        { column: money(text`31 to 90`), shows: late(31, 90) },
        { column: money(text`Over 90`), shows: late(91, 100_000) },
        ...(fines ? [{ column: money(finesBeside), shows: sql`sum(line.fine)::bigint` }] : []),
      ],
      ledger: openByLedger(user, asked),
    };
  },
};

/** The most columns of heads on a page; the rest is one column. A file has all. */
export const mostHeads = 5;

export const isGrouped = (kind: ReportKind): kind is Grouped => Object.hasOwn(linesOfReport, kind);

/** What a report has a column for each of: the fee heads, or what is asked for; undefined for none. */
function acrossOf(kind: Grouped, by: Grouping, asked: Grouping | ''): Grouping | undefined {
  if (kind === 'Bank day') return undefined;
  const ways = reportWords[kind].across ?? ['Fee head'];
  const across = asked && ways.includes(asked) ? asked : ways[0];
  return across === by ? undefined : across;
}

/** The words of a column: of its head, mode, cashier and so on. */
const labelOf = (across: Grouping, key: string, name: string | null): Text =>
  (across === 'Fee head' ? ownHeads[key] : undefined) ??
  (across === 'Mode' ? text`${{ mode: key }}` : verbatim(name ?? key));

/** A report whose rows are days, classes, modes and so on, with a column for each fee head, mode and so on, the largest first. */
export async function groupedReport(
  { db, user }: UserContext,
  kind: Grouped,
  asked: Asked & { by: Grouping | ''; across: Grouping | '' },
  most = Number.POSITIVE_INFINITY,
): Promise<Report & { opens: boolean }> {
  const usual = reportWords[kind].by?.[0] ?? 'Day';
  const by = asked.by && reportWords[kind].by?.includes(asked.by) ? asked.by : usual;
  const group = groups[by];
  const { query, counted, further, ledger } = linesOfReport[kind](user, asked);
  const across = acrossOf(kind, by, asked.across);
  const { rows: all } = across
    ? await sql<{ key: string; name: string | null }>`
      select row.key, ${groups[across].shows[0]} as name from (select coalesce(${groups[across].key}, '') as key,
        max(line.account_id) as account_id, sum(abs(line.amount)) as size from (${query}) as line group by 1
        having sum(abs(line.amount)) <> 0) as row
      order by row.key !~ '^[0-9]+$', row.size desc, 1`.execute(db)
    : { rows: [] };
  const shown = all.length > most + 1 ? all.slice(0, most) : all;
  const rest = all.slice(shown.length).map(({ key }) => key);
  const sumOf = (these: readonly string[]) => sql`coalesce(sum(line.amount)
    filter (where coalesce(${groups[across ?? by].key}, '') = any(${these}::text[])), 0)::bigint`;
  const opens = opensInto[by]?.as[kind] !== undefined;
  const count = sql`count(distinct ${counted.by})::integer`;
  const isOne = by === 'Receipt' || by === 'Student';
  const columns: Column[] = [
    ...group.columns,
    ...(isOne ? [] : [counted.column]),
    ...shown.map(({ key, name }) => ({ ...money(labelOf(across ?? by, key, name)), isPart: true })),
    ...(rest.length > 0 ? [{ ...money(across === 'Fee head' ? text`Other heads` : text`Others`), isPart: true }] : []),
    money(kind === 'Dues by class' ? text`Dues` : text`Total`, true),
    ...further.map(({ column }) => ({ ...column, isPart: true })),
  ];
  const sums = [
    ...(isOne ? [] : [count]),
    ...shown.map(({ key }) => sumOf([key])),
    ...(rest.length > 0 ? [sumOf(rest)] : []),
    sql`sum(line.amount)::bigint`,
    ...further.map(({ shows }) => shows),
  ];
  const names = sums.map((_, at) => sql.ref(`sum${at}`));
  const key = opens ? sql`row.key` : sql`null::text`;
  return {
    columns,
    opens,
    isPeople: isOne,
    ...(!isOne && { counted: { at: group.columns.length, all: sql`(select ${count} from (${query}) as line)` } }),
    rows: sql`
      select ${by === 'Receipt' ? sql`row.key::integer` : sql`null::integer`}, ${by === 'Student' || by === 'Receipt' ? account(sql`account.student_id`) : sql`null::integer`}, ${key},
        ${sql.join([...group.shows, ...names.map((name) => sql`row.${name}`)])}
      from (select ${group.key} as key, max(line.account_id) as account_id,
          ${sql.join(sums.map((sum, at) => sql`${sum} as ${names[at]}`))}
        from (${query}) as line group by 1) as row
      order by ${group.sort}`,
    ledger,
  };
}
