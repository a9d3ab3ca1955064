import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { ReviewRecord } from '../contract/review.ts';
import { ReviewOf } from './ReviewPage.tsx';

const record: ReviewRecord = {
  id: 7,
  version: 4,
  answersVersion: 5,
  may: { review: false, decide: false, reject: false, reopen: false },
  inquiryNo: 'INQ/2026-27/00007',
  child: 'Diya Rathod',
  grade: 'Grade 1',
  academicYear: '2026-27',
  age: null,
  contact: null,
  state: 'Under review',
  endedReason: '',
  submittedAt: '2026-11-20T06:30:00.000Z',
  waitingDays: 5,
  reviewer: null,
  sections: [],
  documents: [],
  missing: [],
  waivers: [],
  absences: [],
  staffParent: null,
  notes: [],
  messages: [],
  corrections: [],
  similar: [],
  nextStep: null,
  next: null,
};

test('a principal downloads the answers as a PDF', async () => {
  const answers: Answers = {
    'GET /api/sign-in/me': { sets: ['principal'], role: 'Staff' },
    'GET /api/review/7/record': record,
    'GET /api/review/7/answers': {
      child: null,
      family: null,
      health: null,
      contacts: null,
      languages: null,
      schools: [],
      careers: [],
      detailsNotApplicable: [],
      changed: [],
    },
    'GET /api/inquiry/7/history': { rows: [], next: null },
    'GET /api/review/7/print': new Response('%PDF'),
  };
  const server = fakeServer(answers);
  renderPage(<ReviewOf id="7" />);
  fireEvent.click(await screen.findByRole('button', { name: 'PDF of the answers' }));
  await waitFor(() => expect(server.sent.map(({ path }) => path)).toContain('/api/review/7/print'));
});
