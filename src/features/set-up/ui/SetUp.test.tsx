import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { SetUp } from './SetUp.tsx';

const step = (key: string, isDone: boolean) => ({
  ...{
    key,
    isDone,
    isSkipped: false,
    title: text`Calendar`,
    found: text`No academic year`,
    missing: text`Enter its first day.`,
  },
  ...{ to: `page/${key}`, act: text`Open` },
});

test('an open step says what is missing and leads to it; a finished one keeps its count and its page', async () => {
  renderPage(<SetUp steps={[step('school', true), step('teachers', false), step('staff', false)]} />);
  const [done, next, later] = await screen.findAllByRole('listitem');
  if (!done || !next || !later) throw new Error('The steps are missing.');
  expect(within(done).getByRole('link', { name: 'Calendar' }).getAttribute('href')).toBe('/school-erp/page/school');
  expect(within(done).queryByText('Enter its first day.')).toBeNull();
  expect(within(next).getByText('Enter its first day.')).toBeTruthy();
  expect(within(next).getByRole('link', { name: 'Open' }).getAttribute('href')).toBe('/school-erp/page/teachers');
  expect(screen.getByText('1 of 3 steps done')).toBeTruthy();
});

test('nothing is left to show once every step is done', () => {
  renderPage(<SetUp steps={[step('school', true)]} />);
  expect(screen.queryByText('Set up your school')).toBeNull();
});

test('classes are shown with their counts before they are added', async () => {
  const parts = [{ part: 'Sections', added: 20, alreadyThere: 0 }];
  const { sent } = fakeServer({
    'POST /api/set-up/classes': ({ fields }) => ({
      parts,
      isApplied: 'confirmToken' in fields,
      confirmToken: 'token',
    }),
  });
  renderPage(<SetUp steps={[step('classes', false)]} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Open' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Preview' }));
  expect(await screen.findByRole('row', { name: 'Sections 20 0' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Add these' }));
  await expect.poll(() => sent.filter(({ path }) => path === '/api/set-up/classes')).toHaveLength(2);
  expect(sent.at(-1)?.fields).toMatchObject({ firstClass: '1', lastClass: '10', confirmToken: 'token' });
});

test('a step is skipped and resumed; it says so, and the next one comes first', async () => {
  const { sent } = fakeServer({ 'POST /api/set-up/skip': {} });
  renderPage(<SetUp steps={[{ ...step('staff', false), isSkipped: true }, step('teachers', false)]} />);
  const [skipped, next] = await screen.findAllByRole('listitem');
  if (!skipped || !next) throw new Error('The steps are missing.');
  expect(within(skipped).getByText('Skipped')).toBeTruthy();
  expect(within(skipped).queryByText('Enter its first day.')).toBeNull();
  expect(within(next).getByRole('link', { name: 'Open' }).className).toContain('main');
  fireEvent.click(within(skipped).getByRole('button', { name: 'Resume “Calendar”' }));
  await expect.poll(() => sent.at(-1)?.fields).toEqual({ key: 'staff', isSkipped: false });
  fireEvent.click(within(next).getByRole('button', { name: 'Skip “Calendar”' }));
  await expect.poll(() => sent.at(-1)?.fields).toEqual({ key: 'teachers', isSkipped: true });
  cleanup();
  // Once nothing is open, skipped steps stay in a closed list.
  renderPage(<SetUp steps={[{ ...step('staff', false), isSkipped: true }, step('school', true)]} />);
  expect((await screen.findByText('1 skipped setup step')).closest('details')?.open).toBe(false);
  expect(screen.queryByText('Set up your school')).toBeNull();
  expect(screen.getByRole('button', { name: 'Resume “Calendar”', hidden: true })).toBeTruthy();
});

test('classes and accounts can be added again once their step is done', async () => {
  renderPage(<SetUp steps={[step('classes', true), step('year', true), step('teachers', false)]} />);
  const [classes, year] = await screen.findAllByRole('listitem');
  if (!classes || !year) throw new Error('The steps are missing.');
  expect(within(year).queryByRole('button')).toBeNull();
  fireEvent.click(within(classes).getByRole('button', { name: 'Add more: Calendar' }));
  expect(await screen.findByRole('dialog', { name: 'Add classes' })).toBeTruthy();
});

test('streams are asked for once the last class has them', async () => {
  const { sent } = fakeServer({
    'POST /api/set-up/classes': { parts: [], isApplied: false, confirmToken: 'token' },
  });
  renderPage(<SetUp steps={[step('classes', false)]} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Open' }));
  expect(screen.queryByRole('checkbox', { name: 'Commerce' })).toBeNull();
  fireEvent.change(screen.getByRole('combobox', { name: 'Last class' }), { target: { value: '12' } });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Commerce' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Science' }));
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await expect.poll(() => sent.at(-1)?.fields).toMatchObject({ lastClass: '12', streams: 'Science,Commerce' });
});

test('a calendar that could not be read says so, with a retry', async () => {
  fakeServer({ 'GET /api/academic/year-list': undefined });
  renderPage(<SetUp steps={[step('calendar', false)]} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Open' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Weekly offs and holidays' }));
  expect(dialog.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

function SchoolStep() {
  const [isDone, setDone] = useState(false);
  return (
    <>
      <SetUp steps={[step('school', isDone), step('teachers', false)]} />
      <button type="button" onClick={() => setDone(true)}>
        Save
      </button>
    </>
  );
}

test('the next step has the focus once a step is done and its button is gone', async () => {
  renderPage(<SchoolStep />);
  const [first, second] = await screen.findAllByRole('listitem');
  if (!first || !second) throw new Error('The steps are missing.');
  expect(document.activeElement).toBe(document.body);
  within(first).getByRole('link', { name: 'Open' }).focus();
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(document.activeElement).toBe(within(second).getByRole('link', { name: 'Open' }));
});
