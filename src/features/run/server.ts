import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { cancelRun, listRuns, readRun, readRunResult, stopRun } from '#kit/server/job/runs.ts';
import { tableFile } from '#kit/server/list/table-file.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { runApi, runPages } from './contract.ts';

const result: Handler<typeof runApi.result> = async (ctx: UserContext, { id }) => {
  const rows = await readRunResult(ctx, { id });
  const act = {
    action: 'run.exported',
    entity: 'run',
    entityId: id,
    details: { rows: rows.length },
    names: rows.length,
  };
  const table = { name: `run-${id}`, title: text`Result`, heads: [text`Name`, text`Result`, text`Reason`], rows };
  return takeNames(ctx, act, () => tableFile(ctx, table, 'csv'));
};

/** How far acts on many records are, and what became of each record. */
/** The runs that go on, for Admins. */
const runCard: DashboardCard = {
  title: text`Runs`,
  roles: ['Admin'],
  count: async ({ db }) => {
    const { open } = await db
      .selectFrom('run')
      .where('finished_at', 'is', null)
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .executeTakeFirstOrThrow();
    return [{ label: text`Not finished`, value: Number(open), to: 'run' }];
  },
};

export const run = serverFeature({
  pages: runPages,
  cards: [runCard],
  routes: routes(runApi, { list: listRuns, stop: stopRun, read: readRun, cancel: cancelRun, result }),
  auditArea: text`System`,
  auditWords: {
    actions: {
      'run.exported': { verb: 'Exported', words: text`Exported the result of a run` },
      'run.cancelled': { verb: 'Reversed', words: text`Undid a run before it began` },
      'run.stopped': { verb: 'Ended', words: text`Stopped a run` },
    },
    records: { run: { kind: text`Run`, findNames: async () => [] } },
  },
});
