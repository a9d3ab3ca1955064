import { expect, test } from 'vitest';
import { readLinks } from './links.ts';

test('FM15 links are read as phones write them, and what is none is refused by name', () => {
  expect(readLinks('Https://a.in, b.org/x.')).toEqual({ links: ['https://a.in', 'https://b.org/x'], refused: [] });
  expect(readLinks('javascript:alert(1) data:text/html,x file:///etc mailto:a@b.in notes')).toEqual({
    links: [],
    refused: ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', 'mailto:a@b.in', 'notes'],
  });
});

test.each([
  ['HTTPS://YOUTU.BE/abC', ['https://youtu.be/abC']],
  ['youtu.be/abc', ['https://youtu.be/abc']],
  ['http://www.ncert.nic.in/a?b=1#c', ['https://www.ncert.nic.in/a?b=1#c']],
  ['<https://a.in/x>', ['https://a.in/x']],
  ['- https://a.in/x', ['https://a.in/x']],
  ['https://a.in/x https://a.in/y\nhttps://a.in/x', ['https://a.in/x', 'https://a.in/y']],
  ['https://hi.wikipedia.org/wiki/A_(b)', ['https://hi.wikipedia.org/wiki/A_(b)']],
  ['https://a.in:8443/x/', ['https://a.in:8443/x/']],
  ['https://www.google.com/maps/@19.07,72.87,15z', ['https://www.google.com/maps/@19.07,72.87,15z']],
  [
    'https://a.in/1,2,https://b.in/x,HTTP://c.in/y, d.in,',
    ['https://a.in/1,2', 'https://b.in/x', 'https://c.in/y', 'https://d.in'],
  ],
])('%s is read as links', (typed, links) => {
  expect(readLinks(typed)).toEqual({ links, refused: [] });
});

test.each([
  'https://',
  'https://localhost/x',
  'https://me:secret@a.in/',
  'https://10.0.0.1/',
  '3.5',
  'ftp://a.in/x',
  'a.in,b.in',
])('%s is no link', (typed) => {
  expect(readLinks(typed)).toEqual({ links: [], refused: [expect.any(String)] });
});

test('an address of more than 500 characters is no link', () => {
  expect(readLinks(`https://a.in/${'x'.repeat(500)}`).links).toEqual([]);
});
