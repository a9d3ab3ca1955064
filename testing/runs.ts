import { setTimeout } from 'node:timers/promises';
import type { Services } from '#kit/server/context.ts';
import { type RunAct, type RunBatch, workOnRun } from '#kit/server/job/runs.ts';

/** Turns without a record, while another worker does the last ones, until a test fails. */
const mostIdle = 100;

/**
 * Works on a run turn by turn until it is finished, as the worker does: a slow machine needs more turns. Fails when no
 * turn does a record, for example because the run has not begun.
 */
export async function finishRun(
  services: Services,
  acts: Readonly<Record<string, RunAct | RunBatch>>,
  id: number,
): Promise<void> {
  const left = async () => {
    const run = await services.db
      .selectFrom('run')
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .select((from) =>
        from
          .selectFrom('run_row')
          .whereRef('run_id', '=', 'run.id')
          .where('status', '=', 'Waiting')
          .select(({ fn }) => fn.countAll<number>().as('rows'))
          .as('rows'),
      )
      .executeTakeFirst();
    return run && Number(run.rows);
  };
  let before = await left();
  for (let idle = 0; before !== undefined; ) {
    await workOnRun(services, acts, id);
    const after = await left();
    idle = after === before ? idle + 1 : 0;
    if (idle === mostIdle) throw new Error(`Run ${id}: no record is done.`);
    if (idle > 0) await setTimeout(50);
    before = after;
  }
}
