import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { RunDialog } from './RunDialog.tsx';

const runOf = (over: object = {}) => ({
  id: 5,
  startedAt: '2026-11-20T06:30:00.000Z',
  isFinished: false,
  total: 40,
  done: 12,
  skipped: 1,
  failed: 0,
  notDone: [{ id: 3, name: 'Diya Rathod', result: 'Skipped', reason: { id: 'Was reminded today.' } }],
  ...over,
});

const open = (answers: Answers) => {
  const server = fakeServer(answers);
  renderPage(<RunDialog id={5} title="Remind the selected families" onClose={() => undefined} />);
  return server;
};

test('a run shows how far it is, and whom it skipped and why', async () => {
  open({ 'GET /api/run/5': runOf() });
  expect(await screen.findByText('13 of 40. You can close this; the work goes on.')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Progress' })).toHaveProperty('value', 13);
  expect(screen.getByText('Diya Rathod').parentElement?.textContent).toBe('Diya Rathod Skipped. Was reminded today.');
  expect(screen.queryByRole('button', { name: 'Download the result' })).toBeNull();
});

test('a run is read again until it is finished, and its result can be downloaded then', async () => {
  const server = open({ 'GET /api/run/5': runOf() });
  await screen.findByText(/^13 of 40/);
  server.answers['GET /api/run/5'] = runOf({ isFinished: true, done: 39 });
  expect(await screen.findByText('Finished: 39 done, 1 skipped, 0 failed.', undefined, { timeout: 5000 })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download the result' })).toBeTruthy();
});

test('a result that can’t be downloaded says why', async () => {
  open({
    'GET /api/run/5': runOf({ isFinished: true, done: 39 }),
    'GET /api/run/5/result': () => refusal('unexpected', 'It broke.'),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Download the result' }));
  expect(await screen.findByText('It broke.')).toBeTruthy();
});
