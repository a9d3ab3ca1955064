import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { usualRows } from '#features/fee-price/contract/frequency.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { plant } from './masters.ts';
import type { School } from './school.ts';

/** The prices of the worked examples: 84,000 a year, and 15,000 more for new students. */
export interface Prices {
  place: { academicYearId: number; branchId: number; programId: number; gradeId: number };
  /** The calendar year in which the academic year begins, on 1 April. */
  year: number;
  heads: Record<'Tuition' | 'Term' | 'Annual' | 'Admission' | 'Deposit', number>;
  /** Publishes other prices for the grade. */
  publish: (over: {
    category?: number;
    admissionType?: string;
    gradeId?: number;
    tuition: number;
    term?: number;
    name?: string;
    /** The structure of which it is the next version. */
    replaces?: number;
    /** The first day of a later version. */
    validFrom?: string;
  }) => Promise<number>;
}

const year = 2044;

/** Prepares a year with one grade and its published prices. */
export async function openPrices(school: School): Promise<Prices> {
  const { sql } = school;
  const idOf = async (statement: string) => Number((await sql(statement))[0]?.id);
  const place = {
    academicYearId: await idOf(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('${year}-${year + 1}', '${year}-04-01', '${year + 1}-03-31', '${year}-06-01') returning id`),
    branchId: (await plant(school, branchMaster)).id,
    programId: (await plant(school, programMaster)).id,
    gradeId: (await plant(school, gradeMaster)).id,
  };
  const series = await idOf(`insert into fee_receipt_series (name, short_name) values ('Main', 'MAIN') returning id`);
  const frequency = (kind: 'Monthly' | 'Quarterly' | 'Annual' | 'One-time') =>
    idOf(`with made as (insert into fee_frequency (name, code, kind, is_equal)
        values ('${kind} of April', '${kind.slice(0, 3)}', '${kind}', true) returning id),
      rows as (insert into fee_frequency_row (frequency_id, seq, label, from_month, months, due_month, due_day)
        select id, row.* from made, (values ${usualRows(kind)
          .map(
            (row) =>
              `(${row.seq}, '${kind} ${row.seq}', ${row.fromMonth}, ${row.months}, ${row.dueMonth}, ${row.dueDay})`,
          )
          .join(', ')}) as row)
      select id from made`);
  const frequencies = {
    Monthly: await frequency('Monthly'),
    Quarterly: await frequency('Quarterly'),
    Annual: await frequency('Annual'),
    'One-time': await frequency('One-time'),
  };
  const head = (name: string, category: string, of: keyof typeof frequencies, proRata: string, appliesTo: string) =>
    idOf(`insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata, is_discountable, priority,
        is_refundable, receipt_series_id)
      values ('${name}', '${name}', '${category}', ${frequencies[of]}, '${appliesTo}', '${proRata}', ${name === 'Tuition'}, 10,
        ${category === 'Deposit'}, ${series}) returning id`);
  const heads = {
    Tuition: await head('Tuition', 'Tuition', 'Monthly', 'Month', 'All students'),
    Term: await head('Term', 'Term', 'Quarterly', 'Month', 'All students'),
    Annual: await head('Annual', 'Other', 'Annual', 'None', 'All students'),
    Admission: await head('Admission', 'Admission', 'One-time', 'None', 'New students'),
    Deposit: await head('Deposit', 'Deposit', 'One-time', 'None', 'New students'),
  };
  // Published by another person than the one who usually acts in a test.
  const staff = await idOf('select max(id) as id from staff');
  const publish: Prices['publish'] = async ({
    category,
    admissionType = 'All students',
    tuition,
    term = 18_000,
    gradeId,
    replaces,
    validFrom,
    name = 'Special',
  }) => {
    const id = await idOf(`insert into fee_structure (name, academic_year_id, branch_id, program_id, category_id,
        admission_type, edited_by, replaces_id, valid_from)
      values ('${name}', ${place.academicYearId}, ${place.branchId}, ${place.programId}, ${category ?? null},
        '${admissionType}', ${staff}, ${replaces ?? null},
        ${validFrom ? `'${validFrom}'` : null}) returning id`);
    await sql(`insert into fee_structure_grade (structure_id, grade_id, academic_year_id, branch_id, program_id, category_key,
        admission_type, status)
      select id, ${gradeId ?? place.gradeId}, academic_year_id, branch_id, program_id, category_key, admission_type, status
      from fee_structure where id = ${id};
      insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id)
      select ${id}, head.id, price.annual * 100, frequency_id from fee_head head join (values (${heads.Tuition}, ${tuition}),
        (${heads.Term}, ${term}), (${heads.Annual}, 6000), (${heads.Admission}, 10000), (${heads.Deposit}, 5000))
        as price (head, annual) on price.head = head.id;
      update fee_structure set status = 'Published', published_by = ${staff}, published_at = now() where id = ${id}`);
    return id;
  };
  await publish({ tuition: 60_000, name: 'Prices' });
  return { place, year, heads, publish };
}
