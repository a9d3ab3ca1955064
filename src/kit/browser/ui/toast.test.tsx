import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastProvider, useToast } from './toast.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function Add({ acts }: { acts: Record<string, () => void> }) {
  const toast = useToast();
  const actions = Object.entries(acts).map(([label, act]) => ({ label, act }));
  return (
    <button type="button" onClick={() => toast({ kind: 'success', title: 'Oak was added.', actions })}>
      Add
    </button>
  );
}
const show = (acts: Record<string, () => void>) => {
  render(
    <ToastProvider>
      <Add acts={acts} />
    </ToastProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
};
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const isShown = () => screen.queryByText('Oak was added.') !== null;

test('a message offers several acts, and one of them ends it', () => {
  const [undo, open] = [vi.fn(), vi.fn()];
  show({ Undo: undo, Open: open });
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect([undo.mock.calls.length, open.mock.calls.length]).toEqual([0, 1]);
  expect(isShown()).toBe(false);
});

test('a message with acts is shown for 8 seconds', async () => {
  show({ Undo: vi.fn() });
  await pass(7900);
  expect(isShown()).toBe(true);
  await pass(200);
  expect(isShown()).toBe(false);
});

test('a message without acts is shown for 1.5 seconds', async () => {
  show({});
  await pass(1400);
  expect(isShown()).toBe(true);
  await pass(200);
  expect(isShown()).toBe(false);
});
