import { afterEach, expect, test } from 'vitest';
import { currentLink } from './link.ts';

const link = '3d5f0123456789abcdef0123456789ab';
afterEach(() => window.history.replaceState(null, '', '/'));

const linkOf = (query: string) => {
  window.history.replaceState(null, '', `/admission?inquiryNo=${query}`);
  return currentLink();
};

test.each(['', '.', ')', '>', '%20', '%0A', '%22', ',', '%E0%A5%A4', '%E2%80%8B', '/', '&fbclid=a'])(
  'a link is read without what a message adds after it: %j',
  (after) => expect(linkOf(link + after)).toBe(link),
);

test('a link is read without the code “3D” before it', () => {
  expect(linkOf(`3D${link}`)).toBe(link);
});

test.each(['%3C', '%20', '%E2%80%8B', '%22', '%3C3D'])(
  'a link is read without what a message adds before it: %j',
  (before) => expect(linkOf(before + link)).toBe(link),
);

test('a value that is no link stays as it is', () => {
  for (const value of ['abc', `${link}0`, link.slice(1)]) expect(linkOf(value)).toBe(value);
});
