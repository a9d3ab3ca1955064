import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { verbatim } from '#kit/contract/text.ts';
import { useAction } from './action.ts';
import { onAct } from './call.ts';
import { readChanged } from './read.ts';

const rename = endpoint({
  method: 'POST',
  path: '/thing/rename',
  access: 'public',
  changes: ['thing'],
  input: z.object({ name: z.string() }),
  output: z.object({ name: z.string() }),
});

/** The server's answers in order; undefined for a lost connection. */
let answers: (Response | undefined)[];
let sent: { key: string | null }[];
let giveAnswers: () => void;
const readAgain = vi.fn(() => Promise.resolve());

beforeEach(() => {
  vi.useFakeTimers();
  [answers, sent] = [[], []];
  const mayAnswer = new Promise<void>((resolve) => {
    giveAnswers = resolve;
  });
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
    sent.push({ key: new Headers(headers).get('idempotency-key') });
    await mayAnswer;
    const answer = answers.shift();
    if (!answer) throw new TypeError('The line is gone.');
    return answer;
  });
  onAct(readAgain);
});
afterEach(() => {
  readAgain.mockClear();
  onAct(readChanged);
});

function Rename({ name }: { name: string }) {
  const { run, isBusy, problem } = useAction(rename);
  return (
    <>
      <button type="button" aria-disabled={isBusy} onClick={() => void run({ name })}>
        Rename
      </button>
      {problem}
    </>
  );
}

const renamed = (name: string) => Response.json({ name });
const refused = (code: string, status: number) => Response.json({ error: { code, text: verbatim('No.') } }, { status });
const press = () => fireEvent.click(screen.getByRole('button'));
/** Lets the server answer, and pending timers run. */
const settle = async () => {
  giveAnswers();
  await act(() => vi.advanceTimersByTimeAsync(5000));
};

test('a button that is pressed twice acts once', async () => {
  answers = [renamed('Oak')];
  render(<Rename name="Oak" />);
  press();
  press();
  await act(() => vi.advanceTimersByTimeAsync(0));
  press();
  expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('true');
  await settle();
  expect(sent).toHaveLength(1);
  expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('false');
});

test('an act whose answer was lost is sent again under the same Idempotency-Key, and other input under another one', async () => {
  const { rerender } = render(<Rename name="Oak" />);
  press();
  await settle();
  expect(screen.getByRole('alert').textContent).toContain('can’t be reached');
  press();
  await settle();
  rerender(<Rename name="Elm" />);
  press();
  await settle();
  const keys = sent.map(({ key }) => key);
  expect(keys).toHaveLength(6); // Each press is tried twice.
  expect(new Set(keys.slice(0, 4)).size).toBe(1);
  expect(new Set(keys.slice(4)).size).toBe(1);
  expect(keys[4]).not.toBe(keys[0]);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
});

test('an act that has happened gets another Idempotency-Key when it is asked for again', async () => {
  answers = [renamed('Oak'), renamed('Oak')];
  render(<Rename name="Oak" />);
  press();
  await settle();
  press();
  await settle();
  expect(sent).toHaveLength(2);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
  expect(readAgain).toHaveBeenCalledTimes(2);
});

test.each([
  ['stale', 409, 1],
  ['conflict', 409, 1],
  ['not_found', 404, 1],
  ['invalid', 422, 0],
] as const)('a refusal as %s is shown, and what may be out of date is read again', async (code, status, times) => {
  answers = [refused(code, status)];
  render(<Rename name="Oak" />);
  press();
  await settle();
  expect(screen.getByRole('alert').textContent).toBe('No.');
  expect(readAgain).toHaveBeenCalledTimes(times);
});

function RenameOnce() {
  const { run } = useAction(rename);
  const [isDone, setDone] = useState(false);
  return (
    <>
      <h1 tabIndex={-1}>Things</h1>
      {!isDone && (
        <button type="button" onClick={async () => setDone((await run({ name: 'Tree' })) !== undefined)}>
          Rename
        </button>
      )}
    </>
  );
}

test('the title takes the focus of a button that is gone after its act, and leaves it to one that stays', async () => {
  answers = [renamed('Tree')];
  render(<RenameOnce />);
  screen.getByRole('button').focus();
  press();
  giveAnswers();
  await act(() => vi.advanceTimersByTimeAsync(100));
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(document.activeElement).toBe(screen.getByRole('heading'));
  answers = [renamed('Bush')];
  render(<Rename name="Bush" />);
  screen.getByRole('button').focus();
  press();
  await act(() => vi.advanceTimersByTimeAsync(100));
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(document.activeElement).toBe(screen.getByRole('button'));
});
