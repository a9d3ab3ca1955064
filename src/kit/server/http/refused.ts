import type { Logger } from 'pino';
import { AppError, unavailableMessage } from '#kit/contract/errors.ts';

/** What there was none left of. */
type Lacking = 'connections' | 'look-ups' | 'bodies' | 'work';

/** Seconds after which trying again makes sense. */
const retryAfter = 5;
/** Networks that are counted apart between two lines. */
const mostNetworks = 1000;

/** Refuses for want of places; counted, and not logged one by one. */
export class Busy extends AppError {
  readonly lacking: Lacking;

  constructor(lacking: Lacking) {
    super('unavailable', unavailableMessage, { retryAfter });
    this.lacking = lacking;
  }
}

export interface RefusalCount {
  add: (lacking: Lacking | 'other', network: string) => void;
  /** Writes one line with what was counted since the last one, if anything was. */
  write: () => void;
}

/** Counts what a busy server refuses: one line of the log for all of it, with the network that was refused most. */
export function countRefusals(log: Pick<Logger, 'warn'>): RefusalCount {
  let counts: Record<string, number> = {};
  let networks = new Map<string, number>();
  return {
    add: (lacking, network) => {
      counts[lacking] = (counts[lacking] ?? 0) + 1;
      if (networks.has(network) || networks.size < mostNetworks)
        networks.set(network, (networks.get(network) ?? 0) + 1);
    },
    write: () => {
      const [most] = [...networks].sort(([, left], [, right]) => right - left);
      if (!most) return;
      const [network, ofIt] = most;
      log.warn(
        { refused: counts, mostFrom: network, ofIt },
        'The server is busy: it refused requests or closed connections',
      );
      counts = {};
      networks = new Map();
    },
  };
}
