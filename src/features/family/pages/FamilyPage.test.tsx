import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderFamily } from '#testing/render-family.tsx';
import type { FamilyPageData } from '../contract/family.ts';
import { listenForInstall } from '../ui/install.ts';
import type { FamilyPartView } from '../ui/part.ts';
import { FamilyPage } from './FamilyPage.tsx';

const page: FamilyPageData = {
  guardian: 'Meera Shah',
  day: '2026-11-26',
  at: '2026-11-26T09:14:00+05:30',
  language: '',
  until: '2027-05-24',
  proof: { isProven: false, way: 'SMS', to: '43' },
  children: [
    { id: 7, name: 'Aarav', section: '5, B', reach: 'All' },
    { id: 9, name: 'Diya', section: '2, A', reach: 'All' },
  ],
  parts: { notice: [{ title: '<script>alert(1)</script>' }] },
};
const Top = ({ value }: { value: readonly { title: string }[] }) => <p>{value[0]?.title}</p>;
const AskWords = () => 'Ask for leave';
const NoAnswer = () => <p>No answer</p>;
const noParts: readonly FamilyPartView<never>[] = [];
const serve = (over: object = {}) =>
  fakeServer({
    'GET /api/family': { ...page, ...over },
    'POST /api/family/opened': {},
    'POST /api/family/renewal': { message: '' },
  });

beforeEach(() => window.history.replaceState(null, '', `/family?family=${'ab'.repeat(16)}`));

test('an opening is counted once the page is drawn, with the link in the query alone', async () => {
  const server = serve();
  renderFamily(<FamilyPage parts={noParts} />);
  await screen.findByText('Aarav, 5, B');
  await expect
    .poll(() => server.sent.map(({ method, path }) => `${method} ${path}`))
    .toEqual(['GET /api/family', 'POST /api/family/opened']);
  expect(server.sent.map(({ query }) => query.family)).toEqual(Array(2).fill('ab'.repeat(16)));
});

test('the children are links, and a feature’s part is drawn where it has an answer', async () => {
  serve();
  const parts = [
    { key: 'notice', place: 1, Top },
    { key: 'homework', place: 2, Top: NoAnswer },
  ] as readonly FamilyPartView<never>[];
  renderFamily(<FamilyPage parts={parts} />);
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
  renderFamily(<FamilyPage parts={noParts} />);
  (await screen.findByRole('button', { name: 'Send a new link' })).click();
  expect(await screen.findByText(/^If this link was yours/)).toBeTruthy();
  expect(server.sent.at(-1)?.fields).toEqual({ value: 'ab'.repeat(16) });
});

test('a phone of two guardians asks whose page it opens', async () => {
  window.history.replaceState(null, '', '/family');
  const server = serve();
  server.answers['GET /api/family'] = refusal('not_found', 'Not found.');
  server.answers['GET /api/family/phone'] = [
    { id: 17, name: 'Meera Shah' },
    { id: 18, name: 'Ravi Shah' },
  ];
  renderFamily(<FamilyPage parts={noParts} />);
  expect((await screen.findByRole('link', { name: 'Ravi Shah' })).getAttribute('href')).toBe('?family=of-18');
});

test('a phone without a link asks for the own number, and says the same of every number', async () => {
  window.history.replaceState(null, '', '/family');
  const server = serve();
  server.answers['GET /api/family'] = refusal('not_found', 'Not found.');
  server.answers['GET /api/family/phone'] = [];
  server.answers['POST /api/family/by-number'] = { message: '' };
  renderFamily(<FamilyPage parts={noParts} />);
  fireEvent.input(await screen.findByLabelText('Your mobile number'), { target: { value: '98250 00001' } });
  screen.getByRole('button', { name: 'Send me my link' }).click();
  expect(await screen.findByText(/^If the school has this mobile number/)).toBeTruthy();
  expect(server.sent.at(-1)?.fields).toEqual({ mobile: '98250 00001' });
});

test('a proven phone signs itself out, or the other phones', async () => {
  const server = serve({ proof: { ...page.proof, isProven: true } });
  server.answers['POST /api/family/sign-out'] = {};
  server.answers['GET /api/family/reader'] = [
    { id: 4, child: 'Diya', relation: 'Father', reach: 'School matters', getsMessages: true },
  ];
  renderFamily(<FamilyPage parts={noParts} />);
  expect((await screen.findByRole('listitem')).textContent).toBe(
    'Diya · Father · school matters, no fees and no bus · messages',
  );
  (await screen.findByRole('button', { name: 'Sign out on my other phones' })).click();
  expect(await screen.findByText('Your other phones are signed out.')).toBeTruthy();
  expect(server.sent.at(-1)?.fields).toEqual({ others: true });
});

test('an adult who sees school matters of all children finds nothing to ask for', async () => {
  const children = page.children.map((child) => ({ ...child, reach: 'School matters' }));
  const More = { Words: AskWords, load: () => Promise.reject(new Error()) };
  const parts = [{ key: 'notice', place: 1, More }] as readonly FamilyPartView<never>[];
  serve({ children });
  renderFamily(<FamilyPage parts={parts} />);
  await screen.findByText('Aarav, 5, B');
  expect(screen.queryByRole('button', { name: 'Ask for leave' })).toBeNull();
  cleanup();
  serve();
  renderFamily(<FamilyPage parts={parts} />);
  expect(await screen.findByRole('button', { name: 'Ask for leave' })).toBeTruthy();
});

test('without a connection the page says so', async () => {
  const server = serve();
  server.answers['GET /api/family'] = undefined;
  renderFamily(<FamilyPage parts={noParts} />);
  expect((await screen.findByRole('alert')).textContent).toMatch(/can’t be reached|No connection/);
});

test('a proven phone that can is offered the home screen, once', async () => {
  serve({ proof: { ...page.proof, isProven: true } });
  listenForInstall();
  renderFamily(<FamilyPage parts={noParts} />);
  await screen.findByRole('button', { name: 'Sign out on my other phones' });
  expect(screen.queryByRole('button', { name: 'Put it on my home screen' })).toBeNull();
  let asked = 0;
  const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => asked++ });
  fireEvent(window, offer);
  expect(offer.defaultPrevented).toBe(true);
  (await screen.findByRole('button', { name: 'Put it on my home screen' })).click();
  await expect.poll(() => screen.queryByRole('button', { name: 'Put it on my home screen' })).toBeNull();
  expect(asked).toBe(1);
});
