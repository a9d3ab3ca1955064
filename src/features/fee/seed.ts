import type { FastifyInstance } from 'fastify';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { type FrequencyKind, usualRows } from './contract/frequency.ts';

const series = [
  ['School', 'SCH', 'School fees'],
  ['Trust', 'TRU', 'Fees of the trust'],
  ['Transport', 'BUS', 'Transport fees'],
] as const;

const frequencies = [
  ['Monthly', 'M'],
  ['Quarterly', 'Q'],
  ['Annual', 'A'],
  ['One-time', 'O'],
] as const satisfies readonly (readonly [FrequencyKind, string])[];

/** Name, short name, category, frequency, applies to, pro-rata, concessions allowed, priority, receipt series, GST. */
const heads = [
  ['Admission fee', 'ADM', 'Admission', 'One-time', 'New students', 'None', false, 10, 'School', 0],
  ['Caution deposit', 'DEP', 'Deposit', 'One-time', 'New students', 'None', false, 20, 'Trust', 0],
  ['Tuition fee', 'TUI', 'Tuition', 'Monthly', 'All students', 'Month', true, 30, 'School', 0],
  ['Term fee', 'TER', 'Term', 'Quarterly', 'All students', 'Month', true, 40, 'School', 0],
  ['Annual charges', 'ANN', 'Other', 'Annual', 'All students', 'None', false, 50, 'School', 0],
  ['Exam fee', 'EXA', 'Exam', 'Monthly', 'All students', 'None', false, 60, 'School', 0],
  ['Science laboratory', 'LAB', 'Lab', 'Annual', 'All students', 'None', false, 70, 'School', 0],
  ['Library fee', 'LIB', 'Library', 'Annual', 'All students', 'None', false, 80, 'School', 0],
  ['Activity kit', 'KIT', 'Activity', 'Annual', 'All students', 'None', false, 85, 'School', 1800],
  ['Bus fee', 'BUS', 'Transport', 'Monthly', 'All students', 'Month', false, 90, 'Transport', 0],
] as const;

/** Receipt series, frequencies, a late fine rule and fee heads. */
export async function seed({ db }: Context, _app: FastifyInstance, _plan: SeedPlan) {
  const receiptSeries = await db
    .insertInto('fee_receipt_series')
    .values(series.map(([name, short_name, heading]) => ({ name, short_name, heading })))
    .returning(['id', 'name'])
    .execute();
  const made = await db.transaction().execute(async (tx) => {
    const rows = await tx
      .insertInto('fee_frequency')
      .values(frequencies.map(([name, code]) => ({ name, code, kind: name, is_equal: true })))
      .returning(['id', 'name', 'kind'])
      .execute();
    await insertRows(
      tx,
      'fee_frequency_row',
      rows.flatMap(({ id, name, kind }) =>
        usualRows(kind as FrequencyKind).map(({ seq, fromMonth, months, dueMonth, dueDay }) => ({
          frequency_id: id,
          seq,
          label: `${name} ${seq}`,
          from_month: fromMonth,
          months,
          due_month: dueMonth,
          due_day: dueDay,
        })),
      ),
    );
    return rows;
  });
  const [fine, bySlab] = await seedFineRules(db);
  const idOf = (rows: readonly { id: number; name: string }[], wanted: string) =>
    rows.find(({ name }) => name === wanted)?.id ?? 0;
  await db
    .insertInto('fee_head')
    .values(
      heads.map(([name, short, category, frequency, appliesTo, proRata, isDiscountable, priority, receipts, gst]) => ({
        name,
        short_name: short,
        category,
        frequency_id: idOf(made, frequency),
        applies_to: appliesTo,
        pro_rata: proRata,
        is_discountable: isDiscountable,
        is_optional: category === 'Lab',
        is_refundable: category === 'Deposit',
        priority,
        receipt_series_id: idOf(receiptSeries, receipts),
        fine_rule_id: frequency === 'One-time' ? null : category === 'Transport' ? bySlab : fine,
        gst_rate: gst,
      })),
    )
    .execute();
}

/** A fine for each day and one that rises by slabs, in paise. */
const seedFineRules = (database: Database) =>
  database.transaction().execute(async (db) => {
    const rules = await db
      .insertInto('fee_fine_rule')
      .values([{ name: 'Late fee' }, { name: 'Late fee of the bus' }])
      .returning('id')
      .execute();
    const [daily = 0, bySlab = 0] = rules.map(({ id }) => id);
    const begins = { effective_from: '2020-04-01', grace_days: 5 };
    const [, slabs] = await db
      .insertInto('fee_fine_version')
      .values([
        { ...begins, rule_id: daily, kind: 'Per day', amount: 2000, max_amount: 50_000 },
        { ...begins, rule_id: bySlab, kind: 'Slab', amount: null, max_amount: null },
      ])
      .returning('id')
      .execute();
    await db
      .insertInto('fee_fine_slab')
      .values([
        { version_id: slabs?.id ?? 0, from_day: 1, amount: 5000 },
        { version_id: slabs?.id ?? 0, from_day: 16, amount: 10_000 },
      ])
      .execute();
    return [daily, bySlab] as const;
  });
