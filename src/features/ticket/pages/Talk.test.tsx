import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '#testing/render-page.tsx';
import { Talk } from './Talk.tsx';

const said = (key: string, kind: string, body: string) => ({
  ...{ key, kind, body, by: 'Ravi Solanki', isOwn: false, at: '2026-11-22T13:48:00Z', to: '', files: [] },
});

test('only an internal note has the wash and the words of one', async () => {
  const talk = [said('1', 'Public', 'It is the one near the window.'), said('2', 'Internal', 'Ask the vendor first.')];
  const first = { description: 'Which lamp is it?', files: [], raisedBy: { name: 'Asha' }, raisedAt: talk[0]?.at };
  renderPage(<Talk record={{ id: 7, talk, isMine: false, ...first } as never} />);
  await screen.findByText('Ask the vendor first.');
  const marked = [...document.querySelectorAll('[data-internal]')].map(({ textContent }) => textContent);
  expect(marked).toEqual([expect.stringMatching(/internal note.*Ask the vendor first\.$/)]);
});
