import { expect, test, vi } from 'vitest';
import { openQueue } from './queue.ts';

/** Tasks that end on request, and the order in which they began. */
function watched(most: number, mostWaiting: number) {
  const queue = openQueue(most, mostWaiting);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const wanted = new Map<string, () => boolean>();
  const ask = (owner: string, name: string, signal?: AbortSignal, isLong = false) =>
    queue(
      { owner, signal },
      async ({ isWanted }) => {
        began.push(name);
        wanted.set(name, isWanted);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      },
      isLong,
    ).catch((error) => [error.code, error.retryAfter]);
  const isWanted = (name: string) => wanted.get(name)?.();
  const end = async (name: string) => {
    ends.get(name)?.();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { ask, began, end, isWanted };
}
const refused = ['unavailable', 5];

test('J12 D14 of many tasks two run, so many wait in order, and further ones are refused at once', async () => {
  const { ask, began, end } = watched(2, 3);
  const asked = Array.from({ length: 8 }, (_, number) => ask(`owner ${number}`, String(number)));
  expect(await Promise.all(asked.slice(5))).toEqual([refused, refused, refused]);
  expect(began).toEqual(['0', '1']);
  for (const name of ['0', '1', '2', '3', '4']) await end(name);
  expect(began).toEqual(['0', '1', '2', '3', '4']);
  expect(await Promise.all(asked.slice(0, 5))).toEqual(['0', '1', '2', '3', '4']);
});

test('W5 of one owner one task runs and two wait, and a later one of another owner goes first', async () => {
  const { ask, began, end } = watched(2, 40);
  const own = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask('a', name));
  expect(await Promise.all(own.slice(3))).toEqual([refused, refused]);
  const other = ask('b', 'b1');
  expect(began).toEqual(['a1', 'b1']);
  const third = ask('c', 'c1');
  await end('b1');
  expect(began).toEqual(['a1', 'b1', 'c1']);
  for (const name of ['a1', 'c1', 'a2', 'a3']) await end(name);
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  expect(await Promise.all([...own.slice(0, 3), other, third])).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
});

test('W16 a task whose caller has gone is not begun, and makes room for another', async () => {
  const { ask, began, end } = watched(1, 2);
  const gone = new AbortController();
  const first = ask('a', 'a1');
  const dropped = [ask('b', 'b1', gone.signal), ask('c', 'c1', gone.signal)];
  gone.abort();
  expect(await Promise.all(dropped)).toEqual([refused, refused]);
  expect(await ask('d', 'd1', gone.signal)).toEqual(refused);
  const next = ask('e', 'e1', new AbortController().signal);
  await end('a1');
  await end('e1');
  expect([await first, await next, began]).toEqual(['a1', 'e1', ['a1', 'e1']]);
});

test('a task that fails gives its place to the next one', async () => {
  const queue = openQueue(1, 1);
  const failing = queue({ owner: 'a' }, () => Promise.reject(new Error('broken')));
  const next = queue({ owner: 'a' }, async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('W5 long tasks of several owners leave a place to the others', async () => {
  const { ask, began, end } = watched(2, 40);
  const asked = [...'abcd'].map((owner) => ask(owner, `${owner}1`, undefined, true));
  const short = [ask('e', 'e1'), ask('f', 'f1')];
  expect(began).toEqual(['a1', 'e1']);
  await end('e1');
  expect(began).toEqual(['a1', 'e1', 'f1']);
  for (const name of ['a1', 'b1', 'f1', 'c1', 'd1']) await end(name);
  expect(began).toEqual(['a1', 'e1', 'f1', 'b1', 'c1', 'd1']);
  await Promise.all([...asked, ...short]);
});

test('W5 a task is told when another owner waits for its place, and a long one is not', async () => {
  const { ask, end, isWanted } = watched(2, 40);
  const running = [ask('a', 'a1', undefined, true), ask('b', 'b1')];
  const own = ask('b', 'b2');
  expect([isWanted('a1'), isWanted('b1')]).toEqual([false, false]);
  const other = ask('c', 'c1');
  expect([isWanted('a1'), isWanted('b1')]).toEqual([false, true]);
  for (const name of ['b1', 'b2', 'c1', 'a1']) await end(name);
  await Promise.all([...running, own, other]);
});

test('W5 whose tasks took seconds comes after those whose tasks did not, and is the one too many, for ten minutes', async () => {
  vi.useFakeTimers();
  try {
    const { ask, began, end } = watched(1, 2);
    const slow = ask('slow', 'slow1');
    const waiting = [ask('slow', 'slow2'), ask('slow', 'slow3')];
    vi.advanceTimersByTime(5000);
    await end('slow1');
    const [quick, another] = [ask('quick', 'quick1'), ask('other', 'other1')];
    expect(await waiting[1]).toEqual(refused);
    await end('slow2');
    expect(began).toEqual(['slow1', 'slow2', 'quick1']);
    vi.advanceTimersByTime(10 * 60_000);
    await end('quick1');
    await end('other1');
    const first = ask('quick', 'quick2');
    const later = [ask('slow', 'slow4'), ask('other', 'other2')];
    for (const name of ['quick2', 'slow4', 'other2']) await end(name);
    expect(began.slice(-3)).toEqual(['quick2', 'slow4', 'other2']);
    await Promise.all([slow, waiting[0], quick, another, first, ...later]);
  } finally {
    vi.useRealTimers();
  }
});
