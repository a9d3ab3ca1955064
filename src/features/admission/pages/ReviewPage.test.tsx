import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { basicInfoAnswers } from '#database/seed/answers.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { ReviewRecord } from '../contract/review.ts';
import { ReviewOf } from './ReviewPage.tsx';

const recordOf = (over: Partial<ReviewRecord> = {}): ReviewRecord => ({
  id: 7,
  version: 4,
  answersVersion: 5,
  may: { review: true, decide: true, reject: false, reopen: false },
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
  reviewer: { id: 3, name: 'Meena Chauhan' },
  sections: (['Child', 'Family', 'Health', 'Contacts', 'Languages', 'Documents'] as const).map((section) => ({
    section,
    result: null,
    decidedBy: '',
    remarks: [],
  })),
  documents: [
    {
      id: 51,
      name: 'Birth Certificate',
      description: '',
      mediaType: 'image/jpeg',
      isNew: false,
      result: null,
      isOriginalSeen: false,
      remark: '',
      decidedBy: '',
    },
  ],
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
  ...over,
});

const answersOf = (over: object = {}) => ({
  child: { ...basicInfoAnswers, aadharCardNo: 'XXXX XXXX 1234', admissionStudentImagePath: null },
  family: null,
  health: null,
  contacts: null,
  languages: null,
  schools: [],
  careers: [],
  detailsNotApplicable: [],
  locked: [],
  changed: [],
  ...over,
});

const open = (record: Partial<ReviewRecord> = {}, answers: Answers = {}) => {
  const server = fakeServer({
    'GET /api/review/7/record': recordOf(record),
    'GET /api/review/7/answers': answersOf(),
    'GET /api/inquiry/7/history': { rows: [], next: null },
    ...answers,
  });
  renderPage(<ReviewOf id="7" />);
  return server;
};
const acts = (server: ReturnType<typeof open>) =>
  server.sent.filter(({ method }) => method !== 'GET').map(({ path, fields }) => [path, fields]);

test('A accepts the section that has the focus and stays there, and J goes on', async () => {
  const server = open({}, { 'POST /api/review/7/section': {} });
  const child = await screen.findByRole('region', { name: 'Child' });
  await screen.findByRole('button', { name: 'Accept: Child' });
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(document.activeElement).toBe(child);
  fireEvent.keyDown(child, { key: 'a' });
  await screen.findByText('Child: accepted.');
  expect(document.activeElement).toBe(child);
  expect(acts(server)).toEqual([
    ['/api/review/7/section', { answersVersion: 5, section: 'Child', confirmsAbsence: false }],
  ]);
  fireEvent.keyDown(child, { key: 'j' });
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Family' }));
});

test('Z undoes the last verdict', async () => {
  const server = open({}, { 'POST /api/review/7/section': {}, 'DELETE /api/review/7/section/Child': {} });
  const child = await screen.findByRole('region', { name: 'Child' });
  fireEvent.keyDown(child, { key: 'z' });
  fireEvent.keyDown(document.body, { key: 'j' });
  fireEvent.keyDown(child, { key: 'a' });
  await screen.findByText('Child: accepted.');
  fireEvent.keyDown(child, { key: 'z' });
  await waitFor(() =>
    expect(acts(server).map(([path]) => path)).toEqual(['/api/review/7/section', '/api/review/7/section/Child']),
  );
});

test('V verifies the document that is shown, wherever the focus is', async () => {
  const server = open({}, { 'POST /api/review/7/document/51': {} });
  await screen.findByRole('button', { name: 'Verify Birth Certificate' });
  fireEvent.keyDown(document.body, { key: 'v' });
  await screen.findByText('Birth Certificate: verified.');
  expect(acts(server)).toMatchObject([['/api/review/7/document/51', { result: 'Verified' }]]);
});

test.each([
  ['plan', 'Plan the interaction', true],
  ['offer', 'Offer a seat', true],
  ['wait', 'Waits for the admission head', false],
] as const)('a verified form whose next step is “%s” says “%s”', async (nextStep, words, isLink) => {
  open({ state: 'Verified', nextStep });
  const said = await screen.findByText(words);
  expect(said.closest('a') !== null).toBe(isLink);
});

test('a form with a section or document to check can’t be marked as verified', async () => {
  open();
  const verify = await screen.findByRole('button', { name: 'Mark as verified' });
  expect(verify).toHaveProperty('disabled', true);
  expect(screen.getByText('0 of 6 accepted')).toBeTruthy();
});

test('M presses the filled button of the foot, wherever the focus is', async () => {
  const sections = recordOf().sections.map((section) => ({ ...section, result: 'Accepted' as const }));
  const server = open({ sections }, { 'POST /api/review/7/verify': {} });
  await screen.findByRole('button', { name: 'Mark as verified' });
  fireEvent.keyDown(document.body, { key: 'm' });
  await waitFor(() => expect(acts(server).map(([path]) => path)).toEqual(['/api/review/7/verify']));
});

test('M does nothing while a section is to be checked', async () => {
  const server = open();
  await screen.findByRole('button', { name: 'Mark as verified' });
  fireEvent.keyDown(document.body, { key: 'm' });
  expect(acts(server)).toEqual([]);
});

test('words about an answer are written below it, from a ready sentence, and saved with its field', async () => {
  const server = open({}, { 'POST /api/review/7/remark': {} });
  fireEvent.click(await screen.findByRole('button', { name: 'Ask to correct Birth Date' }));
  const box = within(await screen.findByRole('form', { name: 'Ask to correct Birth Date' }));
  expect(document.activeElement).toBe(box.getByRole('textbox'));
  fireEvent.click(box.getByRole('button', { name: 'Differs from the Birth Certificate.' }));
  expect(document.activeElement).toBe(box.getByRole('textbox'));
  fireEvent.click(box.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(acts(server)).toEqual([
      [
        '/api/review/7/remark',
        { answersVersion: 5, section: 'Child', field: 'birthDate', remark: 'Differs from the Birth Certificate.' },
      ],
    ]),
  );
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset.answer).toBe('birthDate'));
});

test('the arrow keys walk the answers of a section, and an answer shows the document that proves it', async () => {
  const aadhaar = { ...recordOf().documents[0], id: 52, name: 'Aadhar Card' } as ReviewRecord['documents'][number];
  open({ documents: [...recordOf().documents, aadhaar] });
  const child = await screen.findByRole('region', { name: 'Child' });
  const shown = () => screen.getByRole('button', { name: /^Aadhar Card.*To check/ }).getAttribute('aria-pressed');
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(document.activeElement).toBe(child);
  expect(shown()).toBe('false');
  const walk = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowDown' });
  for (let answer = 0; answer < 12 && shown() === 'false'; answer++) walk();
  expect(shown()).toBe('true');
  expect((document.activeElement as HTMLElement).dataset.answer).toBe('aadharCardNo');
});

test('a section with words for the family is not accepted with one key', async () => {
  const sections = recordOf().sections.map((one) =>
    one.section === 'Child'
      ? {
          ...one,
          result: 'Needs correction' as const,
          remarks: [{ id: 1, section: one.section, field: 'caste', remark: 'Which one?' }],
        }
      : one,
  );
  const server = open({ sections });
  await screen.findByText('Which one?');
  expect(screen.queryByRole('button', { name: 'Accept: Child' })).toBeNull();
  fireEvent.keyDown(document.body, { key: 'j' });
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'a' });
  expect(acts(server)).toEqual([]);
  expect(screen.getByText('1 correction waiting')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Send back…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Send back to the family?' }));
  expect(dialog.getByText('Which one?')).toBeTruthy();
});

test('a verified form says what comes next, and leads to the next form', async () => {
  open({
    state: 'Verified',
    nextStep: 'offer',
    next: 9,
    may: { review: true, decide: false, reject: false, reopen: false },
  });
  expect(await screen.findByRole('link', { name: 'Offer a seat' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Next form' }).getAttribute('href')).toContain('/review-list/9');
});

test('an answer that the correction changed is marked', async () => {
  open({}, { 'GET /api/review/7/answers': answersOf({ changed: [{ section: 'Child', field: 'caste' }] }) });
  const label = await screen.findByText('Changed');
  expect(label.closest('dt')?.textContent).toContain('Caste');
});

test('the whole Aadhaar number is shown after a reason', async () => {
  open({}, { 'POST /api/review/7/reveal': { aadhaar: '2345 6789 1234' } });
  expect(await screen.findByText('XXXX XXXX 1234')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show the whole Aadhaar number' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Show the whole Aadhaar number' }));
  fireEvent.change(panel.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Compare' } });
  fireEvent.click(panel.getByRole('button', { name: 'Show' }));
  expect(await screen.findByText('2345 6789 1234')).toBeTruthy();
});

test('a missing document can be waived with a reason', async () => {
  const server = open({ missing: ['Aadhar Card'], documents: [] }, { 'POST /api/review/7/waiver': {} });
  fireEvent.click(await screen.findByRole('button', { name: 'Waive Aadhar Card' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Waive Aadhar Card' }));
  fireEvent.change(panel.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Applied for' } });
  fireEvent.click(panel.getByRole('button', { name: 'Waive' }));
  await waitFor(() =>
    expect(acts(server)).toEqual([
      ['/api/review/7/waiver', { answersVersion: 5, what: 'Aadhar Card', reason: 'Applied for' }],
    ]),
  );
});

test('a principal reads the form and can change nothing', async () => {
  open({ may: { review: false, decide: false, reject: false, reopen: false } });
  await screen.findByText('XXXX XXXX 1234');
  expect(screen.queryByRole('button', { name: /^(Accept|Verify|Reject|Ask|Mark)/ })).toBeNull();
});
