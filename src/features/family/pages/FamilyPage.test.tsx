import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { FamilyPageData } from '../contract/family.ts';
import type { FamilyPartView } from '../ui/part.ts';
import { FamilyPage } from './FamilyPage.tsx';
import { markOf, monthRows, shortDay } from './month.ts';

const marks = (...given: [day: string, kind: string, half?: number][]) =>
  given.map(([day, kind, half = 1]) => ({ day: `2026-11-${day}`, kind, half, symbol: '' }));
const page: FamilyPageData = {
  guardian: 'Meera Shah',
  day: '2026-11-26',
  at: '2026-11-26T09:14:00+05:30',
  until: '2027-05-24',
  children: [
    {
      id: 7,
      name: 'Aarav',
      section: '5, B',
      days: marks(['16', 'Absent'], ['20', 'Late'], ['25', 'Present'], ['26', 'Present'], ['27', '']),
      bus: {
        route: 'Route 7',
        ways: [{ trip: 'pickup', time: '07:12', stop: 'Honey Park', vehicle: 'GJ 05 BX 4417' }],
      },
      dues: {
        today: 902_000,
        rows: [{ label: 'Tuition, November', dueOn: '2026-11-10', isFine: false, amount: 902_000 }],
      },
    },
    {
      id: 9,
      name: 'Diya',
      section: '2, A',
      days: marks(['26', 'Leave']),
      bus: { route: 'Route 7', ways: [] },
      dues: null,
    },
  ],
  parts: { notice: [{ title: '<script>alert(1)</script>' }] },
};
const Top = ({ value }: { value: readonly { title: string }[] }) => <p>{value[0]?.title}</p>;
const NoAnswer = () => <p>No answer</p>;
const noParts: readonly FamilyPartView<never>[] = [];
const serve = (over: object = {}) =>
  fakeServer({
    'GET /api/family': { ...page, ...over },
    'POST /api/family/opened': {},
    'POST /api/family/renewal': { message: '' },
  });

beforeEach(() => window.history.replaceState(null, '', `/family?family=${'ab'.repeat(16)}`));

test('the page says of each child whether it is at school, and marks, fees and bus in words', async () => {
  serve();
  renderPage(<FamilyPage parts={noParts} />);
  expect(await screen.findByText('Aarav is at school')).toBeTruthy();
  expect(screen.getByText('Diya is on leave today')).toBeTruthy();
  const [month] = screen.getAllByRole('table');
  expect(within(month as HTMLElement).getByText('16').textContent ?? '').toContain('16');
  const cellOf = (day: string) =>
    within(month as HTMLElement)
      .getAllByRole('cell')
      .find(({ textContent }) => textContent?.startsWith(day))?.textContent;
  // No register of a later day is missing.
  expect([cellOf('27'), cellOf('26'), cellOf('28')]).toEqual(['27', '26 Present', '28 No school']);
  expect(screen.getByText('Mon 16')).toBeTruthy();
  expect(screen.getByText('Fri 20')).toBeTruthy();
  expect(screen.getByText(/07:12 Honey Park/)).toBeTruthy();
  expect(screen.getByText('Stop and time are shown to the adults who may collect the child.')).toBeTruthy();
  expect(screen.getAllByText('₹9,020.00').length).toBeGreaterThan(0);
  expect(screen.getByText(/It works until 24 May 2027/)).toBeTruthy();
});

test('an opening is counted once the page is drawn, with the link in the query alone', async () => {
  const server = serve();
  renderPage(<FamilyPage parts={noParts} />);
  await screen.findByText('Aarav is at school');
  await expect
    .poll(() => server.sent.map(({ method, path }) => `${method} ${path}`))
    .toEqual(['GET /api/family', 'POST /api/family/opened']);
  expect(server.sent.map(({ query }) => query.family)).toEqual(Array(2).fill('ab'.repeat(16)));
});

test('the children are links, and a feature’s part is drawn where it has an answer', async () => {
  serve();
  const parts = [
    { key: 'notice', Top },
    { key: 'homework', Top: NoAnswer },
  ] as readonly FamilyPartView<never>[];
  renderPage(<FamilyPage parts={parts} />);
  const children = within(await screen.findByRole('navigation', { name: 'Children' }));
  expect(children.getByRole('link', { current: true }).textContent).toBe('Aarav5, B');
  expect(children.getByRole('link', { name: /Diya/ }).getAttribute('href')).toBe('#child-2');
  expect(screen.getByText('<script>alert(1)</script>')).toBeTruthy();
  expect(document.querySelector('script')).toBeNull();
  expect(screen.queryByText('No answer')).toBeNull();
});

test('a link that opens nothing offers a new one, and the answer is the same for every value', async () => {
  const server = serve();
  server.answers['GET /api/family'] = refusal('not_found', 'Not found.');
  renderPage(<FamilyPage parts={noParts} />);
  (await screen.findByRole('button', { name: 'Send a new link' })).click();
  expect(await screen.findByText(/^If this link was yours/)).toBeTruthy();
  expect(server.sent.at(-1)?.fields).toEqual({ value: 'ab'.repeat(16) });
});

test('without a connection the page says so', async () => {
  const server = serve();
  server.answers['GET /api/family'] = undefined;
  renderPage(<FamilyPage parts={noParts} />);
  expect((await screen.findByRole('alert')).textContent).toMatch(/can’t be reached|No connection/);
});

test('a month is in weeks from Monday, and two halves make a half day', () => {
  expect(monthRows('2026-11-26')[0]).toEqual(['', '', '', '', '', '', '2026-11-01']);
  expect(monthRows('2026-11-26')).toHaveLength(6);
  expect(monthRows('2027-02-01')).toHaveLength(4);
  const day = (...kinds: string[]) => markOf(kinds.map((kind) => ({ kind })));
  expect([day(), day(''), day('On duty'), day('Present', 'Absent'), day('Absent', 'Absent'), day('Late', '')]).toEqual([
    'Open',
    'Open',
    'Present',
    'Half day',
    'Absent',
    'Late',
  ]);
  expect(shortDay('2026-11-16')).toBe('Mon 16');
});
