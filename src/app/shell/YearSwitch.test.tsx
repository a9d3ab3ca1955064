import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { type AcademicYear, keptChoice, workingYearName } from '#features/calendar/contract/year.ts';
import { YearStrip } from '#features/calendar/ui/YearStrip.tsx';
import { queryClient } from '#kit/browser/data/read.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { YearSwitch } from './YearSwitch.tsx';

const year = (id: number, name: string, phase: AcademicYear['phase']): AcademicYear => ({
  id,
  name,
  phase,
  isCurrent: phase === 'Current',
  startsOn: `${name.slice(0, 4)}-06-01`,
  endsOn: `${Number(name.slice(0, 4)) + 1}-05-31`,
});
const inMay = [year(2, '2027-28', 'Planned'), year(1, '2026-27', 'Current')];
const inJune = [year(2, '2027-28', 'Current'), year(1, '2026-27', 'Ended')];

const show = (years: AcademicYear[]) => {
  cleanup();
  queryClient.clear();
  fakeServer({ 'GET /api/academic/year-list': years });
  renderPage(
    <>
      <YearSwitch />
      <YearStrip />
    </>,
  );
};
const chosen = async () => {
  const { value } = await screen.findByRole<HTMLSelectElement>('combobox');
  return screen.getAllByRole<HTMLOptionElement>('option').find((option) => option.value === value)?.textContent;
};

beforeEach(() => localStorage.clear());

test('U1.4 a year chosen in May is dropped in June with one toast; chosen again it is shown with the strip', async () => {
  localStorage.setItem(workingYearName, keptChoice(1, 1));
  show(inJune);
  expect(await screen.findByText('2027-28 has begun. Lists show it now.')).toBeTruthy();
  expect(await chosen()).toBe('2027-28');
  expect(screen.queryByText(/You see/)).toBeNull();

  show(inJune);
  expect(await chosen()).toBe('2027-28');
  expect(screen.queryByText('2027-28 has begun. Lists show it now.')).toBeNull();
  fireEvent.change(screen.getByRole('combobox'), { target: { value: '1' } });
  await waitFor(async () => expect(await chosen()).toBe('2026-27, ended'));
  expect(await screen.findByText('You see 2026-27 (ended).')).toBeTruthy();

  show(inJune);
  expect(await chosen()).toBe('2026-27, ended');
  fireEvent.click(await screen.findByRole('button', { name: 'Show 2027-28' }));
  await waitFor(async () => expect(await chosen()).toBe('2027-28'));
});

test('the next year, chosen in May, is the current one in June without a word', async () => {
  localStorage.setItem(workingYearName, keptChoice(2, 1));
  show(inMay);
  expect(await screen.findByText('You see 2027-28 (planned).')).toBeTruthy();
  show(inJune);
  expect(await chosen()).toBe('2027-28');
  expect(screen.queryByText('2027-28 has begun. Lists show it now.')).toBeNull();
});

test('what an earlier version stored is no choice', async () => {
  localStorage.setItem(workingYearName, '2');
  show(inMay);
  expect(await chosen()).toBe('2026-27');
});
