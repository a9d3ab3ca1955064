import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { staleMessage } from '#kit/contract/errors.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { InquiryRecord } from '../contract/inquiry.ts';
import { inquiryFields } from '../contract/record.ts';
import { EditInquiry } from './EditInquiry.tsx';

const values: InquiryRecord['values'] = {
  ...(emptyValuesOf(inquiryFields) as InquiryRecord['values']),
  fatherMobile: '9876543210',
  firstName: 'Aarohi',
  lastName: 'Mehta',
  gender: 'Female',
  birthDate: '2020-05-04',
  academicYearId: 1,
  branchId: 1,
  programId: 2,
  gradeId: 3,
  fatherFirstName: 'Nilesh',
  fatherLastName: 'Mehta',
  leadSourceId: 1,
  quota: 'General',
};
const record = {
  id: 7,
  version: 5,
  values,
  academicYear: '2026-27',
  branch: 'Main campus',
  program: 'Primary',
  grade: 'Grade 1',
  leadSource: 'Walk-in',
  assignedTo: '',
} as InquiryRecord;

const options = (...names: string[]) => names.map((name, place) => ({ id: place + 1, name, isActive: true }));
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

function open(answers: Answers) {
  const server = fakeServer({
    'GET /api/inquiry/check': { similar: [], students: [], parents: null, worksHere: false, age: null },
    [`GET /api${inquiryFields.leadSourceId.to.options.path}`]: options('Walk-in'),
    [`GET /api${inquiryFields.academicYearId.to.options.path}`]: options('2026-27'),
    [`GET /api${inquiryFields.branchId.to.options.path}`]: options('Main campus'),
    [`GET /api${inquiryFields.programId.to.options.path}`]: options('Nursery', 'Primary'),
    [`GET /api${inquiryFields.gradeId.to.options.path}`]: options('Junior', 'Senior', 'Grade 1', 'Grade 2'),
    [`GET /api${inquiryFields.assignedToId.to.options.path}`]: options('Meena'),
    ...answers,
  });
  renderPage(<EditInquiry record={record} child="Aarohi" onClose={() => undefined} />);
  return server;
}

test('a clerk who saves an inquiry second chooses between both versions, and nothing typed is lost', async () => {
  const saved = {
    ...record,
    version: 6,
    values: { ...values, gradeId: 4, remark: 'Called on Monday' },
  };
  const data = { version: 6, saved: saved.values, names: { gradeId: 'Grade 2' } };
  const server = open({
    'GET /api/inquiry/7/record': saved,
    'PUT /api/inquiry/:id': refusal('stale', staleMessage, { data }),
  });
  fireEvent.change(await screen.findByLabelText(/^Remark/), { target: { value: 'Wants a visit' } });
  press('Save');
  const versions = await screen.findByRole('table');
  expect(within(versions).getByRole('row', { name: 'Remark Called on Monday Wants a visit' })).toBeTruthy();
  expect(within(versions).getByRole('row', { name: 'Grade Grade 2 As chosen below' })).toBeTruthy();

  expect(document.activeElement).toBe(versions.closest('[role=alert]'));

  server.answers['PUT /api/inquiry/:id'] = { id: 7, version: 7 };
  press('Keep my version');
  expect(document.activeElement).toBe(screen.getByLabelText(/^Father’s mobile/));
  press('Save');
  expect(await screen.findByText('Saved.')).toBeTruthy();
  expect(server.sent.findLast(({ method }) => method === 'PUT')?.fields).toMatchObject({
    version: 6,
    gradeId: '3',
    remark: 'Wants a visit',
  });
});

test('an age outside the grade’s stands below the grade, and once it is refused only at the reason', async () => {
  const words = { id: '4 years 2 months on 1 Jun 2026. Grade 1 takes children from 6 years.' };
  open({
    'GET /api/inquiry/check': {
      similar: [],
      students: [],
      parents: null,
      worksHere: false,
      age: { words, isOutside: true },
    },
    'PUT /api/inquiry/:id': refusal('invalid', 'There is a problem', { fields: { ageReason: words } }),
  });
  expect((await screen.findByText(words.id)).getAttribute('role')).toBe('status');
  press('Save');
  const reason = screen.getByLabelText(/^Reason for this age/);
  await waitFor(() => expect(reason.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.queryByText(words.id, { selector: '[role=status]' })).toBeNull();
});
