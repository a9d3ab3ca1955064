import { sql } from 'kysely';
import { isActiveLabel } from '#kit/contract/master.ts';
import { showPercent } from '#kit/contract/money.ts';
import { english } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import type { ConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { readOptions } from '#kit/server/master/options.ts';
import { serveParts } from '#kit/server/record/parts.ts';
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

const findOptions: Handler<typeof frequencyApi.options> = (ctx, asked) => readOptions(ctx.db, frequencyNames, asked);

type Draft = Parameters<Handler<typeof frequencyApi.create>>[1] & { isActive?: boolean };

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

const { list, history, create, update, remove } = serveParts<Frequency, Draft>({
  word: 'fee-frequency',
  rules,
  read: (ctx, id) =>
    frequencies(ctx)
      .where((row) => (id === undefined ? row.lit(true) : row('frequency.id', '=', id)))
      .orderBy(sql`lower(name)`)
      .execute(),
  write: async (ctx, { isActive, ...draft }, before) => {
    const { frequency, rows } = rowsOf(draft);
    const { id } = before
      ? await ctx.db
          .updateTable('fee_frequency')
          .set({ ...frequency, is_active: isActive })
          .where('id', '=', before.id)
          .returning('id')
          .executeTakeFirstOrThrow()
      : await ctx.db.insertInto('fee_frequency').values(frequency).returning('id').executeTakeFirstOrThrow();
    if (before) await ctx.db.deleteFrom('fee_frequency_row').where('frequency_id', '=', id).execute();
    await addRows(ctx, id, rows);
    return { id };
  },
  details: detailsOf,
});

const daysOff: Handler<typeof frequencyApi.daysOff> = async (ctx) => ({ days: await readDaysOff(ctx) });

export default routes(frequencyApi, { list, options: findOptions, daysOff, history, create, update, remove });
