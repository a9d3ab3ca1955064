import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { versionApi } from '../contract/version.ts';
import { SystemPage } from './SystemPage.tsx';

const at = '2026-11-29T05:30:00Z';
const read = {
  version: '0.3.0',
  commit: '578a5e2',
  node: '24.21.0',
  postgres: '18.4',
  migration: '202611291600_release_process.sql',
  processes: [{ id: 'a', version: '0.3.0', host: 'app1', pid: 4711, startedAt: at }],
  upgrades: [{ id: 2, at, from: '0.2.0', to: '0.3.0', migrations: 3, backup: '/safe/before.backup' }],
} satisfies OutputOf<typeof versionApi.version>;

test('SY1 the page System shows versions, processes and upgrades with the archive made before each', async () => {
  fakeServer({ 'GET /api/system/version': read });
  renderPage(<SystemPage />);
  for (const words of ['578a5e2', '4711 on app1', '0.2.0 to 0.3.0'])
    expect(await screen.findByText(words)).toBeTruthy();
  expect(document.body.textContent).toContain('/safe/before.backup');
});
