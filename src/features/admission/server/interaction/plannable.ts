import { sql } from 'kysely';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Application } from '../decision/decide.ts';

const notPlanned = text`The status does not allow an interaction.`;
const isRte = text`RTE applications have no interaction.`;
const noneNeeded = text`No interaction is planned for this grade.`;
const onlyTalk = text`This grade has an interaction without a score.`;
const otherBranch = text`Is in another branch than the first child.`;

/** The states in which an interaction is planned. */
export const plannable = ['Verified', 'Interaction planned', 'Interaction done'];

/** Why no interaction is planned with a child; undefined where one can be. */
export function whyNotPlanned(
  row: Application,
  interaction: string | undefined,
  kind: string,
  branchId: number | undefined,
): Text | undefined {
  if (row.quota === 'RTE') return isRte;
  if (row.held_kind || !plannable.includes(row.state)) return notPlanned;
  if (row.branch_id !== branchId) return otherBranch;
  if (interaction === undefined || interaction === 'None') return noneNeeded;
  return kind === 'Assessment' && interaction !== 'Assessment' ? onlyTalk : undefined;
}

/** Refuses assessors who have left the school. */
export async function requireAssessors({ db, now }: Pick<Context, 'db' | 'now'>, ids: readonly number[]) {
  const { rows } = await sql`select staff_id from staff_employment where staff_id = any(${ids}::integer[])
    group by staff_id having max(coalesce(last_day, 'infinity')) < ${toLocalDate(now())}::date`.execute(db);
  if (rows.length > 0) throw fieldRefusal('assessorId', text`An assessor has left the school. Choose another one.`);
}
