import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderFamily } from '#testing/render-family.tsx';
import { FamilyFeed } from './FamilyFeed.tsx';

const address = `https://school.example/api/family/calendar.ics?feed=${'ab'.repeat(16)}`;
const signs = [
  { id: 7, sign: 'A', child: 'Aarav' },
  { id: 9, sign: 'D', child: 'Diya' },
];

test('the address is shown once with a way into the calendar, and is turned off', async () => {
  let since = '';
  const server = fakeServer({
    'GET /api/family/feed': () => ({ since, signs }),
    'POST /api/family/feed': () => {
      since = '2026-12-03';
      return { address };
    },
    'DELETE /api/family/feed': () => {
      since = '';
      return {};
    },
  });
  const { unmount } = renderFamily(<FamilyFeed />);
  fireEvent.click(await screen.findByRole('button', { name: 'Make an address' }));
  expect(screen.getByText('A').parentElement?.parentElement?.textContent).toBe('A: Aarav · D: Diya');
  const field = (await screen.findByLabelText('Address of your calendar')) as HTMLInputElement;
  expect([field.value, field.readOnly]).toEqual([address, true]);
  expect(screen.getByRole('link', { name: 'Open it in my calendar' }).getAttribute('href')).toBe(
    address.replace('https:', 'webcal:'),
  );
  unmount();
  renderFamily(<FamilyFeed />);
  expect(await screen.findByText(/^On since 3 Dec 2026/)).toBeTruthy();
  expect(document.body.innerHTML).not.toContain('abab');
  fireEvent.click(screen.getByRole('button', { name: 'Turn it off' }));
  expect(await screen.findByRole('button', { name: 'Make an address' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Turn it off' })).toBeNull());
  expect(server.sent.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'GET', 'DELETE', 'GET']);
});
