import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockRuns, type RunAct, startRun } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { accountApi } from '../../contract/account.ts';
import { isReachedByStarter, outOfReach } from '../scope.ts';
import { type Application, nameOf, readApplications } from './application.ts';
import { applyAccount, prepareAccount } from './create.ts';
import { applicationsSelected } from './list.ts';
import { plansMissing } from './plan.ts';

const kind = 'admission.create';
const isCreated = text`The account is there already.`;
const hasNoSeat = text`The seat is no longer confirmed.`;

/** Why no run creates the account; undefined where it needs no choice. */
function whyNot({ row, blocks, needs }: Application): Text | undefined {
  if (row.state === 'Admitted') return isCreated;
  if (row.state !== 'Seat confirmed') return hasNoSeat;
  return blocks[0] ?? needs[0];
}

export const createMany: Handler<typeof accountApi.createMany> = (ctx, { selection, withoutPlan, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, kind, isPreview);
    const ids = await applicationsSelected(ctx, selection);
    const applications = await readApplications(ctx, ids, false);
    const unpriced = withoutPlan ? new Map<number, Text>() : await plansMissing(ctx, applications);
    const decided = applications.map((application) => ({
      id: application.row.id,
      version: application.row.version,
      name: nameOf(application.child) || application.row.inquiry_no,
      reason: whyNot(application) ?? unpriced.get(application.row.id),
    }));
    const rows = decided.filter(({ reason }) => reason === undefined);
    const skipped = decided.flatMap(({ id, name, reason }) => (reason ? [{ id, name, reason }] : []));
    const runId =
      isPreview || rows.length === 0
        ? null
        : await startRun(ctx, {
            kind,
            input: { withoutPlan },
            rows,
            told: { title: text`Create accounts`, path: '/school-erp/admission/confirm-admission' },
            access: accountApi.createMany.access,
          });
    return {
      answer: {
        changed: rows.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        runId,
      },
      basis: [last, withoutPlan, decided.map(({ id, version, reason }) => [id, version, reason?.id ?? ''])],
      isRefused: rows.length === 0,
    };
  });

/** One account in its own transaction, for the person who started the run. */
const createOne: RunAct = async (ctx, id, { withoutPlan }: { withoutPlan: boolean }) => {
  const { starter } = ctx;
  if (!starter) throw new AppError('conflict', text`${{ actor: ctx.actor }} may no longer do this.`);
  const user = { ...ctx, user: starter };
  const reached = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .where('inquiry.id', '=', id)
    .where(isReachedByStarter(ctx))
    .select('inquiry.state')
    .executeTakeFirst();
  if (!reached) return outOfReach;
  if (reached.state === 'Admitted') return isCreated;
  const prepared = await prepareAccount(user, { id }, { withoutPlan });
  const reason = whyNot(prepared.application);
  if (reason) return reason;
  await applyAccount(user, prepared);
  return undefined;
};

export const accountRuns = { [kind]: createOne };
