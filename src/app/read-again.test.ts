import { expect, test } from 'vitest';
import { servedFile } from '#kit/contract/served-file.ts';
import { allMasters } from './features.server.ts';
import { allRoutes } from './server.ts';

const endpoints = allRoutes.map(({ endpoint }) => endpoint).filter(({ access }) => Array.isArray(access));
const reads = endpoints.filter(({ method, output }) => method === 'GET' && output !== servedFile);
const acts = endpoints.filter(({ method }) => method !== 'GET');
const nameOf = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`;

/** What is read again after every act, and why. */
const showAnything = {
  'GET /audit': 'every act may add a line',
  'GET /dashboard': 'it counts what every area holds',
  'GET /set-up': 'it counts what every area holds',
  ...Object.fromEntries(
    allMasters.map(({ api }) => [nameOf(api.list), 'it counts in how many places each row is used']),
  ),
};

test('every act of a signed-in user says what it changes', () => {
  expect(acts.filter(({ changes }) => changes === undefined).map(nameOf)).toEqual([]);
});

test('whatever a signed-in user reads says what it shows, or is read again after every act for a reason', () => {
  const unsaid = reads.filter(({ shows }) => shows === undefined).map(nameOf);
  expect(unsaid.sort()).toEqual(Object.keys(showAnything).sort());
});

test('whatever an act changes is shown somewhere', () => {
  const shown = new Set(reads.flatMap(({ shows = [] }) => shows));
  const hidden = acts.flatMap((act) =>
    (act.changes ?? []).filter((word) => !shown.has(word)).map((word) => [nameOf(act), word]),
  );
  expect(hidden).toEqual([]);
});
