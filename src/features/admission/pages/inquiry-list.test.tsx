import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { InquiryListPage } from './InquiryListPage.tsx';

const row = {
  id: 7,
  child: 'Dev Shah',
  inquiryNo: 'INQ/2026-27/00007',
  grade: 'Grade 1',
  academicYear: '2027-28',
  branch: '',
  age: '',
  parent: 'Asha Shah',
  mobile: '9876543210',
  leadSource: '',
  quota: '',
  state: 'New',
  progress: 0,
  nextFollowUpOn: '2026-11-20',
  assignedTo: 'Meena',
  endedReason: '',
  createdOn: '2026-11-01',
  isOverdue: true,
};

const openTab = async (address: string, sets: string[]) => {
  fakeServer({
    'GET /api/sign-in/me': { role: 'Staff', sets },
    'GET /api/admission/seat/year': { id: 1 },
    'GET /api/inquiry': { rows: [row], total: 1, isMore: false, next: null, previous: null },
    'GET /api/inquiry/count': { open: { total: 1, isMore: false } },
    'GET /api/inquiry/view': [],
    'GET /api/admission/inquiry/lost-reason': [],
  });
  renderPage(<InquiryListPage />, address);
  await screen.findByText('Dev Shah');
};

test('an overdue row logs its call with one press', async () => {
  await openTab('/page?tab=overdue', ['office']);
  fireEvent.click(await screen.findByRole('button', { name: 'Log follow-up: Dev Shah' }));
  expect(await screen.findByRole('dialog', { name: 'Log follow-up' })).toBeTruthy();
});

test.each([
  ['another tab', '/page', ['office']],
  ['a user who only reads', '/page?tab=overdue', ['principal']],
])('the button is not in the rows of %s', async (_whom, address, sets) => {
  await openTab(address, sets);
  expect(screen.queryByRole('button', { name: /^Log follow-up/ })).toBeNull();
});
