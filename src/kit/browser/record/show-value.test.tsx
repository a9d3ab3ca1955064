import { expect, test } from 'vitest';
import { showValue } from './show-value.tsx';

const days = {
  kind: 'someOf',
  options: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  isSequence: true,
};

test.each([
  ['Monday,Tuesday,Wednesday,Thursday,Friday,Saturday', 'Monday to Saturday'],
  ['Saturday,Monday,Tuesday,Wednesday', 'Monday to Wednesday, Saturday'],
  ['Monday,Tuesday', 'Monday, Tuesday'],
  ['Friday', 'Friday'],
])('chosen days of a week are shown by their first and last: %s', (chosen, words) => {
  expect(showValue(days, chosen)).toBe(words);
  expect(showValue({ ...days, isSequence: false }, chosen)).toBe(chosen.split(',').join(', '));
});
