import { setTimeout as pause } from 'node:timers/promises';

interface Pace {
  perSecond: number;
  seconds: number;
}

/** A finished request: its kind, and the time from its planned start to its end. */
export interface Done {
  kind: string;
  ms: number;
  failure?: string;
}

export interface Taken {
  done: Done[];
  /**
   * How late this process itself started requests; large values mean that the figures describe this process, not the
   * server.
   */
  lateness: number[];
}

/**
 * Starts requests at fixed moments without waiting for earlier ones, and measures from the planned start. So a stalled
 * server is charged for every request due during the stall.
 */
export async function atPace(
  { perSecond, seconds }: Pace,
  act: (index: number) => { kind: string; end: Promise<unknown> },
): Promise<Taken> {
  const start = performance.now() + 100;
  const all: Promise<Done>[] = [];
  const lateness: number[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const due = start + (index * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0.2) await pause(wait);
    lateness.push(performance.now() - due);
    const { kind, end } = act(index);
    const ms = () => performance.now() - due;
    all.push(
      end.then(
        () => ({ kind, ms: ms() }),
        (error: Error) => ({ kind, ms: ms(), failure: error.message }),
      ),
    );
  }
  return { done: await Promise.all(all), lateness };
}
