import type { Logger } from 'pino';
import type { Services } from '#kit/server/context.ts';
import { checkFiles } from '#kit/server/files/file-check.ts';
import { correctOnce } from '#kit/server/job/corrections.ts';
import { doDaily } from '#kit/server/job/runs.ts';
import { tidy } from '#kit/server/job/tidy.ts';
import { openUpkeep, type Piece } from '#kit/server/job/upkeep.ts';
import { features } from './features.server.ts';

const lookEvery = 60_000;

/** Corrections first, since the other pieces read what they correct. */
function piecesOf(services: Services, log: Logger, signal: AbortSignal): Piece[] {
  return [
    ...features
      .flatMap(({ corrections }) => corrections)
      .map((each) => ({ name: `correct ${each.name}`, act: () => correctOnce(services, each) })),
    { name: 'tidy', act: () => tidy(services.db) },
    ...features.flatMap(({ tidyUp }) =>
      tidyUp ? [{ name: `tidy ${tidyUp.name}`, act: () => tidyUp(services.db) }] : [],
    ),
    { name: 'check files', act: () => checkFiles({ ...services, log, signal }) },
    ...features
      .flatMap(({ daily }) => daily)
      .map((task) => ({ name: `daily ${task.name}`, act: () => doDaily(services, task) })),
  ];
}

/** Does the upkeep now, and what becomes due every minute; `stop` waits for the piece that is being done. */
export function startUpkeep(services: Services, log: Logger): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { look, stop } = openUpkeep(services, log, piecesOf(services, log, stopping.signal));
  void look();
  const timer = setInterval(() => void look(), lookEvery);
  return {
    stop: () => {
      clearInterval(timer);
      stopping.abort();
      return stop();
    },
  };
}
