import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { CardAnswer } from '#kit/contract/served-card.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { staffReportApi } from '../contract/staff.ts';
import { Report } from './Report.tsx';

afterEach(() => vi.restoreAllMocks());

const says = (words: string): CardAnswer => ({
  asOf: '',
  facts: [{ label: text`Name`, value: verbatim(words) }],
  table: null,
  to: '',
  empty: text`Today`,
});
const answer = {
  periods: [
    { key: 'year', label: text`This year`, from: '2026-06-01', to: '2027-05-31' },
    { key: 'month', label: text`This month`, from: '2026-11-01', to: '2026-11-30' },
  ],
  cards: [
    { key: 'post', title: text`Post` },
    { key: 'notes', title: text`Notes`, isRestricted: true },
  ],
  kinds: [
    { kind: 'post', title: text`Post` },
    { kind: 'teaching', title: text`Sections` },
  ],
} satisfies Omit<OutputOf<typeof staffReportApi.read>, 'head'>;
const event = {
  kind: 'post',
  id: 4,
  what: text`Began as ${{ designation: 'Teacher' }}`,
  detail: '',
  enteredOn: '',
  to: '',
};
const answers: Answers = {
  'GET /api/me': { userID: 3, role: 'Staff', sets: ['hr'] },
  'GET /api/report/staff/7/card/post': says('Teacher'),
  'GET /api/report/staff/7/timeline': { events: [{ ...event, day: '2026-08-03' }], next: '2026-08-03 post 4' },
  'POST /api/report/staff/7/card/notes': says('On leave until May'),
};
const open = () =>
  renderPage(
    <Report api={staffReportApi} kind="staff" id={7} name="Ravi Solanki" answer={answer} onRecord={() => undefined} />,
    '/school-erp/report/staff-report/7',
  );

test('D1.8 cards and timeline are read for the days of the address, which a press or two typed days change', async () => {
  const { sent } = fakeServer(answers);
  const router = open();
  expect(await screen.findByText('Teacher')).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'This month' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ from: '2026-11-01', to: '2026-11-30' }));
  // The address of the first days is a part of each other one.
  const current = () => screen.getAllByRole('link', { current: 'page' }).map(({ textContent }) => textContent);
  await waitFor(() => expect(current()).toEqual(['This month']));
  const lastOf = (path: string) => sent.filter((one) => one.path === path).at(-1)?.query;
  await waitFor(() =>
    expect(lastOf('/api/report/staff/7/card/post')).toMatchObject({ from: '2026-11-01', to: '2026-11-30' }),
  );
  const from = screen.getByRole('textbox', { name: 'From' });
  fireEvent.change(from, { target: { value: '15-11-2026' } });
  fireEvent.blur(from);
  await waitFor(() => expect(router.state.location.search).toEqual({ from: '2026-11-15', to: '2026-11-30' }));
});

test('D1.7 a restricted card is closed, and is read with a reason alone', async () => {
  const { sent } = fakeServer(answers);
  open();
  const card = await screen.findByRole('region', { name: 'Notes' });
  expect(within(card).getByText(/^Opened with a reason/)).toBeTruthy();
  expect(sent.filter(({ path }) => path.includes('notes'))).toEqual([]);
  fireEvent.click(within(card).getByRole('button', { name: 'Open Notes' }));
  fireEvent.change(await screen.findByRole('textbox', { name: 'Reason' }), { target: { value: 'Meeting of today' } });
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(await within(card).findByText('On leave until May')).toBeTruthy();
  expect(sent.find(({ method, path }) => method === 'POST' && path.endsWith('/card/notes'))?.fields).toMatchObject({
    reason: 'Meeting of today',
  });
  fireEvent.click(within(card).getByRole('button', { name: 'Hide' }));
  expect(within(card).queryByText('On leave until May')).toBeNull();
});

test('D1.6 the timeline shows one kind on request, and turns to older events', async () => {
  const { sent } = fakeServer(answers);
  open();
  expect(await screen.findByText('Began as Teacher')).toBeTruthy();
  const asked = () => sent.filter(({ path }) => path.endsWith('/timeline')).at(-1)?.query;
  fireEvent.click(screen.getByRole('button', { name: 'Older' }));
  await waitFor(() => expect(asked()).toMatchObject({ before: '2026-08-03 post 4' }));
  fireEvent.click(
    within(screen.getByRole('group', { name: 'Kinds of events' })).getByRole('button', { name: 'Sections' }),
  );
  await waitFor(() => expect(asked()).toMatchObject({ kind: 'teaching', before: '' }));
});

test('a phone reads the first cards alone, and the others with the timeline on request', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query === '(max-width: 767px)',
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as never,
  );
  const { sent } = fakeServer({ ...answers, 'GET /api/report/staff/7/card/papers': says('Passport') });
  const later = {
    ...answer,
    cards: [
      { key: 'post', title: text`Post` },
      { key: 'papers', title: text`Days`, isLater: true },
    ],
  };
  renderPage(
    <Report api={staffReportApi} kind="staff" id={7} name="Ravi Solanki" answer={later} onRecord={() => undefined} />,
    '/school-erp/report/staff-report/7',
  );
  expect(await screen.findByText('Teacher')).toBeTruthy();
  const reads = () => sent.map(({ path }) => path.split('/').at(-1));
  expect(reads()).not.toContain('papers');
  expect(reads()).not.toContain('timeline');
  expect(screen.getByText('More:').parentElement?.textContent).toContain('Days · Timeline');
  fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  expect(await screen.findByText('Passport')).toBeTruthy();
  expect(await screen.findByText('Began as Teacher')).toBeTruthy();
});
