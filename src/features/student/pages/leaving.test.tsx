import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '#kit/browser/data/read.ts';
import { addDays } from '#kit/browser/ui/read-date.ts';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { StudentHead } from '../contract/record.ts';
import { CertificatesCard } from './CertificatesCard.tsx';
import { LeavingCard } from './LeavingCard.tsx';
import { Readmit } from './Readmit.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const head = { id: 7, name: 'Ira Shah' } as StudentHead;

test('the first day of a student who comes back is today, or later where today misses no day', async () => {
  fakeServer({
    'GET /api/student/7/personal': { saved: { birthDate: '2017-06-05' } },
    'GET /api/academic/grade/option': [],
  });
  for (const [lastDay, first] of [
    [today(), addDays(today(), 2)],
    ['2026-06-01', today()],
  ] as const) {
    renderPage(<Readmit head={head} lastDay={lastDay} onClose={() => undefined} />);
    const form = within(await screen.findByRole('dialog', { name: 'Re-admit Ira Shah' }));
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'First day' }).value).toBe(showDate(first));
    cleanup();
  }
});

test('the menu of a leaving certificate has the focus once it is issued, since its button is gone', async () => {
  const made = {
    ...{
      id: 3,
      kind: 'Leaving',
      number: 'LC/1',
      issuedOn: '2026-11-28',
      purpose: '',
      language: 'English',
      by: 'Meena',
    },
    ...{ handedOutOn: '', handedTo: '', isVoid: false, voidReason: '', replacedBy: '', copies: 0 },
    may: { handOut: true, copy: false, void: true },
  };
  const kinds = [{ kind: 'Leaving', why: null }];
  const page = { language: 'en', title: 'School leaving certificate', paragraphs: [], entries: [], closing: [] };
  const answer = {
    number: 'LC/1',
    page,
    empty: [],
    owes: [],
    blocks: [],
    needsReason: false,
    differs: [],
    inEnglishLetters: [],
  };
  const server = fakeServer({
    'GET /api/student/7/certificate': { certificates: [], kinds, conduct: 'Good', language: 'English' },
  });
  server.answers['POST /api/student/7/certificate'] = { ...answer, id: null, isApplied: false, confirmToken: 'one' };
  renderPage(<CertificatesCard head={head} />);
  const button = await screen.findByRole('button', { name: 'Leaving certificate…' });
  button.focus();
  fireEvent.click(button);
  fireEvent.click(await screen.findByRole('button', { name: 'Preview' }));
  const issue = await screen.findByRole('button', { name: 'Issue and save the PDF' });
  server.answers['POST /api/student/7/certificate'] = () => {
    server.answers['GET /api/student/7/certificate'] = {
      certificates: [made],
      kinds: [],
      conduct: 'Good',
      language: 'English',
    };
    return { ...answer, id: 3, isApplied: true, confirmToken: 'one' };
  };
  fireEvent.click(issue);
  const menu = await screen.findByRole('button', { name: 'Actions for LC/1' });
  await waitFor(() => expect(document.activeElement).toBe(menu));
});

test('a certificate in Gujarati asks whether a name may be printed in English letters, and its page is marked as Gujarati', async () => {
  const kinds = [{ kind: 'Bonafide', why: null }];
  const page = { language: 'gu', title: 'બોનાફાઇડ પ્રમાણપત્ર', paragraphs: [], entries: [], closing: [] };
  const answer = {
    ...{ number: 'BC/1', page, empty: [], owes: [], blocks: [], needsReason: false, differs: [] },
    inEnglishLetters: [{ id: 'Name of the student' }],
  };
  const server = fakeServer({
    'GET /api/student/7/certificate': { certificates: [], kinds, conduct: 'Good', language: 'Gujarati' },
    'POST /api/student/7/certificate': { ...answer, id: null, isApplied: false, confirmToken: 'one' },
  });
  renderPage(<CertificatesCard head={head} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Certificate…' }));
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Gujarati' })).checked).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  expect((await screen.findByText('બોનાફાઇડ પ્રમાણપત્ર')).closest('[lang]')?.getAttribute('lang')).toBe('gu');
  expect(screen.getByText('Name of the student')).toBeTruthy();
  const tick = screen.getByRole('checkbox', { name: 'Print them in English letters' });
  fireEvent.click(tick);
  fireEvent.click(screen.getByRole('button', { name: 'Issue and save the PDF' }));
  const last = () => server.sent.findLast(({ method }) => method === 'POST')?.fields;
  await waitFor(() =>
    expect(last()).toMatchObject({ confirmToken: 'one', englishLetters: true, language: 'Gujarati' }),
  );
});

test('a child who never came is taken out of the year after a preview, and a day in class stops it with the way', async () => {
  const may = { leave: true, undo: false, readmit: false, neverJoined: true, undoNeverJoined: false };
  const server = fakeServer({ 'GET /api/student/7/leaving': { leavings: [], may } });
  const path = 'POST /api/student/7/never-joined';
  const blocked = { ends: [], blocks: [{ id: 'Enter the last day instead.' }], isApplied: false, confirmToken: null };
  server.answers[path] = blocked;
  renderPage(<LeavingCard head={head} />);
  const preview = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Never joined…' }));
    const form = within(await screen.findByRole('dialog', { name: 'Ira Shah never joined' }));
    fireEvent.change(form.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Moved away' } });
    fireEvent.click(form.getByRole('button', { name: 'Preview' }));
  };
  await preview();
  expect(await screen.findByText('Enter the last day instead.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
  cleanup();
  server.answers[path] = { ...blocked, blocks: [], ends: [{ id: 'Grade 5: cancelled' }], confirmToken: 'one' };
  renderPage(<LeavingCard head={head} />);
  await preview();
  expect(await screen.findByText('Grade 5: cancelled')).toBeTruthy();
  server.answers[path] = { ends: [], blocks: [], isApplied: true, confirmToken: null };
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('It was saved that Ira Shah never joined.')).toBeTruthy();
});
