import { expect, test } from 'vitest';
import { type FairQueue, openFairQueue } from './fair-queue.ts';

const refused = new Error('refused');
const open = (places: number, perClient: number, most: number) =>
  openFairQueue({ places, perClient, most }, () => refused);

/** Requests a turn for each of these clients in order, and returns the state of each turn. */
function ask(queue: FairQueue, clients: string) {
  return [...clients].map((client) => {
    const turn = { client };
    const entry = { turn, state: 'waits' };
    queue.enter(turn).then(
      () => {
        entry.state = 'has a place';
      },
      () => {
        entry.state = 'refused';
      },
    );
    return entry;
  });
}
const soon = () => new Promise((done) => setImmediate(done));
const statesOf = async (all: { turn: { client: string }; state: string }[], wanted: string) => {
  await soon();
  return all
    .filter(({ state }) => state === wanted)
    .map(({ turn }) => turn.client)
    .join('');
};

test('W4 one client has at most its share of the places, the next of its requests wait, and the last are refused', async () => {
  const all = ask(open(6, 2, 5), 'aaaaaaab');
  expect(await statesOf(all, 'has a place')).toBe('aab');
  expect(await statesOf(all, 'waits')).toBe('aaa');
  expect(await statesOf(all, 'refused')).toBe('aa');
});

test('W4 where all places are taken, a newcomer is next, and the client that waits most loses its newest turn', async () => {
  const queue = open(4, 2, 7);
  const all = ask(queue, 'aabbaaac');
  expect(await statesOf(all, 'waits')).toBe('aac');
  expect(all.map(({ state }) => state).indexOf('refused')).toBe(6);
  for (const { turn } of all.slice(0, 1)) queue.leave(turn);
  expect(await statesOf(all, 'has a place')).toBe('aabbc');
});

test('W4 a newcomer is refused where nobody waits for more than it asks for', async () => {
  const all = ask(open(1, 1, 3), 'abcd');
  expect(await statesOf(all, 'refused')).toBe('d');
});

test('W4 every place comes back once, and a turn that is cancelled while it waits takes none', async () => {
  const queue = open(1, 1, 6);
  const all = ask(queue, 'abc');
  const [a, b, c] = all.map(({ turn }) => turn);
  if (!a || !b || !c) throw new Error('Three were asked for.');
  queue.cancel(b);
  queue.cancel(a); // It has its place, and keeps it.
  expect(await statesOf(all, 'has a place')).toBe('a');
  queue.leave(a);
  queue.leave(a);
  queue.leave(b);
  expect([await statesOf(all, 'has a place'), await statesOf(all, 'refused')]).toEqual(['ac', 'b']);
  const [later] = ask(queue, 'd');
  expect(await statesOf(later ? [later] : [], 'waits')).toBe('d');
  queue.leave(c);
  expect(await statesOf(later ? [later] : [], 'has a place')).toBe('d');
});

test('W4 a turn that enters twice has one place, and gives it back whole', async () => {
  const queue = open(1, 1, 1);
  const turn = { client: 'a' };
  await queue.enter(turn);
  await queue.enter(turn);
  queue.leave(turn);
  expect(await statesOf(ask(queue, 'a'), 'has a place')).toBe('a');
});
