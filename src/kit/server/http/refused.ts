import type { Logger } from 'pino';
import { AppError, unavailableMessage } from '#kit/contract/errors.ts';

/** The resource that was exhausted. */
type Lacking = 'connections' | 'look-ups' | 'bodies' | 'work';

/** Seconds after which a retry makes sense. */
const retryAfter = 5;
/** The most networks counted separately between two log lines. */
const mostNetworks = 1000;

/** A refusal for lack of places; counted, not logged individually. */
export class Busy extends AppError {
  readonly lacking: Lacking;

  constructor(lacking: Lacking) {
    super('unavailable', unavailableMessage, { retryAfter });
    this.lacking = lacking;
  }
}

export interface RefusalCount {
  add: (lacking: Lacking | 'other', network: string) => void;
  /** Logs the counts since the last line, if any. */
  write: () => void;
}

/** Counts the refusals of a busy server: one log line for all, with the network that was refused most. */
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
