import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';

/** The accounts that one statement adds up: it stays far below the deadline, however old the ledger is. */
const slice = 500;

/** Adds up the whole ledger and notes each account whose balance, dues or advance differ from it. */
async function prove({ db }: Pick<Context, 'db'>) {
  await sql`delete from fee_difference`.execute(db);
  for (let after: number | null = 0; after !== null; ) {
    const { rows }: { rows: { last: number | null }[] } = await sql<{ last: number | null }>`
      with own as (select id, balance from fee_account where id > ${after} order by id limit ${slice}),
      sums as (select account_id, due_id, sum(amount) as amount from fee_ledger_entry
        where account_id in (select id from own) group by account_id, due_id),
      ledger as (select account_id, sum(amount) as amount from sums group by account_id),
      dues as (
        select due.account_id, sum(due.net - due.paid) as amount,
          count(*) filter (where due.net - due.paid <> coalesce(sums.amount, 0)) as wrong
        from fee_due due left join sums on sums.due_id = due.id
        where due.account_id in (select id from own) group by due.account_id),
      advance as (select account_id, sum(amount) as amount from fee_advance
        where account_id in (select id from own) group by account_id),
      sides as (
        select own.id, own.balance, coalesce(ledger.amount, 0) as ledger,
          coalesce(dues.amount, 0) - coalesce(advance.amount, 0) as dues, coalesce(dues.wrong, 0) as wrong
        from own left join ledger on ledger.account_id = own.id left join dues on dues.account_id = own.id
        left join advance on advance.account_id = own.id),
      noted as (insert into fee_difference (account_id, ledger, balance, dues, wrong_dues)
        select id, ledger, balance, dues, wrong from sides
        where ledger <> balance or ledger <> dues or wrong > 0)
      select max(id) as last from own`.execute(db);
    after = rows[0]?.last ?? null;
  }
}

/** At night, when the fewest pay. */
export const nightlyProof: DailyTask = { name: 'fee-proof', from: 1, until: 23, act: prove };

/** The accounts that the last proof found wrong. */
export const findFeeWarnings: FindWarnings = async ({ db }) => {
  const { rows } = await sql<{ n: number; names: string | null }>`
    select count(*)::integer as n, (array_agg(coalesce(student.gr_no, student.name) order by found.account_id))[1] as names
    from fee_difference found join fee_account account on account.id = found.account_id
    left join student on student.id = account.student_id`.execute(db);
  const [{ n, names } = { n: 0, names: null }] = rows;
  if (n === 0) return [];
  return [
    {
      name: 'fee-ledger-differs',
      text: text(
        {
          message:
            'Fees of {n, plural, one {# account} other {# accounts}} don’t agree with the ledger, first {name}. Take no payments for {n, plural, one {it} other {them}}, and ask the maker of the system.',
        },
        { n, name: names ?? '–' },
      ),
    },
  ];
};
