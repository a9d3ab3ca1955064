import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { Daily } from '../contract/daily.ts';
import { DailyAttendancePage } from './DailyAttendancePage.tsx';

const office = { role: 'Staff', sets: ['office'] };
const daily: Daily = {
  today: '2026-11-26',
  day: '2026-11-26',
  seesChildren: true,
  closedFor: '',
  sections: [
    {
      id: 5,
      name: 'Grade 5, B',
      teacher: 'Meena Chauhan',
      strength: 40,
      registers: [{ slot: 'Full day', takenAt: null, takenBy: '', isDue: true }],
      present: 0,
      absent: 0,
      late: 0,
      leave: 0,
      perMille: null,
    },
  ],
  absentees: [],
  late: [],
  left: [],
};

test('E3.6 a refused number hides the late arrival entered before it', async () => {
  const entered = { name: 'Aarav Shah', section: 'Grade 5, B', arrivedAt: '09:20' };
  const answers = [entered, refusal('invalid', '', { fields: { number: 'No student has this number.' } }), entered];
  fakeServer({
    'GET /api/sign-in/me': office,
    'GET /api/attendance/daily': daily,
    'POST /api/attendance/gate': () => answers.shift(),
  });
  renderPage(<DailyAttendancePage />, '/page?show=gate');
  const late = within(await screen.findByRole('region', { name: 'Late' }));
  const field = late.getByRole('textbox', { name: /GR number/ });
  const enter = (number: string) => {
    fireEvent.change(field, { target: { value: number } });
    fireEvent.click(screen.getByRole('button', { name: 'Enter as late now' }));
  };
  enter('5B 17');
  await screen.findByText('Aarav Shah, Grade 5, B: late at 09:20');
  enter('99999');
  await screen.findByText('No student has this number.');
  expect(screen.queryByText(/late at 09:20/)).toBeNull();
  enter('5B 18');
  await screen.findByText('Aarav Shah, Grade 5, B: late at 09:20');
  await waitFor(() => expect(screen.queryByText('No student has this number.')).toBeNull());
});

test('E3.2 a reminder names the sections of which no class teacher was told', async () => {
  fakeServer({
    'GET /api/sign-in/me': office,
    'GET /api/attendance/daily': daily,
    'POST /api/attendance/daily/remind': { sections: 1, teachers: 0, missed: ['Grade 5, B'] },
  });
  renderPage(<DailyAttendancePage />);
  fireEvent.click(await screen.findByRole('button', { name: 'Remind teachers…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Remind' }));
  await screen.findByText('0 teachers were reminded');
  expect(screen.getByText('No class teacher with an account: Grade 5, B')).toBeTruthy();
});

test('E3.8 a section with two registers says which half is not taken, and leads to it', async () => {
  const [section] = daily.sections;
  const taken = {
    slot: 'Morning' as const,
    takenAt: '2026-11-26T02:42:00.000Z',
    takenBy: 'Meena Chauhan',
    isDue: true,
  };
  const afternoon = { slot: 'Afternoon' as const, takenAt: null, takenBy: '', isDue: true };
  const child = { studentId: 7, name: 'Aarav Shah', section: 'Grade 5, B', days: 2, guardian: '', mobile: '' };
  const { answers } = fakeServer({
    'GET /api/sign-in/me': office,
    'GET /api/attendance/daily': {
      ...daily,
      sections: section && [{ ...section, registers: [taken, afternoon], present: 39, absent: 1 }],
      absentees: [{ ...child, slot: 'Morning', outcome: '', note: '' }],
    },
  });
  const router = renderPage(<DailyAttendancePage />);
  const row = await screen.findByRole('row', { name: /Grade 5, B/ });
  expect(row.textContent).toContain('Afternoon: Not taken');
  expect(row.textContent).toContain('Morning: Taken 08:12 by Meena Chauhan');
  expect((await within(row).findByRole('link')).getAttribute('href')).toContain('slot=Afternoon');
  expect(screen.getByText('Not taken').nextSibling?.textContent).toBe('1');
  fireEvent.click(screen.getByRole('button', { name: 'Remind teachers…' }));
  await screen.findByText('Grade 5, B, Afternoon, Meena Chauhan');
  await router.navigate({ to: '/page', search: { show: 'absentees' } as never });
  expect((await screen.findByRole('row', { name: /Aarav Shah/ })).textContent).toContain('2 · Morning');
  // Before noon the afternoon is not missed.
  answers['GET /api/attendance/daily'] = {
    ...daily,
    sections: section && [{ ...section, registers: [taken, { ...afternoon, isDue: false }] }],
  };
  await router.navigate({ to: '/page', search: { day: '2026-11-25' } as never });
  await waitFor(() => expect(screen.queryByText(/Afternoon: Not taken/)).toBeNull());
  expect(screen.queryByRole('button', { name: 'Remind teachers…' })).toBeNull();
});

test('GP1 a pass takes a number, a reason and Enter; another person asks for name, relation and the principal', async () => {
  const child = {
    ...{ studentId: 7, name: 'Aarav Shah', section: 'Grade 5, B', mark: '', outSince: '' },
    adults: [
      { guardianId: 3, name: 'Meena Shah', relation: 'Mother', mayCollect: true, isBarred: false },
      { guardianId: 4, name: 'Nikhil Shah', relation: 'Father', mayCollect: false, isBarred: true },
    ],
    principals: [{ staffId: 2, name: 'Kokila Rao' }],
  };
  const made = { id: 1, passNo: 'GP/1', name: 'Aarav Shah', leftAt: '12:10', mark: 'Same', isTold: true };
  const sent: Record<string, unknown>[] = [];
  fakeServer({
    'GET /api/sign-in/me': office,
    'GET /api/attendance/daily': daily,
    'GET /api/attendance/exit/child': { children: [child] },
    'POST /api/attendance/exit': ({ fields }) => {
      sent.push(fields);
      return made;
    },
  });
  renderPage(<DailyAttendancePage />, '/page?act=gate-pass');
  const part = within(await screen.findByRole('region', { name: 'Leaves early' }));
  const field = await part.findByRole('textbox', { name: /GR number/ });
  expect(document.activeElement).toBe(field);
  const open = async () => {
    fireEvent.change(field, { target: { value: '5B 17' } });
    fireEvent.click(part.getByRole('button', { name: 'Gate pass' }));
    return within(await screen.findByRole('dialog'));
  };
  const form = await open();
  expect(form.getByText(/May never collect this child: Nikhil Shah \(Father\)/)).toBeTruthy();
  expect(form.queryByRole('option', { name: /Nikhil/ })).toBeNull();
  fireEvent.change(form.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Dentist' } });
  fireEvent.change(form.getByRole('combobox', { name: /With/ }), { target: { value: '' } });
  expect(form.getByRole('combobox', { name: /Principal/ })).toBeTruthy();
  fireEvent.click(form.getByRole('button', { name: 'Make the pass' }));
  expect((await form.findAllByText('Enter the name of the person who takes the child.')).length).toBeGreaterThan(0);
  expect(sent).toEqual([]);
  fireEvent.change(form.getByRole('combobox', { name: /With/ }), { target: { value: '3' } });
  fireEvent.click(form.getByRole('button', { name: 'Make the pass' }));
  await screen.findByText('Gate pass GP/1 for Aarav Shah');
  expect(sent).toMatchObject([{ studentId: 7, guardianId: '3', reason: 'Dentist', allowedBy: '' }]);
});
