import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { AccountForm } from './account/AccountForm.tsx';

const plan = { reason: null, structure: 'Grade 4', dues: [], total: 7_394_000, suggested: [], conceded: 0 };
const accountOf = (over: object) => ({
  ...{
    id: 7,
    version: 1,
    inquiryNo: 'INQ/2027-28/00030',
    child: 'Ira Parmar',
    birthDate: '2017-06-17',
    gender: 'Girl',
  },
  ...{ state: 'Seat confirmed', academicYear: '2027-28', branch: 'Surat', program: 'CBSE', grade: 'Grade 4' },
  ...{ quota: 'General', firstDay: '2027-06-01', lastDay: '2028-03-31', joinsOn: '2027-06-01', student: null },
  ...{ adults: [], isDivorced: false, returning: null, siblings: [], houses: [], nextGrNo: '2008', udiseUid: '' },
  ...{
    sections: [{ id: 3, name: 'A', free: 4 }],
    documents: [{ name: 'Aadhar Card', status: 'Verified' }],
    schools: [],
  },
  ...{ hasHealth: true, hasAadhaar: true, wantsTransport: true, payment: null, plan, missing: [], blocks: [] },
  ...{ may: { create: true } },
  ...over,
});

const open = async (over: object, sets = ['office']) => {
  const account = accountOf(over);
  const server = fakeServer({
    'GET /api/sign-in/me': { role: 'Staff', sets },
    'GET /api/admission-account/7/record': account,
    'POST /api/admission-account/7': { confirmToken: 'token', makes: [], missing: [], student: null },
  });
  renderPage(<AccountForm account={account as never} />);
  await screen.findByRole('list', { name: 'Account of Ira Parmar' });
  return server;
};
const line = (topic: string) => screen.getByRole('heading', { name: topic }).closest('li') as HTMLElement;

test('six lines say what the account is made of, and fields come after Change', async () => {
  await open({});
  const topics = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(topics).toEqual(['Child', 'Class', 'Family', 'Documents', 'Fee plan', 'Bus']);
  expect(screen.queryByRole('combobox')).toBeNull();
  fireEvent.click(within(line('Class')).getByRole('button', { name: 'Change: Class' }));
  fireEvent.change(screen.getByRole('combobox', { name: /^Section/ }), { target: { value: '3' } });
  expect(within(line('Class')).getByText(/^Grade 4, section A/)).toBeTruthy();
});

test('who may open Transport is led to the riders, where the child’s seat is assigned', async () => {
  await open({}, ['principal']);
  expect(within(line('Bus')).getByText(/assigns the stop and the seat/)).toBeTruthy();
  const riders = await within(line('Bus')).findByRole('link', { name: 'Riders' });
  expect(riders.getAttribute('href')).toBe('/school-erp/transport?tab=rider');
});

test('the child’s line shows what the office typed once its fields are hidden', async () => {
  await open({});
  fireEvent.click(within(line('Child')).getByRole('button', { name: 'Change: Child' }));
  fireEvent.change(screen.getByRole('textbox', { name: /^Middle name/ }), { target: { value: 'Sunil' } });
  fireEvent.change(screen.getByRole('textbox', { name: /^PEN/ }), { target: { value: '24012345678' } });
  fireEvent.click(within(line('Child')).getByRole('button', { name: 'Hide: Child' }));
  expect(screen.queryByRole('textbox', { name: /^PEN/ })).toBeNull();
  expect(within(line('Child')).getByText(/^Middle name: Sunil · PEN: 24012345678/)).toBeTruthy();
});

test('prices that are not published are a sentence in the line of the fee plan, and Ctrl Enter goes on without a plan', async () => {
  const reason = { id: 'Prices of 2027-28 are not published.', values: {} };
  const server = await open({ plan: { ...plan, reason } });
  expect(within(line('Fee plan')).getByText(/created without a fee plan/)).toBeTruthy();
  expect(within(line('Fee plan')).getByText('Needs attention')).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
  fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  await expect
    .poll(() => server.sent.find(({ method }) => method === 'POST')?.fields)
    .toMatchObject({ withoutPlan: true });
});

test('an adult whom the school may know is amber until it is chosen who it is', async () => {
  const known = { id: 4, name: 'Sunil Parmar', relation: 'Father', children: ['Yash Parmar'], others: 0 };
  const father = { part: 'father', name: 'Sunil Parmar', relation: 'Father', mobile: '5550010084', isFirst: true };
  await open({ adults: [{ ...father, known: null, likely: [known] }] });
  expect(within(line('Family')).getByText('Needs attention')).toBeTruthy();
  fireEvent.change(within(line('Family')).getByRole('combobox'), { target: { value: '4' } });
  expect(within(line('Family')).getByText('Done')).toBeTruthy();
});
