import { sql } from 'kysely';
import { readYear } from '#features/calendar/api.ts';
import type { Context } from '#kit/server/context.ts';
import type { YearDays } from '../../contract/months.ts';
import type { HeadFacts, PriceFrequency, ProRata } from '../../contract/plan/price.ts';
import { readDaysOff } from '../structure/days-off.ts';

export interface PricedHead {
  id: number;
  name: string;
  category: string;
  appliesTo: string;
  frequencyId: number;
  proRata: ProRata;
  isOptional: boolean;
  isDiscountable: boolean;
  isActive: boolean;
  receiptSeriesId: number;
  gstRate: number;
}

interface PricedStructure {
  id: number;
  name: string;
  versionNo: number;
  status: string;
  branchId: number;
  programId: number;
  categoryId: number | null;
  admissionType: string;
  gradeIds: number[];
  lines: { feeHeadId: number; annual: number; frequencyId: number; months: number | null }[];
}

/** The prices of a year: everything that plans are computed from. */
export interface YearPrices {
  year: YearDays & { id: number; name: string };
  heads: ReadonlyMap<number, PricedHead>;
  frequencies: ReadonlyMap<number, PriceFrequency & { kind: string }>;
  /** All but drafts. */
  structures: ReadonlyMap<number, PricedStructure>;
}

const byId = <Row extends { id: number }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

export async function readPrices(ctx: Pick<Context, 'db'>, yearId: number): Promise<YearPrices> {
  const { db } = ctx;
  const { id, name, starts_on: startsOn, ends_on: endsOn } = await readYear(ctx, yearId);
  const heads =
    await sql<PricedHead>`select id, name, category, applies_to as "appliesTo", frequency_id as "frequencyId",
      pro_rata as "proRata", is_optional as "isOptional", is_discountable as "isDiscountable",
      is_active as "isActive", receipt_series_id as "receiptSeriesId", gst_rate as "gstRate"
    from fee_head order by priority, id`.execute(db);
  const frequencies = await sql<PriceFrequency & { kind: string }>`
    select frequency.id, kind, unit, remainder_seq as "remainderSeq", jsonb_agg(jsonb_build_object('seq', seq, 'label', label,
      'fromMonth', from_month, 'months', months, 'dueMonth', due_month, 'dueDay', due_day, 'share', share) order by seq) as rows
    from fee_frequency frequency join fee_frequency_row on frequency_id = frequency.id group by frequency.id`.execute(
    db,
  );
  const structures = await sql<PricedStructure>`
    select id, name, version_no as "versionNo", status, branch_id as "branchId", program_id as "programId",
      category_id as "categoryId", admission_type as "admissionType",
      (select coalesce(jsonb_agg(grade_id), '[]') from fee_structure_grade where structure_id = structure.id) as "gradeIds",
      (select coalesce(jsonb_agg(jsonb_build_object('feeHeadId', fee_head_id, 'annual', annual,
        'frequencyId', frequency_id, 'months', months)), '[]') from fee_structure_line
        where structure_id = structure.id) as lines
    from fee_structure structure where academic_year_id = ${yearId} and status in ('Published', 'Superseded')
    order by id`.execute(db);
  return {
    year: { id, name, startsOn, endsOn, daysOff: new Set(await readDaysOff(ctx)) },
    heads: byId(heads.rows),
    frequencies: byId(frequencies.rows),
    structures: byId(structures.rows),
  };
}

/** Where a student is, as far as prices differ by it. */
export interface PricedPlace {
  branchId: number;
  programId: number;
  gradeId: number;
  categoryId: number | null;
  admissionType: 'New' | 'Existing';
}

/** The published prices for a place: those of its category before those for all, then those of its kind of student. */
export function structureFor({ structures }: YearPrices, place: PricedPlace): PricedStructure | undefined {
  const kind = `${place.admissionType} students`;
  const rank = ({ categoryId, admissionType }: PricedStructure) =>
    (categoryId === null ? 0 : 2) + (admissionType === 'All students' ? 0 : 1);
  return [...structures.values()]
    .filter(
      (one) =>
        one.status === 'Published' &&
        one.branchId === place.branchId &&
        one.programId === place.programId &&
        one.gradeIds.includes(place.gradeId) &&
        [null, place.categoryId].includes(one.categoryId) &&
        ['All students', kind].includes(one.admissionType),
    )
    .toSorted((one, other) => rank(other) - rank(one))[0];
}

/**
 * The heads of a structure that are charged to a student; `charged` are heads of one-time fees charged before, and
 * `returned` deposits that the student got back.
 */
export function headsFor(
  { heads, frequencies }: YearPrices,
  structure: PricedStructure,
  { admissionType, returned = [] }: Pick<PricedPlace, 'admissionType'> & { returned?: readonly number[] },
  charged: ReadonlySet<number>,
): PricedHead[] {
  return structure.lines.flatMap(({ feeHeadId, frequencyId }) => {
    const head = heads.get(feeHeadId);
    const applies =
      head && (returned.includes(feeHeadId) || ['All students', `${admissionType} students`].includes(head.appliesTo));
    const isAgain = frequencies.get(frequencyId)?.kind === 'One-time' && charged.has(feeHeadId);
    return head && applies && !isAgain && head.category !== 'Transport' ? [head] : [];
  });
}

/** A head’s price in a structure; null where the structure lacks it. */
function lineOf({ structures, frequencies }: YearPrices, structureId: number, feeHeadId: number) {
  const line = structures.get(structureId)?.lines.find((one) => one.feeHeadId === feeHeadId);
  const frequency = line && frequencies.get(line.frequencyId);
  return line && frequency ? { annual: line.annual, months: line.months, frequency } : null;
}

export interface Stage {
  feeHeadId: number;
  fromMonth: number;
  structureId: number;
}
export interface Chosen {
  feeHeadId: number;
  fromMonth: number;
  toMonth: number;
}
export interface MonthCharge {
  feeHeadId: number;
  month: number;
  amount: number;
}

/** What a plan charges, from its rows. */
export function headFacts(
  prices: YearPrices,
  { stages, options, months }: { stages: readonly Stage[]; options: readonly Chosen[]; months: readonly MonthCharge[] },
): HeadFacts[] {
  const ids = new Set([...stages, ...months].map(({ feeHeadId }) => feeHeadId));
  return [...ids].flatMap((feeHeadId) => {
    const head = prices.heads.get(feeHeadId);
    if (!head) return [];
    const { proRata, isDiscountable, isOptional, frequencyId } = head;
    const amounts = months.filter((one) => one.feeHeadId === feeHeadId);
    const frequency = prices.frequencies.get(frequencyId);
    return {
      feeHeadId,
      proRata,
      isDiscountable,
      options: isOptional ? options.filter((one) => one.feeHeadId === feeHeadId) : null,
      stages: stages
        .filter((stage) => stage.feeHeadId === feeHeadId)
        .toSorted((one, other) => one.fromMonth - other.fromMonth)
        .map(({ fromMonth, structureId }) => ({ fromMonth, line: lineOf(prices, structureId, feeHeadId) })),
      ...(amounts.length > 0 && frequency
        ? { monthly: { frequency, amounts: new Map(amounts.map(({ month, amount }) => [month, amount])) } }
        : {}),
    };
  });
}
