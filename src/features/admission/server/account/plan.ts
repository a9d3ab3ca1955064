import { previewPlan } from '#features/fee/api.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Application } from './application.ts';

export interface PreviewedPlan {
  /** Why there is no plan. */
  reason: Text | undefined;
  structure: string;
  dues: { dueOn: string; net: number }[];
  total: number;
  basis: unknown;
}

/** What the child of an application would pay from a day on; without concessions, which are requested on the record. */
export async function readPlan(
  ctx: Pick<Context, 'db' | 'now'>,
  { row, record }: Application,
  joinedOn: string,
): Promise<PreviewedPlan> {
  const { structure, ...plan } = await previewPlan(ctx, {
    yearId: row.academic_year_id,
    branchId: row.branch_id,
    programId: row.program_id,
    gradeId: row.grade_id,
    categoryId: record.category_id,
    admissionType: 'New',
    joinedOn,
  });
  return { ...plan, structure: structure?.name ?? '' };
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
    const { reason } = await readPlan(ctx, first, first.row.starts_on);
    if (reason) for (const { row } of own) missing.set(row.id, reason);
  }
  return missing;
}
