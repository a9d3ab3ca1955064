import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { InteractionsCard } from './process/InteractionsCard.tsx';
import { NextAct } from './process/NextAct.tsx';
import { WaitingInOtherYears } from './WaitingInOtherYears.tsx';

const signedIn = (...sets: string[]) => ({ 'GET /api/sign-in/me': { role: 'Staff', sets } });
const recordOf = (over: object) => ({
  id: 7,
  version: 1,
  inquiryNo: 'INQ/2027-28/00007',
  child: 'Aarav Shah',
  state: 'Verified',
  next: 'plan',
  due: 0,
  may: { plan: true, decide: true },
  interactions: [],
  ...over,
});

test('the filled button plans the interaction while one is needed, and offers a seat after', async () => {
  fakeServer(signedIn('admissionHead'));
  renderPage(<NextAct record={recordOf({}) as never} />);
  const plan = (await screen.findByRole('button', { name: /^Plan interactions/ })).className;
  expect(screen.getByRole('button', { name: /^Offer…/ }).className).not.toBe(plan);
  renderPage(<NextAct record={recordOf({ next: 'decide', state: 'Interaction planned' }) as never} />);
  await expect.poll(() => screen.getAllByRole('button', { name: /^Offer…/ }).length).toBe(2);
  expect(screen.getAllByRole('button', { name: /^Plan interactions/ })).toHaveLength(1);
  expect(screen.getAllByRole('button', { name: /^Offer…/ }).at(1)?.className).toBe(plan);
});

test.each([
  ['assessor', 0],
  ['accountant', 1],
])('the account of a confirmed seat is offered to those who may open it: %s', async (set, count) => {
  fakeServer(signedIn(set));
  renderPage(
    <>
      <p>Record</p>
      <NextAct record={recordOf({ state: 'Seat confirmed', next: 'none', may: { release: false } }) as never} />
    </>,
  );
  await screen.findByText('Record');
  if (count > 0) await screen.findByRole('link', { name: 'Account' });
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryAllByRole('link', { name: 'Account' })).toHaveLength(count);
});

test('an outcome separates the recommendation, the score and the note', async () => {
  fakeServer({});
  const outcomes = [{ by: 'Asha', recommendation: 'Recommended', score: 8, ofScore: 10, note: 'Speaks clearly' }];
  const interaction = {
    ...{ id: 1, kind: 'Assessment', startsAt: '2027-02-12T04:30:00Z', place: 'Office', status: 'Came' },
    ...{ assessors: ['Asha'], outcomes, hidden: 0, may: {}, own: null },
  };
  renderPage(<InteractionsCard record={recordOf({ may: {}, interactions: [interaction] }) as never} />);
  expect((await screen.findByText(/^Asha: /)).textContent).toBe('Asha: Recommended · 8/10 · Speaks clearly');
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
