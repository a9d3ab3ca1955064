import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time in hundredths of a second: of the whole machine, including time its host gave to other machines, and
 * of this process with its children.
 */
export interface Used {
  at: number;
  all: number;
  own: number;
}

export function usedSoFar(): Used {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, stolen = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return { at: performance.now(), all: user + nice + system + irq + softIrq + stolen, own: ownTime() };
}

/** The average number of processors that other programs used between two samples. */
export const othersBetween = (before: Used, after: Used) =>
  Math.max(0, after.all - before.all - (after.own - before.own)) / ((after.at - before.at) / 10);

/** A child that ended is counted by its parent, so no time is lost. */
function ownTime(): number {
  const all = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc')) {
    if (/^[0-9]+$/.test(name)) {
      const read = statOf(name);
      if (read) all.set(Number(name), read);
    }
  }
  const isOwn = (pid: number): boolean => pid === process.pid || (pid > 1 && isOwn(all.get(pid)?.parent ?? 0));
  return [...all].reduce((sum, [pid, { ticks }]) => sum + (isOwn(pid) ? ticks : 0), 0);
}

function statOf(pid: string) {
  try {
    // The name in brackets may contain spaces; the fields after it do not.
    const rest = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return { parent: rest[1] ?? 0, ticks: rest.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
  } catch {
    return undefined; // The process has ended.
  }
}
