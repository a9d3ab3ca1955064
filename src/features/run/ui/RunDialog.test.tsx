import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { RunDialog } from './RunDialog.tsx';

const runOf = (over: object = {}) => ({
  id: 5,
  startedAt: '2026-11-20T06:30:00.000Z',
  isFinished: false,
  secondsLeft: 0,
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
  expect(await screen.findByText('13 of 40. You can close this; the work continues.')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Progress' })).toHaveProperty('value', 13);
  expect(screen.getByText('Diya Rathod').parentElement?.textContent).toBe('Diya Rathod Skipped. Was reminded today.');
  expect(screen.queryByRole('button', { name: 'Download the result' })).toBeNull();
});

test('a run is read again until it is finished, and its result can be downloaded then', async () => {
  const server = open({ 'GET /api/run/5': runOf() });
  await screen.findByText(/^13 of 40/);
  server.answers['GET /api/run/5'] = runOf({ isFinished: true, total: 1040, done: 1039 });
  expect(
    await screen.findByText('Finished: 1,039 done, 1 skipped, 0 failed.', undefined, { timeout: 5000 }),
  ).toBeTruthy();
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

test('while a run waits it counts down, and Undo takes it back', async () => {
  const server = open({ 'GET /api/run/5': runOf({ done: 0, skipped: 0, notDone: [], secondsLeft: 24 }) });
  expect(await screen.findByText('Sending begins in 24 seconds. Until then you can undo it.')).toBeTruthy();
  server.answers['POST /api/run/5/cancel'] = {};
  server.answers['GET /api/run/5'] = runOf({ isFinished: true, done: 0, skipped: 40, notDone: [] });
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Finished: 0 done, 40 skipped, 0 failed.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a screen reader is told of the waiting in tens of seconds', async () => {
  const server = open({ 'GET /api/run/5': runOf({ secondsLeft: 30 }) });
  const told = '40 records. Sending begins in 30 seconds. Until then you can undo it.';
  expect((await screen.findByText(told)).closest('[role=status]')).toBeTruthy();
  expect(screen.getByText(/^Sending begins in 30/).closest('[aria-hidden=true]')).toBeTruthy();
  server.answers['GET /api/run/5'] = runOf({ secondsLeft: 22 });
  await screen.findByText(/^Sending begins in 22/, undefined, { timeout: 5000 });
  expect(screen.getByText(told)).toBeTruthy();
});

test('when the moment to undo is over, the focus goes to the button that is left', async () => {
  const server = open({ 'GET /api/run/5': runOf({ secondsLeft: 1 }) });
  (await screen.findByRole('button', { name: 'Undo' })).focus();
  server.answers['GET /api/run/5'] = runOf();
  await screen.findByText(/^13 of 40/, undefined, { timeout: 5000 });
  // The dialog has a cross too.
  expect(document.activeElement?.textContent).toBe('Close');
});
