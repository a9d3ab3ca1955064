import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { recordOf } from '#testing/staff-record.ts';
import type { educationApi } from '../contract/education.ts';
import { EducationCard } from './EducationCard.tsx';

// What is hidden is in the document: closed dialogs.
configure({ defaultHidden: false });

const education: OutputOf<typeof educationApi.education> = {
  qualifications: [
    { id: 4, name: 'B.Ed.', isTeacherTraining: true, subject: '', institute: 'VNSGU', year: 2012, result: '68%' },
    { id: 3, name: 'B.Sc.', isTeacherTraining: false, subject: 'Physics', institute: '', year: null, result: '' },
  ],
  experience: [
    { id: 8, employer: 'Bal Bhavan', jobTitle: 'Teacher', fromDay: '2015-06-01', untilDay: '2019-04-30' },
    { id: 7, employer: 'Vidyalaya', jobTitle: 'Clerk', fromDay: '2012-06-01', untilDay: '' },
  ],
};
const open = (over: Parameters<typeof recordOf>[0] = {}, answers: Answers = {}) => {
  const server = fakeServer({
    'GET /api/staff/3/education': education,
    'GET /api/hris/qualification/option': [
      { id: 6, name: 'M.A.', isActive: true },
      { id: 7, name: 'M.Ed.', isActive: true },
    ],
    ...answers,
  });
  renderPage(<EducationCard record={recordOf(over)} />);
  return server;
};
const section = async (name: string) => within(await screen.findByRole('region', { name }));
const rowsOf = (part: Awaited<ReturnType<typeof section>>) =>
  part
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell'))
    .map((cells) => cells.map(({ textContent }) => textContent));

test('the person sees qualifications and earlier employers, and changes nothing', async () => {
  open({ isOwn: true });
  expect(rowsOf(await section('Qualifications'))).toEqual([
    ['B.Ed. Teacher training', '', 'VNSGU', '2012', '68%'],
    ['B.Sc. ', 'Physics', '', '', ''],
  ]);
  expect(rowsOf(await section('Earlier employers'))).toEqual([
    ['Bal Bhavan', 'Teacher', '1 Jun 2015', '30 Apr 2019'],
    ['Vidyalaya', 'Clerk', '1 Jun 2012', ''],
  ]);
  expect(screen.queryByRole('button')).toBeNull();
});

test('without entries the lists say so', async () => {
  open({ isKept: true }, { 'GET /api/staff/3/education': { qualifications: [], experience: [] } });
  expect(await screen.findByText('No qualifications yet')).toBeTruthy();
  expect(screen.getByText('No earlier employers yet')).toBeTruthy();
});

test('a keeper adds a qualification, whose kind is required', async () => {
  const { answers, sent } = open({ isKept: true }, { 'POST /api/staff/3/qualification': {} });
  fireEvent.click(await screen.findByRole('button', { name: 'Add qualification' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Add qualification' }));
  const kind = await drawer.findByRole('combobox', { name: 'Qualification' });
  fireEvent.click(drawer.getByRole('button', { name: 'Add' }));
  expect(await drawer.findByText('Qualification is required.')).toBeTruthy();

  fireEvent.change(kind, { target: { value: '6' } });
  fireEvent.change(drawer.getByRole('textbox', { name: /^Year/ }), { target: { value: '1066' } });
  fireEvent.click(drawer.getByRole('button', { name: 'Add' }));
  expect(await drawer.findByText('Enter a year from 1940 to 2100.')).toBeTruthy();
  expect(sent.some(({ method }) => method === 'POST')).toBe(false);

  fireEvent.change(drawer.getByRole('textbox', { name: /^Year/ }), { target: { value: '2014' } });
  fireEvent.change(drawer.getByRole('textbox', { name: /^Subject/ }), { target: { value: 'History' } });
  const added = { id: 5, name: 'M.A.', isTeacherTraining: false, subject: 'History', institute: '', year: 2014 };
  answers['GET /api/staff/3/education'] = { ...education, qualifications: [{ ...added, result: '' }] };
  fireEvent.click(drawer.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(async () =>
    expect(rowsOf(await section('Qualifications'))[0]?.slice(0, 4)).toEqual(['M.A. ', 'History', '', '2014']),
  );
  expect(sent.find(({ method }) => method === 'POST')?.fields).toMatchObject({
    qualificationId: '6',
    subject: 'History',
    year: '2014',
  });
});

test('a keeper adds an employer, and its last day is not before the first', async () => {
  const { sent } = open({ isKept: true }, { 'POST /api/staff/3/experience': {} });
  fireEvent.click(await screen.findByRole('button', { name: 'Add employer' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Add employer' }));
  const type = (name: RegExp, value: string) => {
    const box = drawer.getByRole('textbox', { name });
    fireEvent.change(box, { target: { value } });
    fireEvent.blur(box);
  };
  type(/^Employer/, 'Nutan School');
  type(/^Designation/, 'Teacher');
  type(/^From/, '01-06-2019');
  type(/^Until/, '31-05-2019');
  fireEvent.click(drawer.getByRole('button', { name: 'Add' }));
  expect(await drawer.findByText('Enter a day on or after the first day.')).toBeTruthy();
  type(/^Until/, '31-05-2020');
  fireEvent.click(drawer.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.find(({ method }) => method === 'POST')?.fields).toEqual({
    employer: 'Nutan School',
    jobTitle: 'Teacher',
    fromDay: '2019-06-01',
    untilDay: '2020-05-31',
  });
});

test.each([
  ['Qualifications', 'Remove B.Sc., Physics', 'DELETE /api/staff/3/qualification/3'],
  ['Earlier employers', 'Remove Bal Bhavan, Teacher', 'DELETE /api/staff/3/experience/8'],
])('of %s an entry is removed after a question, and its list gets the focus', async (title, name, act) => {
  const { answers, sent } = open({ isKept: true }, { [act]: {} });
  fireEvent.click(await screen.findByRole('button', { name }));
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(false);
  answers['GET /api/staff/3/education'] = { qualifications: [], experience: [] };
  fireEvent.click(within(await screen.findByRole('dialog', { name })).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
  expect(sent.filter(({ method }) => method === 'DELETE').map(({ method, path }) => `${method} ${path}`)).toEqual([
    act,
  ]);
  expect(document.activeElement).toBe(screen.getByRole('region', { name: title }));
});

test('a refused removal says why', async () => {
  open({ isKept: true }, { 'DELETE /api/staff/3/qualification/4': () => refusal('unexpected', 'It broke.') });
  fireEvent.click(await screen.findByRole('button', { name: 'Remove B.Ed.' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove B.Ed.' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('It broke.')).toBeTruthy();
});
