import { setTimeout as pause } from 'node:timers/promises';

interface Pace {
  perSecond: number;
  seconds: number;
}

/** One thing done: what kind it was, and how long after the moment it was due it was done. */
export interface Done {
  kind: string;
  ms: number;
  failure?: string;
}

export interface Taken {
  done: Done[];
  /** How late this process itself began things; large values mean that the figures tell of it, not of the server. */
  lateness: number[];
}

/**
 * Begins something at fixed moments, whatever became of what was begun before, and measures from the moment it was due:
 * a server that stands still is charged for everybody who would have come meanwhile.
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
