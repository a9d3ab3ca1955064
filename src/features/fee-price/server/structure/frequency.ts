import { sql } from 'kysely';
import { AppError, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { showPercent } from '#kit/contract/money.ts';
import { english } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { readOptions } from '#kit/server/master/options.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import {
  type Frequency,
  type FrequencyRow,
  frequencyApi,
  frequencyMessages,
  frequencyNames,
  type RowDraft,
} from '../../contract/frequency.ts';
import { readDaysOff } from './days-off.ts';

const rules: ConstraintMessages = {
  table: 'fee_frequency',
  fields: {},
  constraintMessages: {
    fee_frequency_name_unique: { field: 'name', message: frequencyMessages.sameName },
    fee_frequency_code_unique: { field: 'code', message: frequencyMessages.sameCode },
    fee_frequency_row_overlap: { field: 'rows', message: frequencyMessages.overlap },
    fee_frequency_in_use: { field: 'rows', message: frequencyMessages.inUse },
    fee_frequency_whole: { field: 'rows', message: frequencyMessages.whole },
  },
};

const frequencies = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('fee_frequency as frequency')
    .select(['id', 'name', 'code', 'kind', 'unit', 'version'])
    .select(['is_equal as isEqual', 'remainder_seq as remainderSeq', 'is_active as isActive'])
    .select(sql<number>`(select count(*) from fee_head where frequency_id = frequency.id)`.as('usedBy'))
    .select(
      sql<FrequencyRow[]>`(select jsonb_agg(jsonb_build_object('seq', seq, 'label', label, 'fromMonth', from_month,
        'months', months, 'dueMonth', due_month, 'dueDay', due_day, 'share', share) order by seq)
        from fee_frequency_row where frequency_id = frequency.id)`.as('rows'),
    )
    .$castTo<Frequency>();

const list: Handler<typeof frequencyApi.list> = async (ctx) => ({
  rows: await frequencies(ctx).orderBy(sql`lower(name)`).execute(),
});

const findOptions: Handler<typeof frequencyApi.options> = (ctx, asked) => readOptions(ctx.db, frequencyNames, asked);

type Draft = Parameters<Handler<typeof frequencyApi.create>>[1];

/** The columns of a frequency and the rows of its instalments. Equal shares are not stored. */
function rowsOf({ name, code, kind, sharing, unit, remainderSeq, rows }: Draft) {
  const isEqual = sharing === 'Equal shares';
  const frequency = { name, code, kind, is_equal: isEqual, unit: Number(unit), remainder_seq: remainderSeq ?? 1 };
  return { frequency, rows: rows.map((row, place) => instalmentOf(row, place + 1, isEqual)) };
}

const instalmentOf = (
  { label, fromMonth, months, dueMonth, dueDay, share }: RowDraft,
  seq: number,
  isEqual: boolean,
) => ({
  seq,
  label,
  fromMonth: fromMonth ?? 0,
  months: months ?? 1,
  dueMonth: dueMonth ?? 0,
  dueDay: dueDay ?? 1,
  share: isEqual ? null : share,
});

const addRows = ({ db }: UserContext, frequencyId: number, rows: readonly FrequencyRow[]) =>
  db
    .insertInto('fee_frequency_row')
    .values(
      rows.map(({ fromMonth, dueMonth, dueDay, ...row }) => ({
        ...row,
        frequency_id: frequencyId,
        from_month: fromMonth,
        due_month: dueMonth,
        due_day: dueDay,
      })),
    )
    .execute();

/** What a frequency is, for the audit log. */
const detailsOf = (frequency: Omit<Frequency, 'id' | 'version' | 'usedBy'>): Record<string, string> => ({
  Name: frequency.name,
  Code: frequency.code,
  Frequency: frequency.kind,
  Rounding: `₹${frequency.unit}, rest to instalment ${frequency.remainderSeq}`,
  Instalments: frequency.rows
    .map(({ label, fromMonth, months, dueMonth, dueDay, share }) => {
      const period = `months ${fromMonth + 1}–${fromMonth + months}, due on day ${dueDay} of month ${dueMonth + 1}`;
      return `${label} (${period}${share === null ? '' : `, ${showPercent(share)}`})`;
    })
    .join('; '),
  [english(isActiveLabel)]: frequency.isActive ? 'Yes' : 'No',
});

const create: Handler<typeof frequencyApi.create> = async (ctx, draft) => {
  const { frequency, rows } = rowsOf(draft);
  const made = await withConstraintMessages(ctx, rules, async () => {
    const row = await ctx.db
      .insertInto('fee_frequency')
      .values(frequency)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await addRows(ctx, row.id, rows);
    return row;
  });
  await audit(ctx, {
    action: 'fee-frequency.created',
    entity: rules.table,
    entityId: made.id,
    version: 1,
    details: detailsOf(await readOne(ctx, made.id)),
  });
  return made;
};

async function readOne(ctx: Pick<Context, 'db'>, id: number): Promise<Frequency> {
  const found = await frequencies(ctx).where('id', '=', id).executeTakeFirst();
  if (!found) throw new AppError('not_found', notFoundMessage);
  return found;
}

/** Locks a frequency; throws `stale` when the given version is not the current one. */
async function lockFrequency(ctx: UserContext, { id, version }: { id: number; version: number }): Promise<Frequency> {
  await ctx.db.selectFrom('fee_frequency').where('id', '=', id).select('id').forUpdate().execute();
  const frequency = await readOne(ctx, id);
  if (frequency.version !== version) throw new AppError('stale', staleMessage, { data: { saved: frequency } });
  return frequency;
}

const update: Handler<typeof frequencyApi.update> = async (ctx, { id, version, isActive, ...draft }) => {
  const before = await lockFrequency(ctx, { id, version });
  const { frequency, rows } = rowsOf(draft);
  await withConstraintMessages(ctx, rules, async () => {
    await ctx.db
      .updateTable('fee_frequency')
      .set({ ...frequency, is_active: isActive })
      .where('id', '=', id)
      .execute();
    await ctx.db.deleteFrom('fee_frequency_row').where('frequency_id', '=', id).execute();
    await addRows(ctx, id, rows);
  });
  const [was, is] = [detailsOf(before), detailsOf(await readOne(ctx, id))];
  const changed = Object.keys(is).filter((name) => was[name] !== is[name]);
  if (changed.length === 0) return { id, version };
  const saved = await ctx.db
    .updateTable('fee_frequency')
    .set({ version: sql`version + 1` })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  const details = Object.fromEntries(changed.map((name) => [name, `${was[name]} → ${is[name]}`]));
  const act = { action: 'fee-frequency.changed', entity: rules.table, entityId: id, version: saved.version };
  await audit(ctx, { ...act, details });
  return saved;
};

const remove: Handler<typeof frequencyApi.remove> = async (ctx, idAndVersion) => {
  const frequency = await lockFrequency(ctx, idAndVersion);
  await withConstraintMessages(ctx, rules, () =>
    ctx.db.deleteFrom('fee_frequency').where('id', '=', frequency.id).execute(),
  );
  const act = { action: 'fee-frequency.removed', entity: rules.table, entityId: frequency.id };
  await audit(ctx, { ...act, version: frequency.version, details: detailsOf(frequency) });
  return {};
};

const history: Handler<typeof frequencyApi.history> = async (ctx, asked) => {
  await readOne(ctx, asked.id);
  return readHistory(ctx, rules.table, asked);
};

const daysOff: Handler<typeof frequencyApi.daysOff> = async (ctx) => ({ days: await readDaysOff(ctx) });

export default routes(frequencyApi, { list, options: findOptions, daysOff, history, create, update, remove });
