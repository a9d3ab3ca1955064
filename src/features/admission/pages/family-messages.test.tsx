import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { FamilyMessages } from './FamilyMessages.tsx';

const message = {
  id: 3,
  at: '2026-11-20T06:30:00.000Z',
  about: 'Mother',
  words: 'Mother’s number is 9825098250.',
  isRead: false,
  reply: '',
  repliedAt: null,
  repliedBy: '',
};
const open = (mayReply: boolean) => {
  const server = fakeServer({ 'POST /api/review/7/message/3/reply': {}, 'POST /api/review/7/message/3/read': {} });
  renderPage(<FamilyMessages record={{ id: 7, messages: [message] }} mayReply={mayReply} />);
  return server;
};

test('what a family wrote can be answered or marked as read', async () => {
  const { sent } = open(true);
  expect(await screen.findByText('Mother’s number is 9825098250.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Mark as read: Mother' }));
  await waitFor(() => expect(sent.some(({ path }) => path === '/api/review/7/message/3/read')).toBe(true));
  fireEvent.click(screen.getByRole('button', { name: 'Reply to the message about Mother' }));
  fireEvent.change(await screen.findByRole('textbox', { name: 'Reply' }), { target: { value: 'Corrected.' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() =>
    expect(sent.find(({ path }) => path === '/api/review/7/message/3/reply')?.fields).toMatchObject({
      words: 'Corrected.',
    }),
  );
});

test('a reader of inquiries without the right to reply sees the message of a family without buttons', async () => {
  open(false);
  expect(await screen.findByText('Mother’s number is 9825098250.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /message about Mother|Mark as read/ })).toBeNull();
});
