import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { type FrequencyKind, usualRows } from './contract/frequency.ts';
import { seedDiscounts } from './seed-discount.ts';
import { seedPlans } from './seed-plans.ts';
import { seedWaiting } from './seed-waiting.ts';

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

/** "July", "Quarterly 2", "Annual": the demo's year begins in June. */
const labelOf = (kind: FrequencyKind, name: string, seq: number, fromMonth: number) =>
  kind === 'Monthly'
    ? new Intl.DateTimeFormat('en', { month: 'long' }).format(new Date(2000, 5 + fromMonth, 1))
    : kind === 'Quarterly'
      ? `Quarter ${seq}`
      : name;

/** Prices, discounts, and a plan for each student. */
export async function seed(ctx: Context, _app: FastifyInstance, plan: SeedPlan) {
  await seedPrices(ctx, plan);
  await seedDiscounts(ctx, plan);
  await seedPlans(ctx);
}

/** What waits for a second person. */
export const finish = (ctx: Context, _app: FastifyInstance, plan: SeedPlan) => seedWaiting(ctx, plan);

/** Receipt series, frequencies, late fine rules, fee heads, and what each grade pays. */
export async function seedPrices({ db }: Pick<Context, 'db'>, plan: SeedPlan) {
  const receiptSeries = await db
    .insertInto('fee_receipt_series')
    .values(
      series.map(([name, short_name, heading]) => ({
        name,
        short_name,
        heading,
        upi_id: `sunrise.${short_name.toLowerCase()}@examplebank`,
      })),
    )
    .returning(['id', 'name'])
    .execute();
  await insertRows(
    db,
    'fee_bank_account',
    receiptSeries.map(({ id, name }, at) => ({
      name: `${name} account`,
      bank: 'State Bank of India',
      last4: String(4017 + 1111 * at),
      ifsc: 'SBIN0001234',
      receipt_series_id: id,
    })),
  );
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
          label: labelOf(kind as FrequencyKind, name, seq, fromMonth),
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
  await seedStructures(db, plan);
}

/** The annual amounts of each head, in rupees; tuition rises with the grade. */
const prices = {
  'Admission fee': 10_000,
  'Caution deposit': 5000,
  'Term fee': 18_000,
  'Annual charges': 6000,
  'Exam fee': 2400,
  'Library fee': 1200,
};
const tuitionOf = (place: number) => 24_000 + 4800 * place;
/** Bit 0 is June: exams are charged in September and February. */
const examMonths = (1 << 3) | (1 << 8);

/** Published prices of the current year for each grade. */
async function seedStructures(db: Database, { today }: SeedPlan) {
  const year = await db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${today}::date)`)
    .select('id')
    .executeTakeFirstOrThrow();
  const [branch, program, staff] = await Promise.all([
    db.selectFrom('academic_branch').select('id').orderBy('id').executeTakeFirstOrThrow(),
    db.selectFrom('academic_program').select('id').orderBy('id').executeTakeFirstOrThrow(),
    db.selectFrom('staff').select('id').orderBy('id').limit(2).execute(),
  ]);
  const grades = await db.selectFrom('academic_grade').select(['id', 'name']).orderBy('position').execute();
  const heads = await db.selectFrom('fee_head').select(['id', 'name', 'frequency_id']).execute();
  const [editor = 0, publisher = 0] = staff.map(({ id }) => id);
  for (const [place, grade] of grades.entries()) {
    await db.transaction().execute(async (tx) => {
      const { id } = await tx
        .insertInto('fee_structure')
        .values({
          name: `${grade.name}, all students`,
          academic_year_id: year.id,
          branch_id: branch.id,
          program_id: program.id,
          admission_type: 'All students',
          edited_by: editor,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await sql`insert into fee_structure_grade (structure_id, grade_id, academic_year_id, branch_id, program_id,
          category_key, admission_type, status)
        select id, ${grade.id}, academic_year_id, branch_id, program_id, category_key, admission_type, status
        from fee_structure where id = ${id}`.execute(tx);
      const of = { ...prices, 'Tuition fee': tuitionOf(place) };
      await tx
        .insertInto('fee_structure_line')
        .values(
          heads.flatMap((head) => {
            const rupees = of[head.name as keyof typeof of];
            if (rupees === undefined) return [];
            const months = head.name === 'Exam fee' ? examMonths : null;
            return [
              { structure_id: id, fee_head_id: head.id, annual: rupees * 100, frequency_id: head.frequency_id, months },
            ];
          }),
        )
        .execute();
      await tx
        .updateTable('fee_structure')
        .set({ status: 'Published', published_by: publisher, published_at: `${today}T04:30:00Z` })
        .where('id', '=', id)
        .execute();
    });
  }
  await seedAskedVersion(db, { today });
}

/** A second version of the first prices, which waits for its approval. */
const seedAskedVersion = (db: Database, { today }: Pick<SeedPlan, 'today'>) =>
  db.transaction().execute(async (tx) => {
    const made = await sql<{ id: number }>`
      insert into fee_structure (name, academic_year_id, branch_id, program_id, admission_type, edited_by, version_no, replaces_id,
        valid_from)
      select name, academic_year_id, branch_id, program_id, admission_type, asker.staff_id, 2, id,
        (select least(ends_on, date_trunc('month', ${today}::date) + interval '1 month')::date from academic_year
          where id = academic_year_id)
      from fee_structure, lateral (select staff_id from sign_in_account where 'accountant' = any(sets)
        order by cardinality(sets), id limit 1) asker
      where status = 'Published' order by id limit 1 returning id`.execute(tx);
    for (const { id } of made.rows) {
      await sql`insert into fee_structure_grade (structure_id, grade_id, academic_year_id, branch_id, program_id,
          category_key, admission_type, status)
        select made.id, grade.grade_id, made.academic_year_id, made.branch_id, made.program_id, made.category_key,
          made.admission_type, made.status
        from fee_structure made join fee_structure_grade grade on grade.structure_id = made.replaces_id
        where made.id = ${id}`.execute(tx);
      await sql`insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id, months)
        select ${id}, fee_head_id, annual + 120000, frequency_id, months from fee_structure_line
        where structure_id = (select replaces_id from fee_structure where id = ${id})`.execute(tx);
      await tx.updateTable('fee_structure').set({ status: 'Waiting for approval' }).where('id', '=', id).execute();
      await sql`insert into approval (kind, fee_structure_id, branch_id, title, amount, requested_by, requested_at)
        select 'fee.structure', id, branch_id, ${JSON.stringify(text`Publish the prices “${{ name: '' }}”`)}::jsonb
            || jsonb_build_object('values', jsonb_build_object('name', name)),
          (select sum(annual) from fee_structure_line where structure_id = id), edited_by, ${`${today}T04:30:00Z`}
        from fee_structure where id = ${id}`.execute(tx);
    }
  });

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
