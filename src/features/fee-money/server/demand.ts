import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { openTemplate, type PaperData, type PaperTable } from '#kit/server/paper/paper.ts';
import { type QrCode, qrCode } from '#kit/server/paper/qr-code.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { type followUpApi, mostSlips } from '../contract/follow-up.ts';
import { accountsSelected } from './account-list.ts';
import { type HeldCheque, readHeldCheques } from './held-cheques.ts';
import { readPayable } from './read-dues.ts';
import { type UpiSeries, upiAddress } from './upi.ts';

interface DemandSlips extends PaperData {
  slips: {
    facts: (readonly [Text, string])[];
    table: PaperTable;
    codes: { code: QrCode; words: Text; upiId: string }[];
    held: Text[];
  }[];
  made: Text;
}
const demandSlips = openTemplate<DemandSlips>(new URL('./demand.typ', import.meta.url));

/** Slips of what students owe by today, with late fines as of today; students who owe nothing get none. */
export const slips: Handler<typeof followUpApi.slips> = async (ctx, selection) => {
  const ids = await accountsSelected(ctx, selection);
  const today = toLocalDate(ctx.now());
  const { rows: students } = await sql<{
    id: number;
    name: string;
    grNo: string;
    place: string;
    accountId: number;
    version: number;
  }>`
    select student.id, student.name, student.gr_no as "grNo", account.id as "accountId", account.version,
      coalesce((select name from student_place(student.id, ${today}::date)), '') as place
    from student join fee_account account on account.student_id = student.id
    where student.id = any(${ids}::integer[]) order by place, student.sort_name, student.id`.execute(ctx.db);
  const { lines } = await readPayable(
    ctx,
    students.map(({ accountId }) => accountId),
    today,
  );
  const owing = students.flatMap((student) => {
    const due = (lines.get(student.accountId) ?? []).filter(({ isDue }) => isDue);
    return due.length > 0 ? [{ student, due }] : [];
  });
  if (owing.length === 0) throw new AppError('conflict', text`These students owe nothing today.`);
  if (owing.length > mostSlips)
    throw new AppError('conflict', text`Print at most ${{ most: mostSlips }} slips at once. Select fewer students.`);
  const { rows: series } = await sql<UpiSeries>`select id, name, upi_id as "upiId" from fee_receipt_series
    where is_active`.execute(ctx.db);
  const held = await readHeldCheques(
    ctx,
    owing.map(({ student }) => student.id),
    today,
  );
  const act = {
    action: 'fee-demand.list-printed',
    entity: 'fee_account',
    entityId: 0,
    details: { rows: owing.length },
    names: owing.length,
  };
  return takeNames(ctx, act, async () => ({
    mediaType: 'application/pdf',
    name: 'demand-slips.pdf',
    bytes: await ctx.makePaper(demandSlips, await paperOf(ctx, owing, series, today, held), ctx.caller),
  }));
};

type Owed = {
  student: { id: number; name: string; grNo: string; place: string; accountId: number; version: number };
  due: { head: string; label: string; isFine: boolean; dueOn: string; owed: number; receiptSeriesId: number }[];
};

const heldWords = ({ number, bank, datedOn, amount }: HeldCheque) =>
  text`Held, not paid: cheque ${{ number }} of ${{ day: showDate(datedOn) }}, ${{ bank }}, ${{ amount: showMoney(amount) }}`;

async function paperOf(
  ctx: UserContext,
  owing: readonly Owed[],
  series: readonly UpiSeries[],
  today: string,
  held: ReadonlyMap<number, readonly HeldCheque[]>,
) {
  const head = await ctx.readPaperHead(ctx);
  return {
    head,
    title: text`Fees due`,
    slips: owing.map(({ student, due }) => {
      const total = due.reduce((sum, { owed }) => sum + owed, 0);
      const codes = [...Map.groupBy(due, ({ receiptSeriesId }) => receiptSeriesId)].flatMap(([seriesId, own]) => {
        const found = series.find(({ id }) => id === seriesId);
        if (!found?.upiId) return [];
        const amount = own.reduce((sum, { owed }) => sum + owed, 0);
        const { accountId, version } = student;
        const since = own[0]?.dueOn ?? today;
        const code = qrCode(upiAddress({ accountId, version, payee: head.name, series: found, amount, since }));
        return [
          { code, upiId: found.upiId, words: text`${{ series: found.name }}: ${{ amount: showMoney(amount) }} by UPI` },
        ];
      });
      const facts: (readonly [Text, string])[] = [
        [text`Student`, student.name],
        [text`GR no`, student.grNo],
        [text`Class`, student.place],
        [text`Due on`, showDate(today)],
      ];
      return {
        facts: facts.filter(([, value]) => value !== ''),
        table: {
          heads: [text`Fee`, text`Due on`, text`Amount`],
          rows: due.map(({ head: fee, label, isFine, dueOn, owed }) => [
            isFine ? text`Late fine` : [fee, label].filter(Boolean).join(', '),
            showDate(dueOn),
            showMoney(owed),
          ]),
          sums: [text`Total`, '', showMoney(total)],
          right: [2],
        },
        codes,
        held: (held.get(student.id) ?? []).map(heldWords),
      };
    }),
    made: text`Amounts of ${{ day: showDate(today) }}, with late fines until then. They change daily: the school’s family page shows those of the day.`,
  };
}
