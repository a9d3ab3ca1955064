import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { readAllAgain } from '#kit/browser/data/read.ts';
import { hasUnsent } from '#kit/browser/form/unsent.ts';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { RegisterSheet } from '../contract/register.ts';
import { StudentAttendancePage } from './StudentAttendancePage.tsx';

const code = (id: number, code: string, key: string, name: string, kind: RegisterSheet['codes'][number]['kind']) => ({
  id,
  code,
  key,
  name,
  kind,
  needsTime: kind === 'Late',
  isOffered: true,
});
const sheet = (over: Partial<RegisterSheet> = {}): RegisterSheet => ({
  today: '2026-11-26',
  day: '2026-11-26',
  school: { kind: 'Working day', name: '', work: 1 },
  sections: [{ id: 5, name: 'Grade 5, B', isOwn: true, slot: 'Full day', takenAt: null }],
  section: { id: 5, name: 'Grade 5, B' },
  slot: 'Full day',
  slots: [{ slot: 'Full day', isTaken: false }],
  register: null,
  mayTake: true,
  mayUndo: false,
  mayLock: false,
  mayCorrect: false,
  codes: [
    code(1, 'P', 'P', 'Present', 'Present'),
    code(2, 'A', 'A', 'Absent', 'Absent'),
    code(3, 'L', 'L', 'Late', 'Late'),
    code(4, 'ML', 'M', 'Medical leave', 'Leave'),
  ],
  dayBefore: '2026-11-25',
  dayAfter: '',
  children: Array.from({ length: 40 }, (_, index) => child(index + 1)),
  deviceKey: '0'.repeat(64),
  ...over,
});
const child = (rollNo: number, mark: { codeId: number; arrivedAt: string } | null = null) => ({
  studentId: 100 + rollNo,
  rollNo,
  name: `Child ${rollNo}`,
  mark,
  before: '',
  absentFor: 0,
  isNeverJoined: false,
  awayCodeId: null,
  gateAt: '',
  takenIn: '',
  takenCode: '',
  asked: '',
  leave: null,
  leftAt: '',
  leftCodeId: null,
});
const taken = (absent: number[]): RegisterSheet =>
  sheet({
    register: {
      id: 9,
      version: 1,
      takenAt: '2026-11-26T02:42:00.000Z',
      takenBy: 'Meena Chauhan',
      locksAt: '2026-11-27T12:30:00.000Z',
      isLocked: false,
    },
    children: sheet().children.map(({ rollNo }) =>
      child(rollNo ?? 0, { codeId: absent.includes(rollNo ?? 0) ? 2 : 1, arrivedAt: '' }),
    ),
  });

const serve = (answers: Answers = {}) =>
  fakeServer({
    'GET /api/attendance/register': sheet(),
    'POST /api/attendance/register': { id: 9, version: 1 },
    ...answers,
  });

const row = (name: RegExp) => screen.findByRole('listitem', { name });
const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
};
const absentIn = ({ fields }: { fields: Record<string, unknown> }) =>
  (fields.marks as { studentId: number; codeId: number }[])
    .filter(({ codeId }) => codeId === 2)
    .map(({ studentId }) => studentId - 100);
const posts = (sent: ReturnType<typeof fakeServer>['sent']) => sent.filter(({ method }) => method === 'POST');

test('E1.6 T4 a register of forty with three absent is submitted in ten presses, with the names of the absent before', async () => {
  const { sent } = serve();
  renderPage(<StudentAttendancePage />);
  (await row(/^1 Child 1, Present/)).focus();
  const keys = [...'7a18a33a'];
  expect(keys).toHaveLength(8);
  press(...keys);
  expect(await row(/^18 Child 18, Absent/)).toBeTruthy();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('34 Child 34, Present');
  press('Enter');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '7Child 7Absent',
    '18Child 18Absent',
    '33Child 33Absent',
  ]);
  const submit = dialog.getByRole('button', { name: 'Submit register' });
  expect(document.activeElement).toBe(submit);
  // Enter on the focused button.
  fireEvent.click(submit);
  await waitFor(() => expect(posts(sent)).toHaveLength(1));
  const [post] = posts(sent);
  expect(post?.fields).toMatchObject({ sectionId: 5, day: '2026-11-26', rowVersion: 0 });
  expect(absentIn(post as never)).toEqual([7, 18, 33]);
});

test('a child that never joined is shown grey: no key marks it, and it is not counted or submitted', async () => {
  const { sent } = serve({
    'GET /api/attendance/register': sheet({
      children: [child(1), { ...child(2, { codeId: 2, arrivedAt: '' }), isNeverJoined: true }, child(3)],
    }),
  });
  renderPage(<StudentAttendancePage />);
  (await row(/^1 Child 1, Present/)).focus();
  expect(screen.getByText('2 of 2 in class')).toBeTruthy();
  press('ArrowDown', 'p');
  expect(await row(/^2 Child 2, Absent, Never joined/)).toBeTruthy();
  press('Enter');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryAllByRole('listitem')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Submit register' }));
  await waitFor(() => expect(posts(sent)).toHaveLength(1));
  const [post] = posts(sent);
  expect(post?.fields.marks).toMatchObject([{ studentId: 101 }, { studentId: 103 }]);
});

test('with Shift the arrows choose several students, whom a letter marks in one step', async () => {
  serve();
  renderPage(<StudentAttendancePage />);
  (await row(/^3 Child 3,/)).focus();
  await waitFor(() => expect(document.activeElement?.getAttribute('tabindex')).toBe('0'));
  const arrow = (key: string, shiftKey: boolean) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, shiftKey });
  arrow('ArrowDown', true);
  arrow('ArrowDown', true);
  arrow('ArrowUp', true);
  arrow('ArrowDown', true);
  expect(await screen.findByText('3 students chosen')).toBeTruthy();
  press('a');
  for (const number of [3, 4, 5]) expect(await row(new RegExp(`^${number} Child ${number}, Absent`))).toBeTruthy();
  expect(await row(/^6 Child 6, Present/)).toBeTruthy();
  expect(hasUnsent()).toBe(true);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'z', ctrlKey: true });
  expect(await row(/^4 Child 4, Present/)).toBeTruthy();
  expect(hasUnsent()).toBe(false);
  arrow('ArrowDown', true);
  arrow('ArrowDown', false);
  press('a');
  expect(screen.getAllByRole('listitem', { name: /, Absent/ })).toHaveLength(1);
});

test('arrows walk both columns, Space changes between present and absent, and Undo removes the last mark', async () => {
  serve();
  renderPage(<StudentAttendancePage />);
  (await row(/^1 Child 1,/)).focus();
  const at = () => document.activeElement?.getAttribute('aria-label')?.split(',')[0];
  press('ArrowDown');
  expect(at()).toBe('2 Child 2');
  press('ArrowRight');
  expect(at()).toBe('22 Child 22');
  press(' ');
  expect(await row(/^22 Child 22, Absent/)).toBeTruthy();
  press('m');
  expect(await row(/^22 Child 22, Medical leave/)).toBeTruthy();
  expect(at()).toBe('23 Child 23');
  fireEvent.click(screen.getByRole('button', { name: /^Undo/ }));
  expect(await row(/^22 Child 22, Absent/)).toBeTruthy();
});

test('E1.11 a register that is submitted without a line is sent once, under one key, when the line is back', async () => {
  let isAway = true;
  const { sent } = serve({ 'POST /api/attendance/register': () => (isAway ? undefined : { id: 9, version: 1 }) });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  renderPage(<StudentAttendancePage />);
  (await row(/^1 Child 1,/)).focus();
  press('7', 'a', 'Enter');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Submit register' }));
  expect(await screen.findByText(/^Not connected/)).toBeTruthy();
  expect(await row(/^7 Child 7, Absent/)).toBeTruthy();
  isAway = false;
  fireEvent(window, new Event('online'));
  expect(await screen.findByText('Register of Grade 5, B submitted')).toBeTruthy();
  fireEvent(window, new Event('online'));
  const keys = posts(sent).map(({ key }) => key);
  expect(new Set(keys).size).toBe(1);
  expect(posts(sent).map((post) => absentIn(post as never))).toEqual(keys.map(() => [7]));
  expect(screen.queryByText(/^Not connected/)).toBeNull();
});

test('E1.12 a register that a colleague took is shown beside the own marks, and nothing is overwritten unasked', async () => {
  const { sent, answers } = serve({
    'POST /api/attendance/register': refusal('stale', 'Someone else has changed this.'),
  });
  renderPage(<StudentAttendancePage />);
  (await row(/^1 Child 1,/)).focus();
  press('7', 'a', 'Enter');
  answers['GET /api/attendance/register'] = taken([8]);
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Submit register' }));
  const table = within(await screen.findByRole('table'));
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'Saved versionYour version',
    '7 Child 7PresentAbsent',
    '8 Child 8AbsentPresent',
  ]);
  answers['POST /api/attendance/register'] = { id: 9, version: 2 };
  fireEvent.click(screen.getByRole('button', { name: 'Keep my version' }));
  fireEvent.click(await screen.findByRole('button', { name: /^Submit changes/ }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Submit register' }));
  await waitFor(() => expect(posts(sent)).toHaveLength(2));
  expect(posts(sent).at(-1)?.fields).toMatchObject({ rowVersion: 1 });
  expect(absentIn(posts(sent).at(-1) as never)).toEqual([7]);
});

test('E1.12 with the saved version chosen, the own marks are dropped', async () => {
  const { answers } = serve({ 'POST /api/attendance/register': refusal('stale', 'Someone else has changed this.') });
  renderPage(<StudentAttendancePage />);
  (await row(/^1 Child 1,/)).focus();
  press('7', 'a', 'Enter');
  answers['GET /api/attendance/register'] = taken([8]);
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Submit register' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Use the saved version' }));
  expect(await row(/^7 Child 7, Present/)).toBeTruthy();
  expect(await row(/^8 Child 8, Absent/)).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('E1.2 a day without school shows its reason, and a user without a section reads whom to ask', async () => {
  const { answers } = serve({
    'GET /api/attendance/register': sheet({ school: { kind: 'Holiday', name: 'Diwali', work: 0 }, mayTake: false }),
  });
  const router = renderPage(<StudentAttendancePage />);
  expect(await screen.findByText('No school on 26 Nov 2026: Diwali.')).toBeTruthy();
  answers['GET /api/attendance/register'] = sheet({ section: null, sections: [], children: [] });
  await router.navigate({ to: '/page', search: { day: '2026-11-25' } as never });
  expect(await screen.findByText('You have no section on 26 Nov 2026.')).toBeTruthy();
});

test('E1.4 T5 in a locked register a letter opens the request for a correction of that child', async () => {
  const locked = taken([3]);
  const { sent } = serve({
    'GET /api/attendance/register': {
      ...locked,
      register: locked.register && { ...locked.register, isLocked: true },
      mayTake: false,
      mayCorrect: true,
    },
    'GET /api/attendance/code/option': [{ id: 1, name: 'Present', isActive: true }] as never,
    'POST /api/attendance/correction': { id: 4 },
  });
  renderPage(<StudentAttendancePage />);
  (await row(/^1 Child 1, Present/)).focus();
  press('3', 'p');
  const form = within(await screen.findByRole('dialog', { name: 'Request correction' }));
  expect(form.getByText('Child 3 · Grade 5, B · 26 Nov 2026')).toBeTruthy();
  await form.findByRole('option', { name: 'Present' });
  fireEvent.change(form.getByLabelText('New mark', { exact: false }), { target: { value: '1' } });
  fireEvent.change(form.getByLabelText('Reason', { exact: false }), { target: { value: 'In the library.' } });
  fireEvent.click(form.getByRole('button', { name: 'Request' }));
  await waitFor(() => expect(posts(sent)).toHaveLength(1));
  expect(posts(sent)[0]?.fields).toMatchObject({
    sectionId: 5,
    day: '2026-11-26',
    studentId: 103,
    codeId: '1',
    reason: 'In the library.',
  });
});

test('T4 a granted leave is marked before the register is taken, and an asked one is only named', async () => {
  const { sent } = serve({
    'GET /api/attendance/register': sheet({
      children: [
        { ...child(1), leave: { state: 'Granted', isByFamily: false, codeId: 4 } },
        { ...child(2), leave: { state: 'Asked', isByFamily: false, codeId: null } },
      ],
    }),
  });
  renderPage(<StudentAttendancePage />);
  expect((await row(/^1 Child 1, Medical leave/)).textContent).toContain('Leave granted');
  const asked = await row(/^2 Child 2, Present/);
  expect(asked.textContent).toContain('Leave requested');
  asked.focus();
  press('Enter');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Submit register' }));
  await waitFor(() => expect(posts(sent)).toHaveLength(1));
  expect(posts(sent)[0]?.fields).toMatchObject({ marks: [{ codeId: 4 }, { codeId: 1 }] });
});

/** A class that takes two registers a day, at one of them. */
const half = (slot: 'Morning' | 'Afternoon', over: Partial<RegisterSheet> = {}) =>
  sheet({
    slot,
    slots: [
      { slot: 'Morning', isTaken: true },
      { slot: 'Afternoon', isTaken: false },
    ],
    sections: [{ id: 5, name: 'Grade 5, B', isOwn: true, slot: 'Afternoon', takenAt: null }],
    ...over,
  });

test('E1.19 a class that takes one register a day has no choice between two', async () => {
  const { sent } = serve();
  renderPage(<StudentAttendancePage />);
  (await row(/^1 Child 1, Present/)).focus();
  expect(screen.queryByRole('navigation', { name: 'Registers of the day' })).toBeNull();
  press('Enter');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Submit register' }));
  await waitFor(() => expect(posts(sent)).toHaveLength(1));
  expect(posts(sent)[0]?.fields).toMatchObject({ slot: 'Full day' });
});

test('E1.19 E1.20 the afternoon is submitted for itself, with the absent of the morning, and has marks of its own', async () => {
  const children = [
    { ...child(1), awayCodeId: 2, before: 'A' },
    { ...child(2), awayCodeId: 2, before: 'A', leave: { state: 'Granted' as const, isByFamily: false, codeId: 4 } },
    { ...child(3), awayCodeId: 2, before: 'A', gateAt: '12:40' },
    child(4),
  ];
  const { sent, answers } = serve({ 'GET /api/attendance/register': half('Afternoon', { children }) });
  const router = renderPage(<StudentAttendancePage />);
  const registers = within(await screen.findByRole('navigation', { name: 'Registers of the day' }));
  expect(registers.getAllByRole('link').map((link) => link.getAttribute('aria-current'))).toEqual([null, 'page']);
  expect(within(registers.getByRole('link', { name: /^Morning/ })).getByLabelText('taken')).toBeTruthy();
  for (const name of [
    /^1 Child 1, Absent/,
    /^2 Child 2, Medical leave/,
    /^3 Child 3, Late 12:40/,
    /^4 Child 4, Present/,
  ])
    expect(await row(name)).toBeTruthy();
  (await row(/^4 Child 4,/)).focus();
  press('a');
  // The morning has none of the afternoon’s marks.
  answers['GET /api/attendance/register'] = half('Morning', { children });
  await router.navigate({ to: '/page', search: { slot: 'Morning' } as never });
  expect(await row(/^4 Child 4, Present/)).toBeTruthy();
  await waitFor(() =>
    expect(registers.getByRole('link', { name: /^Morning/ }).getAttribute('aria-current')).toBe('page'),
  );
  answers['GET /api/attendance/register'] = half('Afternoon', { children });
  await router.navigate({ to: '/page', search: { slot: 'Afternoon' } as never });
  await waitFor(() =>
    expect(registers.getByRole('link', { name: 'Afternoon' }).getAttribute('aria-current')).toBe('page'),
  );
  (await row(/^1 Child 1,/)).focus();
  press('4', 'a', 'Enter');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('heading').textContent).toBe('Submit Grade 5, B, 26 Nov 2026, Afternoon?');
  fireEvent.click(dialog.getByRole('button', { name: 'Submit register' }));
  await waitFor(() => expect(posts(sent)).toHaveLength(1));
  expect(posts(sent)[0]?.fields).toMatchObject({ slot: 'Afternoon', rowVersion: 0 });
  expect(absentIn(posts(sent)[0] as never)).toEqual([1, 4]);
});

test('E1.19 a register that is open at noon is not replaced by that of the afternoon', async () => {
  let opened = 0;
  const { answers } = serve();
  answers['GET /api/attendance/register'] = ({ query }) => {
    opened += 1;
    return half(query.slot === 'Morning' || opened === 1 ? 'Morning' : 'Afternoon');
  };
  renderPage(<StudentAttendancePage />);
  await row(/^1 Child 1, Present/);
  await readAllAgain();
  await waitFor(() => expect(opened).toBeGreaterThan(1));
  const registers = within(screen.getByRole('navigation', { name: 'Registers of the day' }));
  expect(registers.getByRole('link', { name: /^Morning/ }).getAttribute('aria-current')).toBe('page');
});
