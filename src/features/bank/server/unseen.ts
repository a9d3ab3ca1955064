import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { unseenList } from '../contract/line.ts';
import { bankSaw } from './bank-saw.ts';

/** Banks show a payment within these days. */
const daysOfBank = 3;

/** Payments older than some days, of days that statements cover, whose money no statement shows. */
const unseen = ({ db, user, now }: UserContext) =>
  db
    .selectFrom('fee_payment as own')
    .innerJoin('staff', 'staff.id', 'own.staff_id')
    .where(sql<boolean>`${user.scope.branches.length === 0}`)
    .where(sql<boolean>`own.mode in ('UPI', 'Bank transfer', 'Net banking') and own.ended_as is null`)
    .where(sql<boolean>`own.value_on < ${addDays(toLocalDate(now()), -daysOfBank)}::date`)
    .where(sql<boolean>`exists (select from bank_line line join fee_bank_account account on account.id = line.bank_account_id
      where own.value_on between line.file_from and line.file_to and account.receipt_series_id in (
        select receipt_series_id from fee_receipt where payment_id = own.id))`)
    .where(sql<boolean>`not ${bankSaw(sql`own`)}`)
    .select(['own.id', 'own.value_on as day', 'own.mode', 'own.reference', 'own.payer_name as payer'])
    .select(['staff.name as by', sql<number>`own.amount`.as('amount')])
    .select(
      sql<string>`coalesce((select string_agg(receipt_no, ', ' order by id) from fee_receipt where payment_id = own.id), '')`.as(
        'receipts',
      ),
    );

export const { routes: unseenRoutes } = serveList(unseenList, (ctx) => ({
  query: unseen(ctx),
  id: 'own.id',
  isPeople: true,
  matches: (word) => sql`(own.payer_name ilike ${contains(word)} or own.reference ilike ${contains(word)})`,
  tabs: { all: undefined },
  filters: {},
  sorts: { day: { by: sql`own.value_on`, as: 'date' } },
  toRows: async (rows: Awaited<ReturnType<ReturnType<typeof unseen>['execute']>>) => rows,
}));
