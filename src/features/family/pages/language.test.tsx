import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { configure } from '#features/school/ui/configuration.ts';
import { addWords, InLanguage, speak } from '#kit/browser/language.tsx';
import { activate } from '#kit/browser/text.ts';
import { ToastProvider } from '#kit/browser/ui/toast.tsx';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { familyParts } from '../../../family-parts.ts';
import type { FamilyPageData } from '../contract/family.ts';
import { FamilyPage } from './FamilyPage.tsx';
import { keepAskedLanguage } from './reader-language.ts';

const marks = (studentId: number, ...given: [day: string, kind: string][]) =>
  given.map(([day, kind]) => ({
    studentId,
    day: `2026-11-${day}`,
    kind,
    half: 1,
    symbol: '',
    cameAt: '',
    takenAt: '8:22',
  }));
const notice = {
  id: 3,
  number: 1,
  title: 'સૂચના',
  body: [],
  category: 'રમત',
  priority: 'Important',
  publishedOn: '2026-11-20',
  isEdited: true,
  isRead: false,
  asks: 'Acknowledgement',
  options: [],
  toAnswer: [],
  answers: [],
  isAsked: true,
  isOpen: true,
  acknowledgeBy: '2026-11-30',
  isAcknowledged: false,
  children: [7],
  files: [{ id: '1', name: 'ફાઇલ' }],
};
const task = (id: number, status: string) => ({
  id,
  studentId: 7,
  title: 'પાઠ',
  subject: 'ગણિત',
  minutes: 20,
  assignedOn: '2026-11-20',
  dueOn: '2026-11-28',
  isNext: true,
  instructions: 'પાનું 3',
  links: [],
  files: [],
  status,
  marks: 3,
  maxMarks: 5,
  feedback: 'સરસ',
});
const question = (studentId: number, state: string, answer: string) => ({
  studentId,
  year: '2027-28',
  words: 'આવતા વર્ષે?',
  until: '2026-12-15',
  state,
  answer,
  nextSchool: '',
});
const page: FamilyPageData = {
  guardian: 'મીરા',
  day: '2026-11-26',
  at: '2026-11-26T09:14:00+05:30',
  language: '',
  until: '2027-05-24',
  proof: { isProven: false, way: 'SMS', to: '43' },
  children: [
    { id: 7, name: 'આરવ', section: '5', reach: 'All' },
    { id: 9, name: 'દિયા', section: '2', reach: 'All' },
    { id: 11, name: 'ઈશા', section: '1', reach: 'All' },
  ],
  parts: {
    announcement: [
      notice,
      { ...notice, id: 4, asks: 'Nothing', isAsked: false, isRead: true },
      { ...notice, id: 5, isAcknowledged: true },
    ],
    homework: ['Pending', 'Missing', 'Incomplete', 'Submitted', 'Late', 'Not done', 'Excused'].map((status, id) =>
      task(id, status),
    ),
    attendance: [
      ...marks(7, ['16', 'Absent'], ['20', 'Late'], ['24', 'Half day'], ['25', 'Leave'], ['26', 'Present']),
      ...marks(9, ['26', 'Leave']),
      ...marks(11, ['26', 'Absent']),
    ],
    'fee-money': [
      {
        studentId: 7,
        today: 902_000,
        rows: [false, true].map((isFine) => ({ label: 'ફી', dueOn: '2026-11-10', isFine, amount: 902_000 })),
      },
    ],
    transport: [
      {
        studentId: 7,
        route: '7',
        isDayOff: false,
        ways: [
          { trip: 'pickup', time: '07:12', stop: 'બાગ', vehicle: '4417' },
          { trip: 'drop', time: '14:12', stop: 'બાગ', vehicle: '4417' },
        ],
      },
      { studentId: 9, route: '7', isDayOff: false, ways: [] },
    ],
    'year-end': [question(7, 'Open', 'Leaving'), question(9, 'Over', 'Staying'), question(11, 'Office', '')],
  },
};
const link = 'ab'.repeat(16);
const answers = {
  'GET /api/family': page,
  'POST /api/family/opened': {},
  'PUT /api/family/preference': {},
  'POST /api/family/renewal': { message: '' },
};
const show = (over: Partial<FamilyPageData> = {}) => {
  const server = fakeServer({ ...answers, 'GET /api/family': { ...page, ...over } });
  render(
    <InLanguage
      draw={() => (
        <ToastProvider>
          <FamilyPage parts={familyParts} />
        </ToastProvider>
      )}
    />,
  );
  return server;
};
const offered = () =>
  act(() => configure({ schoolName: 'શાળા', schoolPhone: '0261 222 1100', languages: ['en', 'gu', 'hi'] }));
const choose = (name: string) => {
  const one = [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === name);
  if (!one) throw new Error(`${name} is not offered.`);
  fireEvent.click(one);
};
const told = ({ sent }: ReturnType<typeof show>) =>
  sent.filter(({ method }) => method === 'PUT').map(({ fields }) => fields.language);

beforeAll(() =>
  addWords({
    en: {},
    gu: () => import('../../../words/family-gu.ts'),
    hi: () => import('../../../words/family-hi.ts'),
  }),
);
beforeEach(() => {
  window.history.replaceState(null, '', `/family?family=${link}`);
  offered();
});
afterEach(() => {
  cleanup();
  document.title = '';
  // biome-ignore lint/suspicious/noDocumentCookie: as the page keeps it.
  document.cookie = 'language=; path=/; max-age=0';
  activate('en');
});

test('a change of language keeps what was typed and unfolded, asks for no new page and keeps the choice as the guardian’s', async () => {
  const server = show();
  const box = (await screen.findByLabelText('Next school, if you know it')) as HTMLInputElement;
  fireEvent.input(box, { target: { value: 'Sunrise' } });
  box.focus();
  const [folded] = document.querySelectorAll('details');
  if (folded) folded.open = true;
  const before = server.sent.length;
  for (const [name, head, day, title] of [
    ['ગુજરાતી', 'ગૃહકાર્ય', 'તે 24 મે 2027 સુધી ચાલશે', 'શાળાનું પાનું'],
    ['हिन्दी', 'गृहकार्य', 'यह 24 मई 2027 तक चलेगा', 'विद्यालय का पृष्ठ'],
    ['English', 'Homework', 'It works until 24 May 2027', 'School page'],
  ] as const) {
    choose(name);
    await waitFor(() => expect(document.body.textContent).toContain(head));
    expect(document.body.textContent).toContain(day);
    expect([document.title, document.activeElement, box.isConnected, box.value, folded?.open]).toEqual([
      title,
      box,
      true,
      'Sunrise',
      true,
    ]);
  }
  await waitFor(() => expect(told(server)).toEqual(['gu', 'hi', 'en']));
  expect(server.sent.slice(before).every(({ method }) => method === 'PUT')).toBe(true);
  expect(document.cookie).toBe('language=en');
});

test('a guardian reads the page in the language that the school knows, unless another was chosen on this device', async () => {
  show({ language: 'gu' });
  expect(await screen.findByText('આરવ શાળામાં છે')).toBeTruthy();
  cleanup();
  activate('en');
  // biome-ignore lint/suspicious/noDocumentCookie: as the page keeps it.
  document.cookie = 'language=en; path=/';
  show({ language: 'gu' });
  expect(await screen.findByText('આરવ is at school')).toBeTruthy();
});

test('a language that the address of a message asks for is kept on the device, and not as the guardian’s', () => {
  window.history.replaceState(null, '', `/family?family=${link}&lang=hi`);
  const server = fakeServer(answers);
  keepAskedLanguage();
  expect([document.cookie, window.location.search]).toEqual(['language=hi', `?family=${link}`]);
  expect(server.sent).toEqual([]);
});

test('a refusal of the server is said in the language of the page, and follows the switch without a request', async () => {
  const server = show();
  server.answers['POST /api/family/staying'] = refusal('conflict', {
    id: 'The answer is closed.',
    words: { gu: 'જવાબ બંધ છે.', hi: 'उत्तर बंद है।' },
  });
  (await screen.findByRole('button', { name: 'Save answer' })).click();
  await screen.findByText('The answer is closed.');
  const before = server.sent.filter(({ method }) => method !== 'PUT').length;
  for (const [name, words] of [
    ['ગુજરાતી', 'જવાબ બંધ છે.'],
    ['हिन्दी', 'उत्तर बंद है।'],
  ] as const) {
    choose(name);
    expect(await screen.findByText(words)).toBeTruthy();
  }
  expect(server.sent.filter(({ method }) => method !== 'PUT').length).toBe(before);
});

/** Words in Latin letters, but the name of the English language. */
function latin(): string[] {
  const found: string[] = [];
  const take = (words: string) =>
    found.push(
      ...(words.match(/[A-Za-z]{2,}/g) ?? [])
        .filter((word) => word !== 'English')
        .map((word) => `${word} in “${words}”`),
    );
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) take(walk.currentNode.textContent ?? '');
  for (const element of document.querySelectorAll('[aria-label], [alt], [title], [placeholder], [abbr]'))
    for (const name of ['aria-label', 'alt', 'title', 'placeholder', 'abbr']) take(element.getAttribute(name) ?? '');
  take(document.title);
  return [...new Set(found)];
}

test.each(['gu', 'hi'] as const)(
  'LG01 the page shows no English in %s, whatever a child’s day, homework and answer are',
  async (language) => {
    await act(() => speak(language));
    show();
    await waitFor(() => expect(document.querySelector('main h2')).not.toBeNull());
    expect(latin()).toEqual([]);
    expect(document.querySelector('footer')?.textContent).toContain(
      language === 'gu' ? 'અનુવાદ કમ્પ્યુટરે કર્યો છે' : 'अनुवाद कंप्यूटर ने किया है',
    );
  },
);

test.each(['gu', 'hi'] as const)(
  'the page of a dead link and one that cannot be read show no English in %s',
  async (language) => {
    await act(() => speak(language));
    const server = show();
    cleanup();
    server.answers['GET /api/family'] = refusal('not_found', 'Not found.');
    render(<InLanguage draw={() => <FamilyPage parts={familyParts} />} />);
    const ask = await waitFor(() => {
      const button = document.querySelector('main button');
      if (!button) throw new Error('No button yet.');
      return button;
    });
    fireEvent.click(ask);
    await waitFor(() => expect(document.querySelector('[role=status]')).not.toBeNull());
    expect(latin()).toEqual([]);
    cleanup();
    server.answers['GET /api/family'] = undefined;
    render(<InLanguage draw={() => <FamilyPage parts={familyParts} />} />);
    await waitFor(() => expect(document.querySelector('[role=alert]')).not.toBeNull());
    expect(latin()).toEqual([]);
  },
);
