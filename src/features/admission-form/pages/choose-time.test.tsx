import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refusal } from '#testing/fake-server.ts';
import { openForm, submittedInquiry } from '#testing/form-page.tsx';
import { inquiryApi } from '../contract/inquiry.ts';
import { newsApi } from '../contract/news.ts';
import { timeApi } from '../contract/time.ts';

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} /api${path}`;
const slots = [
  { id: 1, startsAt: '2026-12-04T04:30:00Z', endsAt: '2026-12-04T04:50:00Z', place: 'Library' },
  { id: 2, startsAt: '2026-12-04T04:50:00Z', endsAt: '2026-12-04T05:10:00Z', place: 'Library' },
  { id: 3, startsAt: '2026-12-05T04:30:00Z', endsAt: '2026-12-05T04:50:00Z', place: 'Library' },
];
const [, second] = slots;
const { id: _, ...booked } = second as (typeof slots)[number];
const news = { meetings: [] as unknown[], letter: null, replyBy: '', due: 0 };
const choice = { until: '2026-12-03T12:30:00Z', isChosen: false };
const radios = () => screen.getAllByRole('radio').map(({ parentElement }) => parentElement?.textContent);

test('a family takes a free time by day; the one that was taken is refused and gone; the status and the place are shown', async () => {
  let free = slots;
  let isChosen = false;
  const status = () => (isChosen ? 'Meeting planned' : 'Checked');
  await openForm('/admission', {
    answers: {
      [nameOf(inquiryApi.inquiry)]: () => submittedInquiry.map((row) => ({ ...row, status: status() })),
      [nameOf(newsApi.read)]: () => ({
        ...news,
        meetings: isChosen ? [booked] : [],
        choice: { ...choice, isChosen },
      }),
      [nameOf(timeApi.times)]: () => free,
      [nameOf(timeApi.choose)]: (asked: unknown) => {
        if (JSON.stringify(asked).includes('"slotId":1')) {
          free = slots.slice(1);
          return refusal('conflict', 'This time is no longer free. Free on 4 Dec 2026: 10:20');
        }
        isChosen = true;
        return booked;
      },
    },
  });
  expect(await screen.findByRole('group', { name: '4 Dec 2026' })).toBeTruthy();
  expect(screen.getByRole('group', { name: '5 Dec 2026' })).toBeTruthy();
  expect(screen.getByText(/until 3 Dec 2026, 18:00/)).toBeTruthy();
  const [first] = screen.getAllByRole('radio');
  fireEvent.click(first as HTMLElement);
  fireEvent.click(screen.getByRole('button', { name: 'Book this time' }));
  expect(await screen.findByText(/Free on 4 Dec 2026: 10:20/)).toBeTruthy();
  await waitFor(() => expect(radios()).toEqual(['10:20', '10:00']));
  const [free1] = screen.getAllByRole('radio');
  fireEvent.click(free1 as HTMLElement);
  fireEvent.click(screen.getByRole('button', { name: 'Book this time' }));
  expect(await screen.findByText('Your time is booked.')).toBeTruthy();
  expect((await screen.findByText(/Meeting on/)).textContent).toBe('Meeting on 4 Dec 2026, 10:20: Library');
  expect(await screen.findByText('Meeting planned')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Choose another time' })).toBeTruthy();
  expect(screen.queryByRole('radio')).toBeNull();
});

test('times that can’t be read are asked for again; without a free one the school’s number is there', async () => {
  let isDown = true;
  await openForm('/admission', {
    answers: {
      [nameOf(inquiryApi.inquiry)]: submittedInquiry,
      [nameOf(newsApi.read)]: { ...news, choice },
      [nameOf(timeApi.times)]: () => (isDown ? refusal('too_many_tries', 'Too many attempts. Try again later.') : []),
    },
  });
  expect(await screen.findByText('Too many attempts. Try again later.')).toBeTruthy();
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Show the times' }));
  expect(await screen.findByText(/All times are taken. Call the school:/)).toBeTruthy();
});
