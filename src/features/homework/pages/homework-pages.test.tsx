import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { queryClient } from '#kit/browser/data/read.ts';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { GivenPair, Homework, HomeworkChild, SectionLoad } from '../contract/homework.ts';
import { CheckGrid } from './CheckGrid.tsx';
import { GiveForm } from './GiveForm.tsx';
import { pairsPart } from './PairsField.tsx';

beforeAll(() => pairsPart.load());
afterEach(() => {
  cleanup();
  queryClient.clear();
});

const pair = (sectionId: number, section: string, subject = 'Mathematics'): GivenPair => ({
  sectionId,
  subjectId: subject === 'Mathematics' ? 1 : 2,
  section,
  subject,
  stage: 'Middle',
  dueOn: '2026-07-13',
});
const pairs = [
  pair(161, 'Grade 16, A'),
  pair(61, 'Grade 6, A'),
  pair(62, 'Grade 6, B'),
  pair(61, 'Grade 6, A', 'Science'),
];
const load = (sectionId: number, section: string, minutes: number): SectionLoad => ({
  sectionId,
  section,
  limit: { minutes: 60, per: 'day' },
  days: [{ day: '2026-07-13', isSchool: true, minutes, before: minutes - 30 }],
  over: minutes > 60 ? [{ period: '2026-07-13', minutes, children: 34 }] : [],
  of: 34,
  items: [
    {
      id: 9,
      title: 'Map of India',
      subject: 'Geography',
      teacher: 'Meena Rao',
      dueOn: '2026-07-13',
      minutes: minutes - 30,
      children: null,
    },
  ],
});

const type = (name: string | RegExp, value: string) => {
  const box = screen.getByRole('textbox', { name });
  box.focus();
  fireEvent.change(box, { target: { value } });
};
const choose = async (typed: string) => {
  const box = screen.getByRole('combobox', { name: /^Sections/ });
  box.focus();
  fireEvent.change(box, { target: { value: typed } });
  await screen.findAllByRole('option');
  await new Promise(requestAnimationFrame);
  fireEvent.keyDown(box, { key: 'Enter', code: 'Enter' });
};

test('I2.5 homework for two sections is given by the keyboard alone, with the due day filled in', async () => {
  const { sent } = fakeServer({
    'GET /api/homework/given': { today: '2026-07-11', pairs },
    'GET /api/homework/student': [],
    'GET /api/homework/load': { isBlocked: false, sections: [load(61, 'Grade 6, A', 50), load(62, 'Grade 6, B', 30)] },
    'POST /api/homework': { ids: [1, 2], due: '2026-07-13' },
  });
  renderPage(<GiveForm onClose={() => undefined} />);
  await screen.findByRole('combobox', { name: /^Sections/ });
  await choose('6a math');
  expect(await screen.findByRole('button', { name: 'Remove Grade 6, A · Mathematics' })).toBeTruthy();
  await choose('6b');
  expect(await screen.findByRole('button', { name: 'Remove Grade 6, B · Mathematics' })).toBeTruthy();
  type('Title', 'Exercise 4.2');
  type('Minutes', '30');
  expect(await screen.findByRole('region', { name: 'Homework of Grade 6, B' })).toBeTruthy();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', ctrlKey: true });
  const post = await waitFor(() => {
    const found = sent.find(({ method }) => method === 'POST');
    expect(found).toBeDefined();
    return found;
  });
  expect(post?.fields).toMatchObject({
    title: 'Exercise 4.2',
    dueOn: '2026-07-13',
    publish: 'Now',
    pairs: [
      { sectionId: 61, subjectId: 1 },
      { sectionId: 62, subjectId: 1 },
    ],
  });
});

test('I2.6 over the limit the other teachers’ items are named and a reason is asked for', async () => {
  fakeServer({
    'GET /api/homework/given': { today: '2026-07-11', pairs },
    'GET /api/homework/student': [],
    'GET /api/homework/load': { isBlocked: false, sections: [load(61, 'Grade 6, A', 80)] },
  });
  renderPage(<GiveForm onClose={() => undefined} />);
  await screen.findByRole('combobox', { name: /^Sections/ });
  await choose('6a');
  const part = within(await screen.findByRole('region', { name: 'Homework of Grade 6, A' }));
  expect(part.getByText('80 minutes on 13 Jul 2026, over the limit of 60.')).toBeTruthy();
  expect(part.getByText('Geography · Meena Rao')).toBeTruthy();
  expect(screen.getByRole('textbox', { name: /Reason for more than the limit/ })).toBeTruthy();
});

const child = (rollNo: number, over: Partial<HomeworkChild> = {}): HomeworkChild => ({
  studentId: 100 + rollNo,
  rollNo,
  name: `Child ${rollNo}`,
  standing: 'Given',
  result: '',
  handedInOn: '',
  marks: null,
  feedback: '',
  version: 0,
  dueOn: '2026-07-10',
  reason: '',
  status: 'Missing',
  isLate: false,
  wasAbsent: false,
  ...over,
});
const homework = (over: Partial<Homework> = {}): Homework => ({
  id: 7,
  homeworkId: 3,
  version: 1,
  contentVersion: 1,
  title: 'Exercise 4.2',
  minutes: 30,
  kind: 'Written',
  instructions: '',
  links: [],
  files: [],
  maxMarks: null,
  showsFeedback: true,
  skills: [],
  tags: [],
  section: 'Grade 6, A',
  sectionId: 61,
  subject: 'Mathematics',
  subjectId: 1,
  stage: 'Middle',
  teacher: 'Asha Rao',
  assignedOn: '2026-07-06',
  dueOn: '2026-07-10',
  lateUntil: '',
  publishAt: '2026-07-06T04:30:00.000Z',
  state: 'Published',
  isForAll: true,
  overReason: '',
  cancelledReason: '',
  today: '2026-07-12',
  countsUntil: '',
  others: [],
  children: Array.from({ length: 40 }, (_, index) => child(index + 1)),
  may: { change: true, check: true, publish: false, close: true, reopen: false, cancel: true, remove: false },
  ...over,
});

const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
};
interface Row {
  studentId: number;
  result: string;
  handedInOn: string;
  version: number;
}

test('I2.7 forty children, three of them not done, are checked in eleven presses', async () => {
  const { sent } = fakeServer({ 'PUT /api/homework/7/check': { saved: 40 } });
  renderPage(<CheckGrid homework={homework()} />);
  (await screen.findByRole('listitem', { name: /^1 Child 1,/ })).focus();
  const keys = [...'a07n18n33n'];
  expect(keys).toHaveLength(10);
  press(...keys.filter((key) => key !== '0'));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', ctrlKey: true });
  const put = await waitFor(() => {
    const found = sent.find(({ method }) => method === 'PUT');
    expect(found).toBeDefined();
    return found;
  });
  const rows = put?.fields.rows as Row[];
  expect(rows).toHaveLength(40);
  expect(rows.filter(({ result }) => result === 'Not done').map(({ studentId }) => studentId)).toEqual([107, 118, 133]);
  // A pile that was collected on the due day and is marked later.
  expect(new Set(rows.map(({ handedInOn, result }) => `${result} ${handedInOn}`))).toEqual(
    new Set(['Submitted 2026-07-10', 'Not done ']),
  );
});

test('I2.8 results that another user saved first are named, and what was typed stays', async () => {
  const stale = refusal('stale', 'Another user changed Child 1. Check these results again.');
  const { sent } = fakeServer({ 'PUT /api/homework/7/check': stale });
  const grid = (over: Partial<HomeworkChild> = {}) => (
    <CheckGrid homework={homework({ children: [child(1, over), child(2)] })} />
  );
  renderPage(grid());
  (await screen.findByRole('listitem', { name: /^1 Child 1,/ })).focus();
  press('s', 'e');
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', ctrlKey: true });
  expect(await screen.findByText('Another user changed Child 1. Check these results again.')).toBeTruthy();
  expect(screen.getByRole('listitem', { name: /^1 Child 1, Submitted/ })).toBeTruthy();
  expect(screen.getByRole('listitem', { name: /^2 Child 2, Excused/ })).toBeTruthy();
  expect(sent.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('I2.7 marks that cannot be saved are named with the student, and nothing is sent in their place', async () => {
  const { sent } = fakeServer({ 'PUT /api/homework/7/check': { saved: 1 } });
  const marked = child(1, { result: 'Submitted', handedInOn: '2026-07-10', marks: 7, version: 1, status: 'Submitted' });
  renderPage(<CheckGrid homework={homework({ maxMarks: 10, children: [marked, child(2)] })} />);
  const box = await screen.findByRole('textbox', { name: 'Marks of Child 1, at most 10' });
  for (const value of ['7.3', '11', 'seven']) {
    fireEvent.change(box, { target: { value } });
    fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true });
    expect(await screen.findByText('Child 1: enter at most 10 marks, in steps of 0.5.')).toBeTruthy();
    expect(document.activeElement).toBe(box);
  }
  expect(sent.filter(({ method }) => method === 'PUT')).toEqual([]);
  fireEvent.change(box, { target: { value: '7.5' } });
  fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true });
  await waitFor(() => expect(sent.find(({ method }) => method === 'PUT')?.fields.rows).toMatchObject([{ marks: 7.5 }]));
});

test('I2.7 a result that the server refuses is named with its student', async () => {
  fakeServer({
    'PUT /api/homework/7/check': refusal('invalid', 'There is a problem', {
      fields: { 'rows.1': 'Enter a day that is not in the future.' },
    }),
  });
  renderPage(<CheckGrid homework={homework({ children: [child(1), child(2)] })} />);
  (await screen.findByRole('listitem', { name: /^1 Child 1,/ })).focus();
  press('s', 's');
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', ctrlKey: true });
  expect(await screen.findByText('Enter a day that is not in the future.')).toBeTruthy();
  expect(screen.getByText('Child 2:')).toBeTruthy();
});
