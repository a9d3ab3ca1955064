import { greediestOf } from './greediest.ts';

export interface QueueLimits {
  /** Requests that may run at once. */
  places: number;
  /** The most of these that one client may have. */
  perClient: number;
  /** The most turns, running and waiting; beyond it the greediest client loses a turn. */
  most: number;
}

/** One request's turn; the same object enters and leaves. */
export interface Turn {
  client: string;
}

export interface FairQueue {
  /**
   * Resolves when the turn has a place, immediately if it has one. Rejects with `refusal()` when it is refused or
   * cancelled.
   */
  enter: (turn: Turn) => Promise<void>;
  /** Stops waiting; a turn that has a place keeps it, since its work goes on. */
  cancel: (turn: Turn) => void;
  /** Releases the place; does nothing the second time. */
  leave: (turn: Turn) => void;
}

interface Waiting {
  turn: Turn;
  go: () => void;
  fail: (error: Error) => void;
}

/**
 * Shares places among clients: each has at most `perClient`, a free place goes to the waiting client with the fewest,
 * and when too many wait, the client with the most loses its latest turn.
 */
export function openFairQueue({ places, perClient, most }: QueueLimits, refusal: () => Error): FairQueue {
  const inside = new Set<Turn>();
  const held = new Map<string, number>();
  const waiting: Waiting[] = [];

  const heldBy = (client: string) => held.get(client) ?? 0;
  const admit = (turn: Turn) => {
    inside.add(turn);
    held.set(turn.client, heldBy(turn.client) + 1);
  };
  const release = ({ client }: Turn) => {
    const left = heldBy(client) - 1;
    if (left > 0) held.set(client, left);
    else held.delete(client);
  };

  /** Only one place became free, so at most one turn can start. */
  const admitNext = () => {
    const next = waiting
      .filter(({ turn }) => heldBy(turn.client) < perClient)
      .reduce<Waiting | undefined>(
        (best, candidate) => (best && heldBy(best.turn.client) <= heldBy(candidate.turn.client) ? best : candidate),
        undefined,
      );
    if (!next) return;
    waiting.splice(waiting.indexOf(next), 1);
    admit(next.turn);
    next.go();
  };

  const makeRoomFor = ({ client }: Turn) => {
    const { client: greediest } = greediestOf([client, ...waiting.map(({ turn }) => turn.client)]);
    if (greediest === client) throw refusal();
    const last = waiting.findLastIndex(({ turn }) => turn.client === greediest);
    const [refused] = waiting.splice(last, 1);
    refused?.fail(refusal());
  };

  return {
    enter: async (turn) => {
      // A missing file is answered by a second handler, whose hooks run again.
      if (inside.has(turn)) return;
      if (inside.size < places && heldBy(turn.client) < perClient) return admit(turn);
      if (inside.size + waiting.length >= most) makeRoomFor(turn);
      await new Promise<void>((go, fail) => waiting.push({ turn, go, fail }));
    },
    cancel: (turn) => {
      const index = waiting.findIndex((entry) => entry.turn === turn);
      if (index >= 0) waiting.splice(index, 1)[0]?.fail(refusal());
    },
    leave: (turn) => {
      if (!inside.delete(turn)) return;
      release(turn);
      if (waiting.length > 0) admitNext();
    },
  };
}
