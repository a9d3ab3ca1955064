// What one test of each class costs, beside what it usually costs: a class that grows faster than its tests is seen here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cost, limitOf, usualSample } from './processor-time.ts';
import type { FileResult } from './results.ts';

const root = join(import.meta.dirname, '..');

export type Class = 'unit' | 'server' | 'walks' | 'components' | 'alone' | 'faults' | 'browser';

/**
 * Seconds of processor time that one test of a class usually takes at most on a quiet machine; of the walks one file,
 * since a walk is one test or a hundred. Raise one only with a reason in the commit.
 */
export const usualSeconds: Record<Class, number> = {
  unit: 0.04,
  server: 0.16,
  walks: 6,
  components: 0.08,
  alone: 0.2,
  faults: 10,
  browser: 2.2,
};

/** The class of a file of tests, by its path and, of `*.test.ts`, its text. */
export function classOf(file: string, text: string): Class {
  if (file.endsWith('.spec.ts')) return 'browser';
  if (file.endsWith('.test.tsx')) return 'components';
  if (file.endsWith('.alone.test.ts')) return 'alone';
  if (file.startsWith('testing/faults/')) return 'faults';
  if (file.startsWith('src/app/') && /\ball(Routes|Masters)\b/.test(text)) return 'walks';
  return /\/server[/.]/.test(file) || /\bopen(?:Own)?School\(/.test(text) ? 'server' : 'unit';
}

interface Run {
  files: readonly FileResult[];
  /** What each file cost. */
  costs: readonly Cost[];
  /** Browser tests share their server and browser, so what they cost is that of their phase. */
  phases: readonly Cost[];
  /** What the machine took for the sample. */
  samples: readonly number[];
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/**
 * A table of the classes that ran: seconds of one test, those usual on this machine, and `costly` above them.
 * It fails nothing, as the cost of the whole run does.
 */
export function budgetLines({ files, costs, phases, samples }: Run, textOf = read): string[] {
  const known = new Map(costs.map(({ name, processor }) => [name, processor]));
  const slowness = Math.max(1, limitOf(samples).median / usualSample);
  const classes = new Map<Class, { count: number; seconds: number | undefined }>();
  for (const { file, passed, failures } of files) {
    const name = classOf(file, textOf(file));
    const { count, seconds } = classes.get(name) ?? { count: 0, seconds: 0 };
    const [tests, cost] = [name === 'walks' ? 1 : passed + failures.length, known.get(file)];
    classes.set(name, { count: count + tests, seconds: cost === undefined ? seconds : (seconds ?? 0) + cost });
  }
  const browser = classes.get('browser');
  if (browser) browser.seconds = phases.find(({ name }) => name === 'browser tests')?.processor;
  const lines = [...classes].flatMap(([name, { count, seconds }]) => {
    if (!seconds || count === 0) return [];
    const [one, usual] = [seconds / count, usualSeconds[name] * slowness];
    const what = `${name === 'walks' ? 'files' : 'tests'} in ${seconds.toFixed(0)} s`;
    return [`${cell(one)}  ${cell(usual)}  ${one > usual ? 'costly  ' : ''}${name}: ${count} ${what}`];
  });
  return ['for each test, and usual at most, in seconds of processor time', ...lines];
}

const cell = (seconds: number) => seconds.toFixed(3).padStart(9);
