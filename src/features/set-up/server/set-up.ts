import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { english, text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';
import { setUpApi } from '../contract/set-up.ts';
import { addClasses } from './classes.ts';
import { addFirstAccount } from './first-account.ts';
import { addFirstYear } from './first-year.ts';

/** The words of the steps; the routes need the steps of all features. */
export const setUpFeature = serverFeature({
  auditArea: text`System`,
  auditWords: {
    actions: {
      'set-up.skipped': { verb: 'Changed', words: text`Skipped a setup step` },
      'set-up.taken-up': { verb: 'Restored', words: text`Resumed a skipped setup step` },
    },
    records: { set_up_skip: { kind: text`Setup` } },
  },
});

/** The steps of a new school, of all features, and the acts that take them. */
export const setUpRoutes = (all: readonly SetUpStep[]) => {
  const steps = [...all].sort((one, other) => one.order - other.order);
  const read: Handler<typeof setUpApi.read> = async (ctx) => {
    const skips = await ctx.db.selectFrom('set_up_skip').select('key').execute();
    const skipped = new Set(skips.map(({ key }) => key));
    const states = [];
    // One after another: they take one connection.
    for (const { key, title, to, act, read } of steps) {
      const state = await read(ctx);
      states.push({ key, title, to, act, ...state, isSkipped: !state.isDone && skipped.has(key) });
    }
    return { steps: states };
  };
  const skip: Handler<typeof setUpApi.skip> = async (ctx, { key, isSkipped }) => {
    const step = steps.find((one) => one.key === key);
    if (!step) throw new AppError('not_found', notFoundMessage);
    const done = isSkipped
      ? await ctx.db
          .insertInto('set_up_skip')
          .values({ key, staff_id: ctx.user.staffId, at: ctx.now() })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
      : await ctx.db.deleteFrom('set_up_skip').where('key', '=', key).executeTakeFirst();
    const count = 'numDeletedRows' in done ? done.numDeletedRows : (done.numInsertedOrUpdatedRows ?? 0n);
    if (count > 0n)
      await audit(ctx, {
        action: isSkipped ? 'set-up.skipped' : 'set-up.taken-up',
        entity: 'set_up_skip',
        entityId: 0,
        details: { Step: english(step.title) },
      });
    return {};
  };
  return routes(setUpApi, {
    read,
    skip,
    year: addFirstYear,
    account: addFirstAccount,
    classes: addClasses,
  });
};
