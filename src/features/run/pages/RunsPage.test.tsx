import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { RunsPage } from './RunsPage.tsx';

const run = { title: { id: 'Send the form' }, actor: 'Meena', total: 40, startedAt: '2026-11-20T06:30:00.000Z' };

test('an Admin sees how far every run is and stops one that goes on', async () => {
  const server = fakeServer({
    'GET /api/run': {
      rows: [
        { ...run, id: 7, left: 30, isFinished: false },
        { ...run, id: 6, left: 0, isFinished: true },
      ],
    },
    'POST /api/run/7/stop': {},
  });
  renderPage(<RunsPage />);
  expect(await screen.findByText('10 of 40')).toBeTruthy();
  expect(screen.getByText('Finished')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Stop “Send the form” of Meena' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(server.sent.map(({ path }) => path)).toContain('/api/run/7/stop'));
});
