import type { Logger } from 'pino';
import type { Services } from '#kit/server/context.ts';
import { checkFiles } from '#kit/server/files/file-check.ts';
import { correctOnce } from '#kit/server/job/corrections.ts';
import { doDaily, findDueDaily } from '#kit/server/job/daily.ts';
import { tidy } from '#kit/server/job/tidy.ts';
import { openUpkeep, type Piece } from '#kit/server/job/upkeep.ts';
import { features } from './features.server.ts';

const minute = 60_000;

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
  ];
}

const dailyTasks = features.flatMap(({ daily }) => daily);
const dailyName = (task: string) => `daily ${task}`;

/** Does the upkeep now, and what becomes due every minute; `stop` waits for the piece that is being done. */
export function startUpkeep(services: Services, log: Logger): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const hourly = openUpkeep(services, log, piecesOf(services, log, stopping.signal));
  const daily = openUpkeep(
    services,
    log,
    dailyTasks.map((task) => ({ name: dailyName(task.name), act: () => doDaily(services, task) })),
    async () => new Set([...(await findDueDaily(services, dailyTasks))].map(dailyName)),
  );
  const first = hourly.look();
  const timer = setInterval(() => void hourly.look(), minute);
  // After the corrections that messages read, and then in the first second of each minute.
  const stopDaily = everyFullMinute(services, () => first.then(daily.look));
  return {
    stop: async () => {
      clearInterval(timer);
      stopDaily();
      stopping.abort();
      await Promise.all([hourly.stop(), daily.stop()]);
    },
  };
}

/** Acts at once and as each minute of the clock begins; returns how to stop. */
function everyFullMinute({ now }: Pick<Services, 'now'>, act: () => Promise<unknown>): () => void {
  let timer: NodeJS.Timeout;
  const next = () => {
    timer = setTimeout(next, minute - (now().getTime() % minute));
    void act();
  };
  next();
  return () => clearTimeout(timer);
}
