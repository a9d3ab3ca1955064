import { expect, test } from 'vitest';
import { badRequests, indiscreet } from './fuzz.ts';
import { breachesOf } from './outcome.ts';

test('W1 W19 F4 F5 F6 E6 two hundred bad requests over every operation: no 5xx, no hang, no word of the inside', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const outcome = await badRequests(200, seed);
  expect(breachesOf(outcome).slice(0, 10), `seed ${seed}`).toEqual([]);
  expect(outcome.runs).toBe(200);
});

test('E6 a statement in an answer is found, and words of two messages are no statement', () => {
  const told = (...messages: string[]) => indiscreet.test(JSON.stringify({ errors: messages }));
  expect(told('select "id" from "staff" where "id" = $1')).toBe(true);
  expect(told('Select a PNG, JPG or JPEG picture.', 'Choose one from the list.')).toBe(false);
});
