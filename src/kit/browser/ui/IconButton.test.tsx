import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import '#testing/render-page.tsx';
import { IconButton } from './IconButton.tsx';

const button = () => screen.getByRole('button', { name: 'Close' });
const tip = () => screen.queryByText('Close');

test('an icon’s label is shown once a mouse has rested on it, and goes with the mouse', () => {
  vi.useFakeTimers();
  render(<IconButton label="Close">×</IconButton>);
  fireEvent.pointerEnter(button(), { pointerType: 'mouse' });
  expect(tip()).toBeNull();
  act(() => vi.advanceTimersByTime(400));
  expect(tip()).toBeTruthy();
  fireEvent.pointerLeave(button());
  expect(tip()).toBeNull();
  vi.useRealTimers();
});

test('a finger is shown no label', () => {
  vi.useFakeTimers();
  render(<IconButton label="Close">×</IconButton>);
  fireEvent.pointerEnter(button(), { pointerType: 'touch' });
  act(() => vi.advanceTimersByTime(1000));
  expect(tip()).toBeNull();
  vi.useRealTimers();
});

test('the keyboard is shown the label, and one press of Escape closes it and the dialog around it', () => {
  const onEscape = vi.fn();
  render(
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for a dialog.
    <div onKeyDown={onEscape}>
      <IconButton label="Close">×</IconButton>
    </div>,
  );
  const close = button();
  // This document does not support `:focus-visible`.
  vi.spyOn(close, 'matches').mockReturnValue(true);
  fireEvent.focus(close);
  expect(tip()).toBeTruthy();
  fireEvent.keyDown(close, { key: 'Escape' });
  expect(tip()).toBeNull();
  expect(onEscape).toHaveBeenCalledOnce();
});
