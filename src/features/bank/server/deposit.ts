import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { depositCheques, selectedCheques } from '#features/fee-money/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { sheet } from '#kit/server/paper/paper.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { bankReaders } from '../contract/access.ts';
import { depositApi, depositList, depositMessages, mostOfSlip } from '../contract/deposit.ts';

const seen = sql<number>`(select coalesce(sum(credit), 0)::bigint from bank_line where deposit_id = own.id)`;

/** The slips all of whose cheques are of the user's branches. */
const slips = ({ db, user }: UserContext) =>
  db
    .selectFrom('bank_deposit as own')
    .innerJoin('fee_bank_account as account', 'account.id', 'own.bank_account_id')
    .innerJoin('staff', 'staff.id', 'own.made_by')
    .where(sql<boolean>`not exists (select from bank_deposit_cheque part join fee_cheque cheque on cheque.id = part.cheque_id
      join student on student.id = cheque.student_id
      where part.deposit_id = own.id and not ${inScope(user, bankReaders, { branch: sql`student.branch_id` })})`)
    .select(['own.id', 'own.slip_no as slipNo', 'own.day', 'account.name as account', 'staff.name as by'])
    .select([
      sql<number>`own.amount`.as('amount'),
      seen.as('seen'),
      sql<number>`(select count(*)::integer from bank_deposit_cheque where deposit_id = own.id)`.as('cheques'),
      sql<number>`(select count(*)::integer from bank_deposit_cheque part join fee_cheque cheque on cheque.id = part.cheque_id
        where part.deposit_id = own.id and cheque.status = 'Bounced')`.as('bounced'),
    ]);

const { routes: listRoutes } = serveList(depositList, (ctx) => ({
  query: slips(ctx),
  id: 'own.id',
  matches: (word) => sql`own.slip_no ilike ${contains(word)}`,
  tabs: { all: undefined, open: sql`${seen} < own.amount` },
  filters: { bankAccountId: (id) => sql`own.bank_account_id = ${Number(id)}` },
  sorts: { day: { by: sql`own.day`, as: 'date' } },
  toRows: async (rows: Awaited<ReturnType<ReturnType<typeof slips>['execute']>>) => rows,
}));

const deposit: Handler<typeof depositApi.deposit> = async (ctx, { selection, bankAccountId, slipNo }) => {
  const ids = await selectedCheques(ctx, selection);
  if (ids.length > mostOfSlip) throw new AppError('conflict', depositMessages.most);
  const { amount, numbers } = await depositCheques(ctx, ids, slipNo);
  const { id } = await ctx.db
    .insertInto('bank_deposit')
    .values({
      bank_account_id: Number(bankAccountId),
      day: toLocalDate(ctx.now()),
      slip_no: slipNo,
      amount,
      made_by: ctx.user.staffId,
      made_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (isDuplicate(error, 'bank_deposit_bank_account_id_slip_no_day_key'))
        throw fieldRefusal('slipNo', depositMessages.once);
      throw error;
    });
  await sql`insert into bank_deposit_cheque select ${id}, unnest(${ids}::integer[])`.execute(ctx.db);
  const details = { 'Slip number': slipNo, Amount: showMoney(amount), Cheques: numbers.join(', ') };
  await audit(ctx, { action: 'bank-deposit.made', entity: 'bank_deposit', entityId: id, details });
  return { id, cheques: ids.length, amount };
};

const paper: Handler<typeof depositApi.paper> = async (ctx, { id }) => {
  const slip = await slips(ctx)
    .select(['account.bank', 'account.last4', 'account.ifsc'])
    .where('own.id', '=', id)
    .executeTakeFirstOrThrow(notFound);
  const { rows } = await sql<{ number: string; bank: string; datedOn: string; payer: string; amount: number }>`
    select number, bank, dated_on::text as "datedOn", payer_name as payer, amount
    from bank_deposit_cheque part join fee_cheque cheque on cheque.id = part.cheque_id
    where part.deposit_id = ${id} order by bank, number`.execute(ctx.db);
  const made = {
    head: await ctx.readPaperHead(ctx),
    title: text`Deposit slip ${{ number: slip.slipNo }}`,
    facts: [
      [text`Date`, showDate(slip.day)],
      [text`Bank`, [slip.bank, slip.ifsc].filter(Boolean).join(', ')],
      [text`Account`, `${slip.account}, ••••${slip.last4}`],
      [text`Cheques`, String(rows.length)],
    ] satisfies [Text, string][],
    table: {
      heads: [text`Cheque`, text`Bank`, text`Dated`, text`Drawn by`, text`Amount`],
      rows: rows.map(({ number, bank, datedOn, payer, amount }) => [
        number,
        bank,
        showDate(datedOn),
        payer,
        showMoney(amount),
      ]),
      sums: [text`Total`, '', '', '', showMoney(slip.amount)],
      right: [4],
    },
    made: text`Made by ${{ name: slip.by }}`,
    signatures: [{ who: text`Deposited by` }, { who: text`Received by the bank` }],
  };
  const act = {
    action: 'bank-deposit.list-printed',
    entity: 'bank_deposit',
    entityId: id,
    details: { rows: rows.length },
    names: rows.length,
  };
  return takeNames(ctx, act, async () => ({
    mediaType: 'application/pdf',
    name: `deposit-slip-${slip.slipNo.replace(/[^A-Za-z0-9-]/g, '-')}.pdf`,
    bytes: await ctx.makePaper(sheet, made, ctx.caller),
  }));
};

export const depositRoutes = [...listRoutes, ...routes(depositApi, { deposit, paper })];
