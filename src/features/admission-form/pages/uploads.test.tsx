import { act, fireEvent, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  attach,
  expectPage,
  expectProblems,
  field,
  file,
  fill,
  findPressable,
  heads,
  nothingKnown,
  openForm,
  press,
  problemBeside,
  question,
  rowsOf,
  saveAndNext,
  summary,
} from '#testing/form-page.tsx';
import { basicInfoApi } from '../contract/basic-info.ts';

const photo = 'admissionStudentImageIFormFile';
const save = 'POST /api/admission/basic-info';
const large = file('IMG_0001.JPG', heads.jpeg, 900_000);
const chosen = () => question(photo).querySelector('[role=status]')?.textContent ?? '';
const bar = () => document.querySelector('form > div:last-child')?.textContent ?? '';

/** Replaces the worker that shrinks pictures; returns a function that finishes its work. */
function fakeShrinking() {
  const { promise: asked, resolve: ask } = Promise.withResolvers<(made: Blob | undefined) => void>();
  vi.stubGlobal(
    'Worker',
    class {
      onmessage?: (event: { data: Blob | undefined }) => void;
      postMessage() {
        ask((data) => this.onmessage?.({ data }));
      }
      terminate() {}
    },
  );
  return async (made: Blob | undefined) => {
    const end = await asked;
    await act(async () => end(made));
  };
}

const slowLine = (line: object) => Object.defineProperty(navigator, 'connection', { value: line, configurable: true });
afterEach(() => Reflect.deleteProperty(navigator, 'connection'));

test('B17 a picture that cannot be made smaller is refused in words', async () => {
  await openForm('/admission');
  const end = fakeShrinking();
  fireEvent.change(field(photo), { target: { files: [file('broken.jpg', heads.jpeg, 3_000_000)] } });
  await waitFor(() => expect(problemBeside(photo)).toBe('File size exceeds 2MB'));
  press('Make it smaller for me');
  expect(chosen()).toBe('Making it smaller');
  await end(undefined);
  expect(problemBeside(photo)).toBe('This picture is too large. Choose a smaller one.');
  expect(chosen()).toBe('');
});

test('B17 a picture that is too large is replaced by the smaller one, and its refusal goes', async () => {
  await openForm('/admission');
  const end = fakeShrinking();
  fireEvent.change(field(photo), { target: { files: [file('IMG_0001.JPG', heads.jpeg, 3_000_000)] } });
  await waitFor(() => expect(problemBeside(photo)).toBe('File size exceeds 2MB'));
  press('Make it smaller for me');
  await end(new Blob([new Uint8Array(300_000)]));
  expect(chosen()).toBe('IMG_0001.jpg 300 kB');
  expect(problemBeside(photo)).toBeUndefined();
  expect(findPressable('Make it smaller for me')).toBeUndefined();
});

test('B17 a PDF that is too large is not offered to be made smaller', async () => {
  await openForm('/admission4');
  const name = 'DocumentIFormFile';
  fireEvent.change(field(name), { target: { files: [file('scan.pdf', heads.pdf, 5_000_000)] } });
  await waitFor(() => expect(problemBeside(name)).toBe('File select up 4 Mb file'));
  expect(findPressable('Make it smaller for me')).toBeUndefined();
});

test('B17 on a slow line a picture over 800 kB is made smaller without asking', async () => {
  slowLine({ effectiveType: '3g' });
  await openForm('/admission');
  const end = fakeShrinking();
  await attach(photo, file('IMG_0000.JPG', heads.jpeg, 700_000));
  expect(chosen()).toBe('IMG_0000.JPG 700 kB');
  fireEvent.change(field(photo), { target: { files: [large] } });
  await waitFor(() => expect(chosen()).toBe('Making it smaller'));
  await end(new Blob([new Uint8Array(300_000)]));
  expect(chosen()).toBe('IMG_0001.jpg 300 kB');
});

test('a picture that was removed while it was made smaller stays removed', async () => {
  slowLine({ saveData: true });
  await openForm('/admission');
  const end = fakeShrinking();
  fireEvent.change(field(photo), { target: { files: [large] } });
  await waitFor(() => expect(chosen()).toBe('Making it smaller'));
  press('Remove Child Photo');
  await end(new Blob([new Uint8Array(300_000)]));
  expect(chosen()).toBe('');
});

test('B19 on a desk a file can be dropped', async () => {
  await openForm('/admission');
  const place = question(photo).querySelector('[role=status]') ?? document.body;
  fireEvent.drop(place, { dataTransfer: { files: [file('dropped.png')] } });
  await waitFor(() => expect(chosen()).toContain('dropped.png'));
});

test('B19 Take a photo and Choose a file name what they are for, and only one opens the camera', async () => {
  await openForm('/admission');
  const nameOf = (input: Element) =>
    (input.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent?.trim())
      .join(' ');
  const inputs = [...question(photo).querySelectorAll('input[type=file]')];
  expect(inputs.map((input) => [nameOf(input), input.getAttribute('capture')])).toEqual([
    ['Take a photo Child Photo', 'environment'],
    ['Choose a file Child Photo', null],
  ]);
  expect(inputs[0]?.getAttribute('accept')).toBe('image/*');
  fireEvent.change(inputs[0] ?? document.body, { target: { files: [file('IMG_0001.JPG', heads.jpeg)] } });
  await waitFor(() => expect(chosen()).toContain('IMG_0001.JPG'));
  press('Remove Child Photo');
  expect(chosen()).toBe('');
});

test('B15 a broken upload is tried again by itself, three times with longer pauses, under one key', async () => {
  const server = await openForm('/admission', { pages: 1, answers: { [save]: undefined } });
  const saves = () => server.sent.filter(({ method, path }) => `${method} ${path}` === save);
  await attach(photo);
  vi.useFakeTimers();
  saveAndNext();
  const later = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  await later(0);
  expect(saves()).toHaveLength(1);
  expect(bar()).toContain('No connection. Trying again.');
  for (const [pause, tries] of [
    [1000, 2],
    [3000, 3],
    [9000, 4],
  ] as const) {
    await later(pause - 1);
    expect(saves()).toHaveLength(tries - 1);
    await later(1);
    expect(saves()).toHaveLength(tries);
  }
  vi.useRealTimers();
  await expectProblems({ [photo]: 'The file could not be uploaded. Try again.' });
  expect(chosen()).toContain('picture.png');
  server.answers[save] = { ...rowsOf(basicInfoApi.save, []), isSuccess: true };
  saveAndNext();
  await expectPage('/admission1');
  expect(saves()).toHaveLength(5);
  expect(new Set(saves().map(({ key }) => key)).size).toBe(1);
});

test('an upload that is cancelled keeps file and answers, and can be sent again', async () => {
  const { promise: held } = Promise.withResolvers<undefined>();
  const server = await openForm('/admission', { pages: 1, answers: { [save]: () => held } });
  fill('religion', 'Jain');
  await attach(photo);
  saveAndNext();
  await waitFor(() => expect(bar()).toContain('Uploading 50 %'));
  press('Cancel upload');
  await waitFor(() => expect(bar()).toContain('Upload cancelled. Your answers are still here.'));
  expect(field('religion').value).toBe('Jain');
  expect(chosen()).toContain('picture.png');
  server.answers[save] = { ...rowsOf(basicInfoApi.save, []), isSuccess: true };
  saveAndNext();
  await expectPage('/admission1');
});

test('a file of another kind is still named as that when the form is sent without it', async () => {
  await openForm('/admission', { inquiry: nothingKnown });
  const wrong = 'Select a PNG, JPG or JPEG picture.';
  fireEvent.change(field(photo), { target: { files: [file('photo.gif', heads.gif)] } });
  await waitFor(() => expect(problemBeside(photo)).toBe(wrong));
  saveAndNext();
  await waitFor(() => expect(summary()?.textContent).toContain(wrong));
  expect(problemBeside(photo)).toBe(wrong);
});
