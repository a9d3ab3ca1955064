import { readdirSync, readFileSync } from 'node:fs';

/** The processes that set papers for this one; its child starts them. */
export function paperProcesses(): string[] {
  const parentOf = (id = '') => readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
  const ofOne = (entry: string) => {
    try {
      const isOurs = parentOf(parentOf(entry)) === String(process.pid);
      return isOurs && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('paper-work');
    } catch {
      return false; // The process has ended.
    }
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && ofOne(name));
}

/** The most memory, in kilobytes, that the process that sets papers has used so far. */
export function paperMemory(): number {
  const [process, ...others] = paperProcesses();
  if (!process || others.length > 0) throw new Error('Not one process sets papers.');
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${process}/status`, 'utf8'))?.[1];
  if (!peak) throw new Error('The process has no peak of memory.');
  return Number(peak);
}
