import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { SectionStudentPage } from './SectionStudentPage.tsx';

const grade = (id: number, name: string) => ({ id, name, isActive: true });
const section = {
  name: 'Grade 1, A',
  program: 'General',
  branch: 'Main',
  capacity: 40,
  strength: 0,
  girls: 0,
  boys: 0,
};

function serve(answers: Answers = {}) {
  let isRollLocked = false;
  return fakeServer({
    'GET /api/academic/year-list': [{ id: 1, name: '2026-27', phase: 'Current', isCurrent: true }],
    'GET /api/academic/grade/option': [grade(1, 'Nursery'), grade(2, 'Grade 1'), grade(3, 'Grade 2')],
    'GET /api/academic/section-student/grade': [2, 3],
    'GET /api/academic/section-student': () => ({
      on: '2026-07-01',
      isClosed: false,
      sections: [{ ...section, id: 7, isRollLocked }],
      unplaced: 0,
    }),
    'GET /api/academic/section-student/student': { students: [], total: 0 },
    'POST /api/academic/section-student/7/roll-lock': ({ fields }: { fields: Record<string, unknown> }) => {
      isRollLocked = fields.isLocked === true;
      return {};
    },
    ...answers,
  });
}
const chosenGrade = async () => (await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Grade' })).value;
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

test('the students of a grade that has sections are shown first, and the next time those of the grade used last', async () => {
  serve();
  const router = renderPage(<SectionStudentPage />, '/page?tab=roll');
  expect(await chosenGrade()).toBe('2');
  fireEvent.change(screen.getByRole('combobox', { name: 'Grade' }), { target: { value: '3' } });
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'roll', grade: '3' }));
  await router.navigate({ to: '/page', search: { tab: 'roll' } as never });
  expect(await chosenGrade()).toBe('3');
});

test('locking the roll numbers is answered, can be undone, and ends the words about numbering', async () => {
  const { sent: calls } = serve();
  renderPage(<SectionStudentPage />, '/page?tab=roll');
  expect(await screen.findByText(/are numbered last/)).toBeTruthy();
  await press('Lock roll numbers');
  expect(await screen.findByText('Roll numbers of Grade 1, A locked')).toBeTruthy();
  expect(await screen.findByText(/^Roll numbers are locked/)).toBeTruthy();
  expect(screen.queryByText(/are numbered last/)).toBeNull();
  await press('Undo');
  expect(await screen.findByText(/are numbered last/)).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'POST').map(({ fields }) => fields.isLocked)).toEqual([true, false]);
});

test('X42 before a promotion each student is listed by decision and section, and those without a seat by name', async () => {
  const student = (id: number, name: string, section: string) => ({ id, name, grNo: `G${id}`, section, why: null });
  serve({
    'GET /api/academic/year-list': [
      { id: 2, name: '2027-28', phase: 'Planned', isCurrent: false, startsOn: '2027-06-01', endsOn: '2028-04-30' },
      { id: 1, name: '2026-27', phase: 'Current', isCurrent: true, startsOn: '2026-06-01', endsOn: '2027-04-30' },
    ],
    'GET /api/academic/section-student/promotion': {
      nextGrade: 'Grade 2',
      lastDay: '2027-04-30',
      students: [
        student(1, 'Asha Rao', 'A'),
        student(2, 'Bela Shah', 'A'),
        student(3, 'Chirag Jain', 'B'),
        student(4, 'Dev Rana', ''),
      ],
      total: 4,
    },
    'GET /api/academic/section-student/promoted': [],
    'POST /api/academic/section-student/promotion': {
      ...{ done: 3, alreadyThere: 0, unplaced: 2, isApplied: false, confirmToken: 'token', also: [], blocks: [] },
      sections: [{ name: 'Grade 2, A', added: 1, strength: 40, capacity: 40 }],
      unseated: [{ name: 'Bela Shah', why: text`${{ section: 'Grade 2, A' }} is full` }],
    },
  });
  renderPage(<SectionStudentPage />, '/page?tab=promote');
  const decide = async (name: string, decision: string) =>
    fireEvent.change(await screen.findByRole('combobox', { name: `Decision for ${name}` }), {
      target: { value: decision },
    });
  await decide('Chirag Jain', 'Detain');
  await decide('Dev Rana', '');
  await press('Promote to 2027-28…');
  const dialog = await screen.findByRole('dialog', { name: 'Promote to 2027-28' });
  expect([...dialog.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'Grade 2, A 1 more, then 40 of 40 seats',
    'Without a section in 2027-28: 1Grade 2, A is full: Bela Shah',
    'Detain, B: 1Chirag Jain',
    'Decide later, no section: 1Dev Rana',
    'Promote, A: 2Asha Rao, Bela Shah',
  ]);
});
