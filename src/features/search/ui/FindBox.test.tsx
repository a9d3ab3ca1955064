import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer, type Sent } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { addressOf } from '../../../app/shell/address.ts';
import type { FoundGroup } from '../contract.ts';
import { FindBox } from './FindBox.tsx';
import { FoundBox } from './FoundBox.tsx';

type SearchHit = FoundGroup['hits'][number];

// What is hidden is in the document: the closed list.
configure({ defaultHidden: false });

const pages = [
  { page: { path: 'academic/academic-master', title: text`Academic Master` }, group: text`School Setup` },
  { page: { path: 'academic/section', title: text`Own sections` }, group: text`Academic Master` },
  {
    page: { path: 'academic/academic-master', title: text`Academic Master` },
    tab: { key: 'grade', title: text`Grades` },
    group: text`Academic Master`,
  },
  {
    page: { path: 'student/student-list', title: text`Student List` },
    act: { key: 'add', title: text`Add student`, alsoNamed: text`new` },
    group: text`Student List`,
  },
];
const staff = (id: number, title: string, more: Partial<SearchHit> = {}): SearchHit => ({
  id,
  title,
  detail: '',
  to: `staff/view-staff/${id}`,
  ...more,
});
const sejal = staff(7, 'Sejal Patel', { detail: 'Teacher · Languages' });
const setu = staff(8, 'Setu Shah', { detail: '••••••2345', note: text`Left on ${{ day: '31 Mar 2026' }}` });
const selin: SearchHit = {
  id: 7,
  title: 'Selin Desai',
  detail: 'GR 12 · Grade 5, A',
  to: 'academic/section-student-mapping?grade=5&section=9&search=GR+12',
};
const found: FoundGroup[] = [
  { kind: 'staff', title: text`Staff`, hits: [sejal, setu] },
  { kind: 'student', title: text`Students`, hits: [selin] },
];
const server = (answer: Answers[string] = found) => fakeServer({ 'GET /api/search': answer });
const open = (userID = 3) => renderPage(<FindBox addressOf={addressOf} pages={pages} userID={userID} />);
const box = () => screen.findByRole('combobox', { name: 'Search people and pages' });
const type = async (words: string) => fireEvent.change(await box(), { target: { value: words } });
const press = async (key: string) => fireEvent.keyDown(await box(), { key, code: key });
const hits = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const people = () => screen.findByRole('option', { name: /Sejal/ });
const selected = () => document.querySelector('[data-combobox-selected]')?.textContent;

test('pages found by their own title come before those found by their menu group', async () => {
  server([]);
  open();
  await type('se');
  await screen.findAllByRole('option');
  expect(hits()).toEqual(['Own sections Academic Master', 'Academic Master School Setup']);
});

test('P3.5 people are listed in their groups before the pages, and the first hit is selected', async () => {
  const { sent } = server();
  open();
  await type('se');
  await people();
  expect(within(screen.getByRole('group', { name: 'Staff' })).getAllByRole('option')).toHaveLength(2);
  expect(within(screen.getByRole('group', { name: 'Students' })).getAllByRole('option')).toHaveLength(1);
  expect(hits()).toEqual([
    'Sejal Patel Teacher · Languages',
    'Setu Shah ••••••2345 Left on 31 Mar 2026',
    'Selin Desai GR 12 · Grade 5, A',
    'Own sections Academic Master',
    'Academic Master School Setup',
  ]);
  expect(selected()).toBe('Sejal Patel Teacher · Languages');
  expect(screen.getByText('5 entries found').closest('[role=status]')).toBeTruthy();
  expect(sent.map(({ query }) => query.search)).toEqual(['se']);
});

test('a person of the staff opens their page, a student the list that shows them, and a tab its page', async () => {
  server();
  const router = open();
  await type('se');
  await people();
  await press('Enter');
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/staff/view-staff/7'));
  await type('se');
  fireEvent.click(await screen.findByRole('option', { name: /Selin/ }));
  await waitFor(() =>
    expect(router.state.location.href).toBe(
      '/school-erp/academic/section-student-mapping?grade=5&section=9&search=GR+12',
    ),
  );
  server([]);
  await type('grades');
  fireEvent.click(await screen.findByRole('option', { name: /Grades/ }));
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/academic/academic-master?tab=grade'));
});

test('a tab of the open page gives the focus to the page’s title', async () => {
  server([]);
  renderPage(
    <>
      <FindBox addressOf={addressOf} pages={pages} userID={3} />
      <h1 tabIndex={-1}>Academic Master</h1>
    </>,
  );
  const input = await box();
  act(() => input.focus());
  await type('grades');
  await press('Enter');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Academic Master'));
});

test('an act on a record asks for one of its kind, whose page opens with the act; Backspace returns to the search', async () => {
  const { sent } = server(({ query }) => found.filter(({ kind }) => !query.kind || kind === query.kind));
  const act = { key: 'leaving-certificate', title: text`Leaving certificate`, asks: 'student' };
  const page = { page: { path: 'student/student-list', title: text`Student List` }, act, group: text`Student List` };
  const router = renderPage(<FindBox addressOf={addressOf} pages={[...pages, page]} userID={3} />);
  await type('leaving cert');
  await press('Enter');
  const asking = await screen.findByRole('combobox', { name: 'Leaving certificate for' });
  expect((asking as HTMLInputElement).value).toBe('');
  fireEvent.keyDown(asking, { key: 'Backspace' });
  await type('leaving cert');
  await press('Enter');
  fireEvent.change(await screen.findByRole('combobox', { name: 'Leaving certificate for' }), {
    target: { value: 'se' },
  });
  await screen.findByRole('option', { name: /Selin/ });
  expect(hits()).toEqual(['Selin Desai GR 12 · Grade 5, A']);
  expect(sent.at(-1)?.query).toEqual({ search: 'se', kind: 'student' });
  fireEvent.click(screen.getByRole('option', { name: /Selin/ }));
  await waitFor(() =>
    expect(router.state.location.href).toBe(
      '/school-erp/academic/section-student-mapping?grade=5&section=9&search=GR+12&act=leaving-certificate',
    ),
  );
  await box();
});

test('an act is found by its title and its other words, and opens on its page', async () => {
  server([]);
  const router = open();
  await type('new stud');
  await press('Enter');
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/student/student-list?act=add'));
  await type('add');
  expect(hits()).toEqual(['Add student Student List']);
});

test('Enter before the server’s answer waits for it and opens its first hit', async () => {
  const { answered, answer } = later();
  server(answer);
  const router = open();
  await type('se');
  expect(selected()).toBe('Own sections Academic Master');
  await press('Enter');
  await act(() => answered(found));
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/staff/view-staff/7'));
});

test('Enter waits no longer than a second for a slow server, then opens the first page', async () => {
  server(() => new Promise(() => undefined));
  const router = open();
  await type('se');
  await press('Enter');
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/academic/section'), { timeout: 2000 });
});

test('a hit that the arrow keys led to stays selected when the people arrive', async () => {
  const { answered, answer } = later();
  server(answer);
  const router = open();
  await type('se');
  await press('ArrowDown');
  expect(selected()).toBe('Academic Master School Setup');
  await act(() => answered(found));
  await people();
  expect(selected()).toBe('Academic Master School Setup');
  await act(() => new Promise((go) => setTimeout(go, 10)));
  await press('Enter');
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/academic/academic-master'));
});

test('one Escape closes the list and empties the box', async () => {
  server();
  open();
  await type('se');
  await people();
  await press('Escape');
  await waitFor(() => expect(hits()).toEqual([]));
  expect((await box()).matches('input')).toBe(true);
  expect(((await box()) as HTMLInputElement).value).toBe('');
});

test('P3.3 typing sends one request, for the whole text, and a single character none', async () => {
  const { sent } = server();
  open();
  for (const words of ['s', 'se', 'sej', ' seja ']) await type(words);
  await people();
  expect(sent.map(({ query }) => query.search)).toEqual(['seja']);
  await type('s');
  await waitFor(() => expect(screen.queryByRole('option', { name: /Sejal/ })).toBeNull());
  expect(sent).toHaveLength(1);
});

test('while the server does not answer, pages are found, and a line tells that people are not', async () => {
  server(() => undefined);
  const router = open();
  await type('se');
  await screen.findByText('People can’t be searched right now. Pages still can.', undefined, { timeout: 3000 });
  expect(hits()).toEqual(['Own sections Academic Master', 'Academic Master School Setup']);
  await press('Enter');
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/academic/section'));
});

test('without a hit the box says so, once the server has answered', async () => {
  const { answered, answer } = later();
  server(answer);
  open();
  await type('zz');
  expect(await screen.findByText('Searching…')).toBeTruthy();
  await act(() => answered([]));
  expect(await screen.findByText('No entries match.')).toBeTruthy();
});

test('people who were opened are offered before anything is typed, and come first among the hits of their group', async () => {
  server();
  const router = open();
  await type('se');
  fireEvent.click(await screen.findByRole('option', { name: /Setu Shah/ }));
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/staff/view-staff/8'));
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true });
  const recent = await screen.findByRole('group', { name: 'Recent people' });
  expect(
    within(recent)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Setu Shah']);
  expect(selected()).toBeUndefined();
  await type('se');
  await people();
  expect(hits().slice(0, 2)).toEqual(['Setu Shah ••••••2345 Left on 31 Mar 2026', 'Sejal Patel Teacher · Languages']);
  expect(localStorage.getItem('recent-people:3')).not.toContain('2345');
});

test('a person who was opened does not come before one that matches better', async () => {
  server([
    {
      kind: 'staff',
      title: text`Staff`,
      hits: [
        { ...sejal, closeness: 2 },
        { ...setu, closeness: 1 },
      ],
    },
  ]);
  localStorage.setItem('recent-people:3', JSON.stringify([{ kind: 'staff', id: 8, title: 'Setu Shah', to: 'x' }]));
  open();
  await type('se');
  await people();
  expect(selected()).toBe('Sejal Patel Teacher · Languages');
});

test('another user of this device is offered none of them', async () => {
  server();
  localStorage.setItem('recent-people:3', JSON.stringify([{ kind: 'staff', id: 8, title: 'Setu', to: 'x' }]));
  open(4);
  fireEvent.click(await box());
  expect(hits()).toEqual([]);
});

/** An answer that the test gives when it wants to. */
function later() {
  let give: (answer: object) => void = () => undefined;
  const promised = new Promise<object>((go) => {
    give = go;
  });
  return { answer: (_: Sent) => promised, answered: async (answer: object) => give(answer) };
}

test('Ctrl-K puts the focus into the box, wherever it is', async () => {
  server();
  open();
  await box();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(document.activeElement).toBe(await box());
});

test('P3.6 a page whose title begins with the typed word comes before people, and is selected', async () => {
  server();
  open();
  await type('aca');
  await people();
  expect(hits().slice(0, 2)).toEqual(['Academic Master School Setup', 'Sejal Patel Teacher · Languages']);
  expect(selected()).toBe('Academic Master School Setup');
});

test.each(['add stu', 'new student', 'student new'])('P3.6 “%s” finds the act first', async (words) => {
  server();
  open();
  await type(words);
  await people();
  expect(hits()[0]).toBe('Add student Student List');
});

test('P3.8 Ctrl+Enter opens a hit in a tab of its own, and the search stays', async () => {
  server();
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  const router = open();
  const { href } = router.state.location;
  await type('se');
  await people();
  fireEvent.keyDown(await box(), { key: 'Enter', code: 'Enter', ctrlKey: true });
  await waitFor(() => expect(opened).toHaveBeenCalledWith('/school-erp/staff/view-staff/7', '_blank', 'noopener'));
  expect([router.state.location.href, hits().length]).toEqual([href, 5]);
});

test('P3.9 where there are more hits, the last of a group leads to the list of all', async () => {
  server([{ kind: 'student', title: text`Students`, hits: [selin], all: 'report/student-report?tab=all&search=se' }]);
  const router = open();
  await type('se');
  fireEvent.click(await screen.findByRole('option', { name: 'See all Students' }));
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/report/student-report?tab=all&search=se'));
});

test('lists are offered before anything is typed, above the recent people', async () => {
  server();
  const lists = [
    ...pages,
    { page: { path: 'student/student-list', title: text`Student List`, isOffered: true } },
    { page: { path: 'audit', title: text`Audit` } },
  ];
  const router = renderPage(<FindBox addressOf={addressOf} pages={lists} userID={4} />);
  fireEvent.click(await box());
  const group = await screen.findByRole('group', { name: 'Lists' });
  expect(hits()).toEqual(['Student List']);
  fireEvent.click(within(group).getByRole('option', { name: 'Student List' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/school-erp/student/student-list'));
});

test('a name that was typed and entered before the list was loaded opens the person, and not the first list', async () => {
  const { answered, answer } = later();
  server(answer);
  const list = { page: { path: 'student/student-list', title: text`Student List`, isOffered: true } };
  const begun = { typed: 'se', isFocused: true, isPressed: true, isEntered: true };
  const router = renderPage(<FoundBox addressOf={addressOf} pages={[list, ...pages]} userID={3} begun={begun} />);
  await act(() => answered(found));
  await waitFor(() => expect(router.state.location.href).toBe('/school-erp/staff/view-staff/7'));
});
