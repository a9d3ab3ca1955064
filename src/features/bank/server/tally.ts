import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { tallyApi, tallyMessages } from '../contract/tally.ts';
import { tallyXml } from './tally-xml.ts';
import { type Booked, bookedIn } from './vouchers.ts';
import { requireWhole } from './whole.ts';

/** Ledgers that no row of the school stands for. */
const fixed: readonly [key: string, of: Text, usual: string][] = [
  ['mode:Cash', text`Received in cash`, 'Cash'],
  ['banked', text`Bank that takes the cash of the counter`, 'Bank'],
  ['mode:UPI', text`Received by UPI`, 'UPI'],
  ['mode:Card', text`Received by card`, 'Card'],
  ['mode:Bank transfer', text`Received by bank transfer`, 'Bank transfer'],
  ['mode:Net banking', text`Received by net banking`, 'Net banking'],
  ['mode:Cheque', text`Cheques until they are deposited`, 'Cheques in hand'],
  ['mode:Demand draft', text`Demand drafts until they are deposited`, 'Cheques in hand'],
  ['refund:Cheque', text`Refunds by cheque`, 'Bank'],
  ['refund:Bank transfer', text`Refunds by bank transfer`, 'Bank'],
  ['advance', text`Advance of families`, 'Advance fees'],
  ['unplaced', text`Unplaced money`, 'Unplaced fees'],
  ['fine', text`Late fines`, 'Late fines'],
  ['bounce', text`Cheque bounce charges`, 'Cheque bounce charges'],
  ['opening', text`Opening balances`, 'Fees of earlier years'],
  ['other', text`Other dues`, 'Other fees'],
  ['cgst', text`CGST`, 'CGST'],
  ['sgst', text`SGST`, 'SGST'],
  ['transfer', text`Transfers between receipt series`, 'Transfers of advance'],
];

interface Ledger {
  key: string;
  of: Text;
  name: string;
  usual: string;
}

/** All ledgers of the school, with the names that they have in Tally. */
async function readLedgers({ db }: Pick<Context, 'db'>): Promise<Ledger[]> {
  const { rows } = await sql<{ key: string; of: string }>`
    select 'head:' || id as key, name as of from (select id, name from fee_head order by priority, name) as head
    union all select 'bank:' || id, name from (select id, name from fee_bank_account order by name) as account
    union all select 'company:' || id, name from (select id, name from fee_receipt_series order by name) as series`.execute(
    db,
  );
  const { rows: names } = await sql<{ key: string; name: string }>`select key, name from bank_ledger_name`.execute(db);
  const nameOf = new Map(names.map(({ key, name }) => [key, name]));
  return [
    ...rows.map(({ key, of }) => ({
      key,
      of: key.startsWith('company:') ? text`Company of ${{ series: of }}` : verbatim(of),
      usual: of,
    })),
    ...fixed.map(([key, of, usual]) => ({ key, of, usual })),
  ].map((ledger) => ({ ...ledger, name: nameOf.get(ledger.key) ?? '' }));
}

const names: Handler<typeof tallyApi.names> = async (ctx) => {
  const { rows: series } = await sql<{ id: number; name: string }>`select id, name from fee_receipt_series
    order by is_active desc, name`.execute(ctx.db);
  return { ledgers: await readLedgers(ctx), series };
};

const saveName: Handler<typeof tallyApi.saveName> = async (ctx, { key, name }) => {
  requireWhole(ctx);
  const ledgers = await readLedgers(ctx);
  const found = ledgers.find((one) => one.key === key);
  if (!found) throw new AppError('conflict', tallyMessages.unknown);
  await sql`insert into bank_ledger_name as own (key, name, set_by, set_at)
    values (${key}, ${name}, ${ctx.user.staffId}, ${ctx.now()})
    on conflict (key) do update set name = excluded.name, set_by = excluded.set_by, set_at = excluded.set_at`.execute(
    ctx.db,
  );
  const details = { Ledger: key, Before: found.name, After: name };
  await audit(ctx, { action: 'bank-ledger-name.saved', entity: 'bank_ledger_name', entityId: 0, details });
  return {};
};

type Asked = Parameters<typeof bookedIn>[1];

const isNeeded = (booked: readonly Booked[]) => {
  const keys = new Set(booked.flatMap(({ lines }) => lines.map(({ key }) => key)));
  return ({ key }: Ledger) => keys.has(key);
};

const debitOf = (booked: readonly Booked[]) =>
  booked.reduce((sum, { lines }) => sum + lines.reduce((own, { amount }) => own + (amount < 0 ? -amount : 0), 0), 0);

/** What a span books, with the ledgers that it needs and those without a name. */
async function readBooked(ctx: UserContext, asked: Asked) {
  requireWhole(ctx);
  const booked = await bookedIn(ctx, asked);
  const ledgers = await readLedgers(ctx);
  return { booked, ledgers, lacks: ledgers.filter(isNeeded(booked)).filter(({ name }) => name === '') };
}

const preview: Handler<typeof tallyApi.preview> = async (ctx, asked) => {
  const { booked, lacks } = await readBooked(ctx, asked);
  const { rows } = await sql<{ open: number }>`select count(*)::integer as open from fee_day
    where status = 'Open' and day between ${asked.from}::date and ${asked.to}::date`.execute(ctx.db);
  return {
    vouchers: booked.length,
    cancelled: booked.filter(({ isCancelled }) => isCancelled).length,
    debit: debitOf(booked),
    lacks: lacks.map(({ of }) => of),
    openShifts: rows[0]?.open ?? 0,
  };
};

const file: Handler<typeof tallyApi.file> = async (ctx, asked) => {
  const { booked, ledgers, lacks } = await readBooked(ctx, asked);
  if (booked.length === 0) throw new AppError('conflict', tallyMessages.none);
  if (lacks.length > 0) throw new AppError('conflict', tallyMessages.lacks);
  const nameOf = new Map(ledgers.map(({ key, name }) => [key, name]));
  const vouchers = booked.map(({ accountId: _, ...one }) => ({
    ...one,
    lines: one.lines.map(({ key, amount }) => ({ ledger: nameOf.get(key) ?? key, amount })),
  }));
  const act = {
    action: 'bank-tally.exported',
    entity: 'bank_tally',
    entityId: 0,
    details: { rows: booked.length, From: asked.from, Until: asked.to, Debit: showMoney(debitOf(booked)) },
    names: new Set(booked.flatMap(({ accountId }) => accountId ?? [])).size,
  };
  return takeNames(ctx, act, async () => ({
    mediaType: 'application/xml',
    name: `tally-${asked.seriesId}-${asked.from}-${asked.to}.xml`,
    bytes: await tallyXml(nameOf.get(`company:${asked.seriesId}`) ?? '', vouchers),
  }));
};

export const tallyRoutes = routes(tallyApi, { names, saveName, preview, file });
