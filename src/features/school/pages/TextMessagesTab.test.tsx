import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { TextMessagesTab } from './TextMessagesTab.tsx';

const row = {
  kind: 'admission.link',
  id: null,
  when: { id: 'When a family gets the link to the admission form.' },
  ourText: 'Dear parent, fill in the form for {#var#}: {#url#}',
  registeredText: '',
  templateId: '',
  status: 'Not registered',
  differsAt: '',
  rowVersion: null,
};
const different = {
  ...row,
  kind: 'sign-in-code',
  id: 4,
  when: { id: 'When someone requests a sign-in code.' },
  registeredText: '{#var#} is a code.',
  templateId: '1107160000000012345',
  status: 'Differs',
  differsAt: 'your code to sign in to Shala, the school system of Teak Tree School.',
  rowVersion: 2,
};

test('each kind of text message shows whether it agrees, and what happens if not', async () => {
  fakeServer({ 'GET /api/academic/text-message': { rows: [row, different, { ...row, kind: 'x', status: 'Agrees' }] } });
  renderPage(<TextMessagesTab />);
  const table = await screen.findByRole('table', { name: 'Text messages' });
  const states = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((line) => line.querySelectorAll('td, th')[2]?.textContent);
  expect(states).toEqual([
    'Not registered',
    'Differs at: “your code to sign in to Shala, the schoo…”. Not sent until the texts agree.',
    'Agrees',
  ]);
});

test('our text is copied for the registration, and what was registered is saved', async () => {
  const { sent } = fakeServer({
    'GET /api/academic/text-message': { rows: [row] },
    'PUT /api/academic/text-message/admission.link': { rowVersion: 1 },
  });
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  renderPage(<TextMessagesTab />);
  fireEvent.click(await screen.findByRole('button', { name: 'When a family gets the link to the admission form.' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit text message' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Copy text' }));
  expect(writeText).toHaveBeenCalledWith(row.ourText);
  fireEvent.change(dialog.getByLabelText(/^Registered text/), { target: { value: row.ourText } });
  fireEvent.change(dialog.getByLabelText(/^Template ID/), { target: { value: '1107160000000012345' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  const saves = () => sent.filter(({ method }) => method === 'PUT').map(({ fields }) => fields);
  await waitFor(() =>
    expect(saves()).toEqual([
      { registeredText: row.ourText, language: 'en', templateId: '1107160000000012345', rowVersion: null },
    ]),
  );
});
