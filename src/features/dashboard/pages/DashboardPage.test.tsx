import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import type { TodoRow } from '#kit/browser/feature.ts';
import { Added } from '#kit/browser/record/added.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { DashboardCard, dashboardApi } from '../contract.ts';
import { DashboardPage } from './DashboardPage.tsx';

const me = {
  userID: 3,
  name: 'Asha Patel',
  picture: '',
  sets: [],
  userName: '',
  email: '',
  mobile: '',
} as const satisfies Omit<Me, 'role'>;
const teachers: DashboardCard = {
  title: text`Teachers`,
  figures: [
    {
      label: text`Sections without a class teacher`,
      value: 1200,
      isLate: true,
      to: 'academic/section-teacher-mapping?show=gaps',
    },
    { label: text`Subjects without a teacher`, value: 0, isLate: true },
  ],
};
const nothing: OutputOf<typeof dashboardApi.todo> = { hasFailed: false, total: 0, isMore: false, rows: [], more: [] };
const noDay: OutputOf<typeof dashboardApi.day> = { hasFailed: false, cells: [], sections: [], coming: [] };
const noLine: OutputOf<typeof dashboardApi.line> = { hasFailed: false, figures: [], more: [] };
const noChanges: OutputOf<typeof dashboardApi.changes> = { hasFailed: false, since: '', lines: [] };
const noCharts: OutputOf<typeof dashboardApi.charts> = { hasFailed: false, charts: [] };
const answers = (cards: DashboardCard[], todo = nothing): Answers => ({
  'GET /api/dashboard/day': noDay,
  'GET /api/dashboard/line': noLine,
  'GET /api/dashboard/chart': noCharts,
  'GET /api/dashboard/change': noChanges,
  'GET /api/dashboard': { warnings: [], year: '2026-27', cards } satisfies OutputOf<typeof dashboardApi.read>,
  'GET /api/dashboard/todo': todo,
});

test('a card shows each figure with its name, and leads to the page that lists what is counted', async () => {
  fakeServer({
    ...answers([teachers]),
    'GET /api/set-up': { steps: [] },
  });
  renderPage(<DashboardPage me={{ ...me, role: 'Admin' }} />);
  const card = await screen.findByRole('region', { name: 'Teachers' });
  const link = within(card).getByRole('link', { name: 'Sections without a class teacher' });
  expect(link.getAttribute('href')).toBe('/school-erp/academic/section-teacher-mapping?show=gaps');
  expect(within(card).getByText('1,200')).toBeTruthy();
  expect(screen.getByText(/Academic year 2026-27$/)).toBeTruthy();
});

test('Staff without permissions read whom to ask, and nothing that is the Admins’ is asked for', async () => {
  const { sent } = fakeServer(answers([]));
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  expect(await screen.findByText(/^You have no pages here yet\. Ask an Admin/)).toBeTruthy();
  expect(sent.map(({ path }) => path).sort()).toEqual([
    '/api/dashboard',
    '/api/dashboard/change',
    '/api/dashboard/chart',
    '/api/dashboard/day',
    '/api/dashboard/line',
    '/api/dashboard/todo',
  ]);
});

test('P1.6 what there is to do comes by urgency, with its name, one press to act, and what is left of each kind', async () => {
  const row = {
    kind: 'call-late',
    icon: 'call' as const,
    about: 'LKG',
    mobile: '5550001070',
    to: 'admission/inquiry/7',
    act: text`Call`,
  };
  fakeServer(
    answers([], {
      hasFailed: false,
      total: 14,
      isMore: false,
      rows: [
        { ...row, id: 7, when: 'late', title: 'Nitya Kothari', detail: text`Today` },
        { ...row, id: 8, when: 'today', title: 'Avni Vekariya', detail: text`Today` },
      ],
      more: [{ title: text`Calls overdue`, count: 12, isMore: false, to: 'admission/inquiry?tab=overdue' }],
    }),
  );
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const card = await screen.findByRole('region', { name: 'To do today' });
  expect(await within(card).findByRole('heading', { name: 'Late 1' })).toBeTruthy();
  expect(within(card).getByRole('link', { name: 'Nitya Kothari' })).toBeTruthy();
  const act = within(card).getByRole('link', { name: 'Call: Nitya Kothari' });
  expect(act.getAttribute('href')).toBe('/school-erp/admission/inquiry/7');
  expect(
    within(card)
      .getAllByRole('link', { name: /55500 ?01070/ })[0]
      ?.getAttribute('href'),
  ).toBe('tel:+915550001070');
  const more = within(card).getByRole('link', { name: '12 more: Calls overdue' });
  expect(more.getAttribute('href')).toBe('/school-erp/admission/inquiry?tab=overdue');
});

test('P1.1 a card of assigned work counts the user’s own first, and leads to the list of both numbers', async () => {
  const inquiries: DashboardCard = {
    title: text`Inquiries`,
    figures: [
      { label: text`Overdue`, value: 2, isLate: true, to: 'inquiry?of=7', ofAll: { value: 5, to: 'inquiry' } },
      { label: text`Not sent`, value: 1 },
    ],
  };
  fakeServer(answers([inquiries, teachers]));
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const card = await screen.findByRole('region', { name: 'Inquiries' });
  expect(within(card).getByText('mine, of all')).toBeTruthy();
  expect(within(card).getByRole('link', { name: 'Overdue' }).getAttribute('href')).toBe('/school-erp/inquiry?of=7');
  const all = within(card).getByRole('link', { name: 'of 5: Overdue, all' });
  expect([all.textContent, all.getAttribute('href')]).toEqual(['of 5', '/school-erp/inquiry']);
  expect(within(screen.getByRole('region', { name: 'Teachers' })).queryByText('mine, of all')).toBeNull();
});

test('P1.2 a card that could not be read says so, and the others stand', async () => {
  fakeServer(answers([{ title: text`Accounts`, figures: [], hasFailed: true }, teachers]));
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const card = await screen.findByRole('region', { name: 'Accounts' });
  expect(within(card).getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Teachers' })).toBeTruthy();
});

test('P1.8 a teacher’s day begins with what is missing, and each section shows its last school days and its list', async () => {
  fakeServer({
    ...answers([]),
    'GET /api/dashboard/day': {
      ...noDay,
      cells: [
        {
          title: text`Registers to take`,
          lines: [{ words: text`Today`, isProblem: true, to: 'attendance/student-attendance?section=4' }],
          act: text`Take register`,
        },
      ],
      sections: [
        {
          id: 4,
          name: '5 B',
          work: 'Class teacher',
          state: text`Today`,
          days: [940, null],
          perMille: 940,
          people: 38,
        },
      ],
    } satisfies OutputOf<typeof dashboardApi.day>,
  });
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const strip = await screen.findByRole('region', { name: 'My day' });
  expect(within(strip).getByRole('link', { name: 'Take register' }).getAttribute('href')).toBe(
    '/school-erp/attendance/student-attendance?section=4',
  );
  const sections = screen.getByRole('region', { name: 'My sections' });
  expect(within(sections).getByRole('img', { name: '94 % present in the last 10 school days' })).toBeTruthy();
  expect(within(sections).getByRole('link', { name: 'Class list of 5 B' }).getAttribute('href')).toBe(
    '/school-erp/report/student-report?sectionId=4',
  );
});

const pressed: string[] = [];
const Act = ({ row: { title } }: { row: TodoRow }) => (
  <button type="button" data-key="2" onClick={() => pressed.push(title)}>
    No answer
  </button>
);

test('P1.9 the keys of a row press its buttons: of the focused row, else of the first one that has any', async () => {
  const row = { when: 'late', icon: 'form', about: '', detail: text`Today`, to: 'x', act: text`Open` } as const;
  fakeServer(
    answers([], {
      ...nothing,
      total: 3,
      rows: [
        { ...row, kind: 'form', id: 1, title: 'Diya' },
        { ...row, kind: 'call', id: 2, title: 'Nitya' },
        { ...row, kind: 'call', id: 3, title: 'Hetvi' },
      ],
    }),
  );
  pressed.length = 0;
  renderPage(
    <Added
      value={{
        cards: [],
        recordActs: [],
        listActs: [],
        pageParts: [],
        todoActs: [{ kind: 'call', Act, keys: [text`Reached`, text`No answer`] }],
      }}
    >
      <DashboardPage me={{ ...me, role: 'Staff' }} />
    </Added>,
  );
  const hetvi = await screen.findByRole('link', { name: 'Hetvi' });
  expect(screen.getByText('Reached')).toBeTruthy();
  fireEvent.keyDown(document.body, { key: '2' });
  hetvi.focus();
  fireEvent.keyDown(hetvi, { key: '2' });
  expect(pressed).toEqual(['Nitya', 'Hetvi']);
});

test('the keys J and K go to the next and previous thing to do, and A presses the first button of it', async () => {
  const row = {
    when: 'today',
    icon: 'form',
    about: '',
    detail: text`Today`,
    to: 'x',
    act: text`Open`,
    kind: 'form',
  } as const;
  fakeServer(
    answers([], {
      ...nothing,
      total: 2,
      rows: [
        { ...row, id: 1, title: 'Diya', to: 'first' },
        { ...row, id: 2, title: 'Nitya', to: 'second' },
      ],
    }),
  );
  const router = renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const diya = await screen.findByRole('link', { name: 'Diya' });
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  press('j');
  expect(document.activeElement).toBe(diya);
  press('j');
  press('j');
  expect(document.activeElement?.textContent).toBe('Nitya');
  press('k');
  expect(document.activeElement).toBe(diya);
  press('j');
  press('a');
  await expect.poll(() => router.state.location.pathname).toBe('/school-erp/second');
});

test('P1.11 a figure of today shows its comparison, and only a late figure is marked late', async () => {
  fakeServer({
    ...answers([]),
    'GET /api/dashboard/line': {
      hasFailed: true,
      figures: [
        { title: text`Collected today`, value: 18_645_000, unit: 'money', before: text`₹2,14,300 yesterday` },
        { title: text`Registers`, value: 34, unit: 'number', of: 36, late: text`Missing: Grade 4, A` },
        { title: text`Overdue`, value: 500, unit: 'money', isLate: true, to: 'fee/student-wise-fees-structure' },
        { title: text`Present`, value: 0, unit: 'percent', hasFailed: true },
      ],
      more: [{ title: text`Next due`, value: 700, unit: 'money' }],
    } satisfies OutputOf<typeof dashboardApi.line>,
  });
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  expect(await screen.findByText('₹1,86,450')).toBeTruthy();
  expect(screen.getByText('₹2,14,300 yesterday')).toBeTruthy();
  expect(screen.getByText('of 36')).toBeTruthy();
  expect(screen.getByText('–')).toBeTruthy();
  expect([...document.querySelectorAll('[data-late]')].map(({ textContent }) => textContent)).toEqual([
    'Missing: Grade 4, A',
    '₹5',
  ]);
  expect(screen.getByRole('link', { name: 'Overdue' }).getAttribute('href')).toBe(
    '/school-erp/fee/student-wise-fees-structure',
  );
  expect(screen.getByText(/Some figures of today could not be loaded/)).toBeTruthy();
  expect(screen.queryByText('Next due')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'More figures (1)' }));
  expect(screen.getByText('Next due')).toBeTruthy();
});

const changed = (lines: OutputOf<typeof dashboardApi.changes>['lines']) =>
  fakeServer({
    ...answers([]),
    'GET /api/dashboard/change': { hasFailed: false, since: '2026-11-27', lines },
  });

test('the news since the last school day has names and leads to its list', async () => {
  changed([
    {
      title: text`Left`,
      words: text`4 students left`,
      names: ['Asha', 'Bina'],
      more: 2,
      to: 'student/student-list?tab=left',
    },
  ]);
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  expect((await screen.findByRole('link', { name: '4 students left' })).getAttribute('href')).toBe(
    '/school-erp/student/student-list?tab=left',
  );
  expect(screen.getByText('Asha, Bina and 2 more')).toBeTruthy();
});

test('where nothing is new since the last school day, one line says so', async () => {
  changed([]);
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  expect(await screen.findByText(/^Nothing new since the last school day/)).toBeTruthy();
});

test('P1.12 the bars of a chart are a table with its sum, and each opens its list', async () => {
  fakeServer({
    ...answers([]),
    'GET /api/dashboard/chart': {
      hasFailed: false,
      charts: [
        {
          title: text`Overdue by class`,
          to: 'fee/student-wise-fees-structure',
          drawing: {
            kind: 'rows',
            says: text`Three students owe`,
            unit: 'money',
            rows: [
              { label: text`LKG`, value: 100_000, count: 1, to: 'fee/list?gradeId=1' },
              { label: text`UKG`, value: 250_050, count: 2, to: 'fee/list?gradeId=2' },
            ],
            total: { value: 350_050, count: 3 },
          },
        },
      ],
    } satisfies OutputOf<typeof dashboardApi.charts>,
  });
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const table = await screen.findByRole('table', { name: 'Three students owe' });
  expect(within(table).getByRole('row', { name: /^UKG 2 ₹2,500\.50/ })).toBeTruthy();
  expect(within(table).getByRole('row', { name: /^All 3 ₹3,500\.50/ })).toBeTruthy();
  expect(within(table).getByRole('link', { name: 'UKG' }).getAttribute('href')).toBe('/school-erp/fee/list?gradeId=2');
});

const onPhone = () =>
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query === '(max-width: 767px)',
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as never,
  );

test('a phone shows today’s figures and the work; the cards of figures are behind one button, which moves the focus to them', async () => {
  onPhone();
  const blank: DashboardCard = { title: text`Visits`, figures: [{ label: text`Today`, value: 0 }] };
  const line = { hasFailed: false, more: [], figures: [{ title: text`Present`, value: 96, unit: 'number' as const }] };
  fakeServer({ ...answers([teachers, blank]), 'GET /api/dashboard/line': line });
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const show = await screen.findByRole('button', { name: 'Show' });
  expect(screen.getByText('More:').parentElement?.textContent).toContain('More: Teachers');
  expect(screen.queryByText(/Visits/)).toBeNull();
  expect(screen.queryByRole('region', { name: 'Teachers' })).toBeNull();
  show.focus();
  fireEvent.click(show);
  const card = await screen.findByRole('region', { name: 'Teachers' });
  await waitFor(() => expect(document.activeElement).toBe(card));
});

test('without figures for today, a phone shows the cards of figures at once', async () => {
  onPhone();
  fakeServer(answers([teachers]));
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  expect(await screen.findByRole('region', { name: 'Teachers' })).toBeTruthy();
});

test('a card of figures that failed is shown on a phone at once', async () => {
  onPhone();
  const line = { hasFailed: false, more: [], figures: [{ title: text`Present`, value: 96, unit: 'number' as const }] };
  const failed: DashboardCard = { title: text`Accounts`, figures: [], hasFailed: true };
  fakeServer({ ...answers([teachers, failed]), 'GET /api/dashboard/line': line });
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  expect(await screen.findByRole('region', { name: 'Accounts' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Teachers' })).toBeNull();
});

test('of long work a phone shows six rows, and the button for the others moves the focus to the first of them', async () => {
  onPhone();
  const row = {
    kind: 'call-late',
    icon: 'call' as const,
    about: '',
    detail: text`Today`,
    act: text`Call`,
    when: 'late' as const,
  };
  const rows = Array.from({ length: 10 }, (_, index) => ({
    ...row,
    id: index,
    title: `Child ${index + 1}`,
    to: `admission/inquiry/${index + 1}`,
  }));
  fakeServer(answers([], { ...nothing, total: 10, rows }));
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const more = await screen.findByRole('button', { name: 'Show 4 more' });
  expect(screen.queryByRole('link', { name: 'Child 7' })).toBeNull();
  more.focus();
  fireEvent.click(more);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Child 7' })));
  expect(screen.getByRole('link', { name: 'Child 10' })).toBeTruthy();
});
