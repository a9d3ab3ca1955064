import { act, fireEvent, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { deadLinkMessage } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import { expectPage, field, fill, openForm, page, press, refused } from '#testing/form-page.tsx';

const keep = (draft: string) => `PUT /api/admission/draft/${draft}`;
const state = 'form > div:last-child > div > [role=status]';
const status = () => document.querySelector(state)?.textContent ?? '';
const keptAs = (draft: string, { sent }: Awaited<ReturnType<typeof openForm>>) =>
  sent.filter(({ method, path }) => `${method} ${path}` === keep(draft)).map(({ fields }) => fields);

test('B11 Previous, the steps and the browser’s Back lose nothing, and say no "Welcome back"', async () => {
  await openForm('/admission2');
  fill('childPersonalityAndHomeRoutine', 'Typed and left at once');
  press('Add a school');
  fill('schoolName', 'Half a row');
  press('Previous');
  await expectPage('/admission1');
  fill('fatherHobbies', 'Chess');
  window.history.back();
  await expectPage('/admission2');
  expect(field('childPersonalityAndHomeRoutine').value).toBe('Typed and left at once');
  expect(field('schoolName').value).toBe('Half a row');
  press('Family');
  await expectPage('/admission1');
  expect(field('fatherHobbies').value).toBe('Chess');
  expect(page()).not.toContain('Welcome back');
});

test('B11 what was typed on another device is filled in, with the time it was entered', async () => {
  const data = {
    number: 3,
    savedDateTime: '2026-06-01T10:00:00.000Z',
    visit: 'another',
    answers: { reasonsForAdmission: 'દાદીનું ઘર પાસે છે', isNoQuestionHere: 'x' },
  };
  await openForm('/admission3', {
    answers: { 'GET /api/admission/draft/additional-info': { isSuccess: true, message: '', data } },
  });
  expect(field('reasonsForAdmission').value).toBe('દાદીનું ઘર પાસે છે');
  expect(page()).toMatch(/Welcome back\. We filled in what you entered on 1 Jun 2026, \d\d:\d\d\./);
});

test('B13 what was typed is sent before the camera or the choice of a file opens', async () => {
  const server = await openForm('/admission');
  vi.useFakeTimers();
  fill('religion', 'Jain');
  expect(keptAs('basic-info', server)).toEqual([]);
  fireEvent.click(field('admissionStudentImageIFormFile'));
  expect(keptAs('basic-info', server)).toMatchObject([{ answers: { religion: 'Jain' } }]);
});

test('B12 a draft that does not reach the server says so, and is sent once the line returns', async () => {
  const server = await openForm('/admission2');
  const kept = server.answers['PUT /api/admission/draft/:page'];
  server.answers['PUT /api/admission/draft/:page'] = undefined;
  vi.useFakeTimers();
  fill('childPersonalityAndHomeRoutine', 'Typed offline');
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(status()).toBe('Not saved: no connection. Your answers are kept on this device.');
  server.answers['PUT /api/admission/draft/:page'] = kept;
  fireEvent(window, new Event('online'));
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(status()).toMatch(/^Saved \d\d:\d\d$/);
  expect(keptAs('health', server).at(-1)).toMatchObject({
    answers: { childPersonalityAndHomeRoutine: 'Typed offline' },
  });
});

test('B14 the tab that knows less is told of the other one, and nothing is overwritten unasked', async () => {
  const server = await openForm('/admission3');
  const kept = server.answers['PUT /api/admission/draft/:page'];
  server.answers['PUT /api/admission/draft/:page'] = refused('stale', 'Changed.', {
    data: { number: 4, savedDateTime: '2026-06-01T10:00:00.000Z' },
  });
  fill('reasonsForAdmission', 'Written second');
  fireEvent.blur(field('reasonsForAdmission'));
  await waitFor(() => expect(status()).toMatch(/This page was changed on another device at \d\d:\d\d\./));
  fill('reasonsForAdmission', 'Written third');
  fireEvent.blur(field('reasonsForAdmission'));
  expect(keptAs('additional-info', server)).toMatchObject([{ number: 1, basedOn: 0 }]);

  server.answers['PUT /api/admission/draft/:page'] = kept;
  press('Keep my version');
  await waitFor(() => expect(status()).toMatch(/^Saved/));
  expect(keptAs('additional-info', server).at(-1)).toMatchObject({
    number: 5,
    basedOn: 4,
    answers: { reasonsForAdmission: 'Written third' },
  });
});

test('W6 B12 a parent whose link is replaced while typing is told so, keeps what was typed, and is shown the way to a new link', async () => {
  const dead = refused('not_found', english(deadLinkMessage));
  await openForm('/admission2', {
    pages: 3,
    answers: { 'PUT /api/admission/draft/:page': dead, 'POST /api/admission/health': dead },
  });
  fill('childPersonalityAndHomeRoutine', 'Typed afterwards');
  fireEvent.blur(field('childPersonalityAndHomeRoutine'));
  await waitFor(() =>
    expect(status()).toContain(
      'Not saved: this link no longer works. Your answers are kept on this device. Open the school’s latest message.',
    ),
  );
  expect(document.querySelector(`${state} a`)?.getAttribute('href')).toBe('/admission');
  press('Save and Next');
  await waitFor(() => expect(document.querySelector('[role=alert]')?.textContent).toContain(english(deadLinkMessage)));
  expect(field('childPersonalityAndHomeRoutine').value).toBe('Typed afterwards');
});
