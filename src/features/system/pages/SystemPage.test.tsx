import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { verbatim } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { versionApi } from '../contract/version.ts';
import type { workApi } from '../contract/work.ts';
import { SystemPage } from './SystemPage.tsx';

const at = '2026-11-29T05:30:00Z';
const read = {
  version: '0.3.0',
  commit: '578a5e2',
  node: '24.21.0',
  postgres: '18.4',
  migration: '202611291600_release_process.sql',
  connections: { taken: 15, most: 97 },
  disks: [{ name: 'files', free: 91.24e9, total: 250e9 }],
  processes: [{ id: 'a', version: '0.3.0', host: 'app1', pid: 4711, startedAt: at }],
  upgrades: [{ id: 2, at, from: '0.2.0', to: '0.3.0', migrations: 3, backup: '/safe/before.backup' }],
} satisfies OutputOf<typeof versionApi.version>;

test('SY1 the page System shows versions, processes and upgrades with the archive made before each', async () => {
  fakeServer({ 'GET /api/system/version': read });
  renderPage(<SystemPage />);
  for (const words of ['578a5e2', '4711 on app1', '0.2.0 to 0.3.0', 'up to 15 of 97', '91.2 of 250.0 GB'])
    expect(await screen.findByText(words)).toBeTruthy();
  expect(document.body.textContent).toContain('/safe/before.backup');
});

test('SY4 the tab Work shows failed jobs with Try now and Give up, which asks first, and what Admins were told of', async () => {
  const work = {
    jobs: [
      {
        id: 7,
        does: verbatim('Send message 12'),
        tries: 3,
        isOver: false,
        error: 'ECONNREFUSED',
        nextAt: at,
        isRunning: false,
      },
    ],
    before: 7,
    upkeep: [{ name: 'check files', tries: 4, error: 'EIO', lastOkAt: at }],
    messages: [{ template: 'fee.receipt', channel: 'sms', error: 'HTTP 500', messages: 3 }],
    runs: [{ id: 1, title: verbatim('Send the form'), startedAt: at, failed: 2 }],
    alerts: [{ name: 'disk-files', text: verbatim('Only 1.2 GB are free.'), beganAt: at, toldAt: at, endedAt: null }],
  } satisfies OutputOf<typeof workApi.read>;
  const server = fakeServer({
    'GET /api/system/work': work,
    'POST /api/system/job/7/try': {},
    'POST /api/system/job/7/give-up': {},
  });
  renderPage(<SystemPage />, '/page?tab=work');
  fireEvent.click(await screen.findByRole('button', { name: 'Try now: Send message 12' }));
  fireEvent.click(screen.getByRole('button', { name: 'Give up: Send message 12' }));
  const acts = () => server.sent.filter(({ method }) => method === 'POST').map(({ path }) => path);
  await waitFor(() => expect(acts()).toEqual(['/api/system/job/7/try']));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Give up' }));
  await waitFor(() => expect(acts()).toEqual(['/api/system/job/7/try', '/api/system/job/7/give-up']));
  for (const words of ['check files', 'Only 1.2 GB are free.', 'Send the form', 'HTTP 500', '2 records'])
    expect(document.body.textContent).toContain(words);
});
