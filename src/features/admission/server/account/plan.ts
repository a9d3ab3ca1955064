import { previewPlan, type SuggestedDiscount, suggestedFor } from '#features/fee-price/api.ts';
import { siblingsOf } from '#features/student/api.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Application } from './application.ts';

export interface PreviewedPlan {
  /** Why there is no plan. */
  reason: Text | undefined;
  structure: string;
  dues: { dueOn: string; net: number }[];
  total: number;
  suggested: SuggestedDiscount[];
  /** The total if the suggested concessions were granted. */
  conceded: number;
  basis: unknown;
}

/** Of an application that makes no student. */
export const noPlan: PreviewedPlan = {
  ...{ reason: undefined, structure: '', dues: [], total: 0, suggested: [], conceded: 0 },
  basis: null,
};

/** The brothers and sisters who are here, of adults or of a child who comes back. */
export const siblingsHere = async (ctx: Pick<Context, 'db'>, asked: Parameters<typeof siblingsOf>[1]) => {
  const siblings = (await siblingsOf(ctx, asked)).filter(
    ({ firstDay, lastDay }) => firstDay !== null && lastDay === null,
  );
  return [...new Map(siblings.map((sibling) => [sibling.studentId, sibling])).values()];
};

/** What the child of an application would pay from a day on, and the concessions that are suggested for it. */
export async function readPlan(
  ctx: Pick<Context, 'db' | 'now'>,
  { row, record, child }: Application,
  joinedOn: string,
  siblings: readonly { birthDate: string }[],
): Promise<PreviewedPlan> {
  const asked = { yearId: row.academic_year_id, categoryId: record.category_id };
  const suggested = await suggestedFor(ctx, { ...asked, birthDate: child?.birthDate ?? '', siblings });
  const place = { branchId: row.branch_id, programId: row.program_id, gradeId: row.grade_id };
  const { structure, basis, ...plan } = await previewPlan(
    ctx,
    { ...asked, ...place, admissionType: 'New', joinedOn },
    suggested,
  );
  return {
    ...plan,
    structure: structure?.name ?? '',
    suggested,
    basis: [basis, plan.conceded, suggested.map(({ discountId, percent, amount }) => [discountId, percent, amount])],
  };
}

/** Why applications get no fee plan, by inquiry: asked once for each place and category, of which there are few. */
export async function plansMissing(
  ctx: Pick<Context, 'db' | 'now'>,
  applications: readonly Application[],
): Promise<Map<number, Text>> {
  const places = Map.groupBy(applications, ({ row, record }) =>
    [row.academic_year_id, row.branch_id, row.program_id, row.grade_id, record.category_id].join(' '),
  );
  const missing = new Map<number, Text>();
  for (const own of places.values()) {
    const [first] = own;
    if (!first) continue;
    const { reason } = await readPlan(ctx, first, first.row.starts_on, []);
    if (reason) for (const { row } of own) missing.set(row.id, reason);
  }
  return missing;
}
