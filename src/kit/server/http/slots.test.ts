import { expect, test } from 'vitest';
import { slots, slotsOfEach } from './slots.ts';

test('J12 D14 of many tasks two run, so many wait in order, and further ones are refused at once', async () => {
  const inSlot = slots(2, 3);
  const order: number[] = [];
  const gate = Promise.withResolvers<void>();
  const tasks = Array.from({ length: 8 }, (_, number) =>
    inSlot(async () => {
      order.push(number);
      await gate.promise;
    }),
  );
  const refused = await Promise.allSettled(tasks.slice(5));
  expect(refused).toMatchObject(Array(3).fill({ status: 'rejected', reason: { code: 'unavailable', retryAfter: 5 } }));
  expect(order).toEqual([0, 1]);
  gate.resolve();
  await Promise.all(tasks.slice(0, 5));
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('W4 of each owner so many tasks run, and one who waits holds up nobody else', async () => {
  const inSlotOf = slotsOfEach(1, 3);
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const act = (owner: string, number: number) =>
    inSlotOf(owner)(async () => {
      order.push(`${owner}${number}`);
      await gate.promise;
    });
  const tasks = [act('a', 1), act('a', 2), act('b', 1)];
  expect(order).toEqual(['a1', 'b1']);
  gate.resolve();
  await Promise.all(tasks);
  await act('a', 3);
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
});
