import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { Application } from './ProcessRecordPage.tsx';
import { WaitingInOtherYears } from './WaitingInOtherYears.tsx';

const signedIn = (...sets: string[]) => ({ 'GET /api/sign-in/me': { role: 'Staff', sets } });
const seat = {
  ...{ id: 3, academicYearId: 2, grade: 'Grade 1', quota: 'General', total: 60, reserved: 4, free: 3, waiting: 4 },
  ...{ interaction: 'Interaction', admissionFee: 1_500_000, offerDays: 7 },
};
const recordOf = (over: object) => ({
  ...{
    id: 7,
    version: 1,
    inquiryNo: 'INQ/2027-28/00007',
    child: 'Aarav Shah',
    state: 'Verified',
    next: 'plan',
    due: 0,
  },
  ...{ grade: 'Grade 1', program: 'CBSE', academicYear: '2027-28', branch: 'Surat', quota: 'General', age: null },
  ...{ receivedOn: '2026-11-17', verifiedOn: '2026-11-20', papers: { all: 5, verified: 5, missing: [] }, notes: [] },
  ...{ family: [{ relation: 'Father', name: 'Nirav Shah', mobile: '5550001121' }], sibling: '', seat, hasSeat: false },
  ...{ otherSeats: [], rank: null, offerExpiresOn: '', interactionWaivedReason: '', endedReason: '', interactions: [] },
  ...{ decisions: [], payments: [], waiver: null, student: null, may: { plan: true, decide: true } },
  ...over,
});
const interactionOf = (over: object) => ({
  ...{ id: 1, kind: 'Interaction', startsAt: '2026-02-12T04:30:00Z', endsAt: '2026-02-12T05:00:00Z', place: 'Library' },
  ...{ status: 'Planned', assessors: ['Asha', 'Ravi'], outcomes: [], hidden: 0, may: {}, own: null },
  ...over,
});

async function renderApplication(over: object, ...sets: string[]) {
  fakeServer(signedIn(...sets));
  renderPage(<Application record={recordOf(over) as never} />);
  await screen.findByRole('list', { name: 'Stages' });
}

const filled = () =>
  screen
    .getAllByRole('button')
    .filter(({ className }) => /main/.test(className))
    .map(({ textContent }) => textContent?.trim());

test.each([
  ['plan', {}, ['Plan interaction…']],
  ['meet', { state: 'Interaction planned', interactions: [interactionOf({})] }, []],
  [
    'result',
    { state: 'Interaction planned', interactions: [interactionOf({ may: { attend: true, write: true } })] },
    ['Enter result…'],
  ],
  ['attend', { state: 'Interaction planned', interactions: [interactionOf({ may: { attend: true } })] }, ['Attended']],
  ['decide', { state: 'Interaction done' }, ['Offer…']],
  ['waitlist', { state: 'Interaction done', seat: { ...seat, free: 0 } }, ['Put on the waiting list…']],
])('one act alone is next, and before its result the interaction, not the offer: %s', async (next, over, acts) => {
  await renderApplication({ next, ...over }, 'admissionHead');
  expect(filled()).toEqual(acts);
  expect(screen.getByRole('button', { name: 'More for Aarav Shah' })).toBeTruthy();
});

test('what else can be done is in the menu, by its keys too', async () => {
  await renderApplication({ next: 'decide', state: 'Interaction done' }, 'admissionHead');
  fireEvent.keyDown(document.body, { key: 'd' });
  expect(await screen.findByRole('dialog', { name: 'Decline' })).toBeTruthy();
});

test('the family is beside the story with its number, and papers that are missing are named', async () => {
  await renderApplication(
    { papers: { all: 4, verified: 4, missing: [{ name: 'Aadhar Card', dueOn: '' }] } },
    'admissionHead',
  );
  expect(screen.getByRole('link', { name: 'Call Nirav Shah' }).getAttribute('href')).toBe('tel:+915550001121');
  expect(screen.getByText('4 of 5 verified')).toBeTruthy();
  expect(screen.getByText('Aadhar Card')).toBeTruthy();
});

test.each([
  ['assessor', 0],
  ['accountant', 1],
])('the account of a confirmed seat is offered to those who may open it: %s', async (set, count) => {
  await renderApplication({ state: 'Seat confirmed', next: 'none', may: {} }, set);
  if (count > 0) await screen.findByRole('link', { name: 'Account' });
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryAllByRole('link', { name: 'Account' })).toHaveLength(count);
});

test('a result is read with its score, its recommendation and its note, and one that is not in is said', async () => {
  const outcomes = [{ by: 'Asha', recommendation: 'Recommended', score: 8, ofScore: 10, note: 'Speaks clearly' }];
  await renderApplication({ next: 'decide', interactions: [interactionOf({ status: 'Came', outcomes })] });
  const lines = (await screen.findByText('8 of 10')).closest('ul');
  expect([...(lines?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Asha 8 of 10 Recommended · Speaks clearly',
    'Ravi not in yet',
  ]);
});

test('a list says what waits in the years that it does not show, and leads there', async () => {
  const waiting = [
    { id: 1, name: '2026-27', toReview: 2, toDecide: 0 },
    { id: 2, name: '2027-28', toReview: 5, toDecide: 1 },
  ];
  fakeServer({ 'GET /api/admission/seat/year': { id: 2, waiting } });
  renderPage(<WaitingInOtherYears what="toReview" usual={{ academicYearId: '2' }} />);
  const link = await screen.findByRole('link', { name: '2 to review in 2026-27' });
  expect(link.getAttribute('href')).toMatch(/academicYearId=1/);
  expect(screen.queryByText(/2027-28/)).toBeNull();
});
