import { fireEvent, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { showDate } from '#kit/contract/day.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { today } from '../ui/show.ts';
import { ApiForm } from './ApiForm.tsx';
import { DateField } from './DateField.tsx';

const plant = endpoint({
  method: 'POST',
  path: '/tree',
  access: 'public',
  input: z.object({ plantedOn: calendarDay(text`Planted on`) }),
  output: z.object({}),
});
const wrong = 'Enter a valid date, such as 21-11-2026.';

async function open(plantedOn = '', props: Partial<ComponentProps<typeof DateField>> = {}) {
  const { sent } = fakeServer({ 'POST /api/tree': {} });
  renderPage(
    <ApiForm
      endpoint={plant}
      initial={{ plantedOn }}
      onDone={() => undefined}
      buttons={() => <button type="submit">Save</button>}
    >
      <DateField {...props} name="plantedOn" />
    </ApiForm>,
  );
  const box = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Planted on' });
  const type = (value: string) => fireEvent.change(box, { target: { value } });
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  return { box, sent, type, save };
}

test('a date is shown as people write it, and sent as YYYY-MM-DD', async () => {
  const { box, sent, type, save } = await open('2026-06-01');
  expect(box.value).toBe('1 Jun 2026');
  type('21/11/2026');
  expect(box.value).toBe('21/11/2026');
  fireEvent.blur(box);
  expect(box.value).toBe('21 Nov 2026');
  expect(screen.queryByText(wrong)).toBeNull();
  save();
  await vi.waitFor(() => expect(sent[0]?.fields).toEqual({ plantedOn: '2026-11-21' }));
});

test('what is no date is said when the box is left, stays in it, and is not sent', async () => {
  const { box, sent, type, save } = await open();
  type('21 Nowhere');
  expect(screen.queryByText(wrong)).toBeNull();
  fireEvent.blur(box);
  expect(screen.getByText(wrong)).toBeTruthy();
  expect(box.value).toBe('21 Nowhere');
  expect(box.getAttribute('aria-invalid')).toBe('true');
  save();
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(sent).toEqual([]);
  type('21 Nov 2026');
  expect(screen.queryByText(wrong)).toBeNull();
});

test('the calendar of the device is opened by a button, and what is chosen in it stands in the box', async () => {
  const { box } = await open();
  const calendar = document.querySelector<HTMLInputElement>('input[type=date]');
  if (!calendar) throw new Error('There is no calendar.');
  const showPicker = vi.fn();
  calendar.showPicker = showPicker;
  fireEvent.click(screen.getByRole('button', { name: 'Open the calendar' }));
  expect(showPicker).toHaveBeenCalledOnce();
  fireEvent.change(calendar, { target: { value: '2026-11-21' } });
  expect(box.value).toBe('21 Nov 2026');
});

test('a birth without its year is refused with what is missing', async () => {
  const { box, type } = await open('', { toward: 'birth' });
  type('29/11');
  fireEvent.blur(box);
  expect(screen.getByText('Add the year.')).toBeTruthy();
});

test('a part of a date shows the whole one while it is typed', async () => {
  const { box, type } = await open();
  const year = new Date().getFullYear();
  type(`1/2/${String(year).slice(2)}`);
  expect(screen.getByText(`1 Feb ${year}`)).toBeTruthy();
  fireEvent.blur(box);
  expect(box.value).toBe(`1 Feb ${year}`);
});

test('a day to call again is chosen with one press', async () => {
  const { box } = await open('', { toward: 'future', hasQuickDays: true });
  fireEvent.click(screen.getByRole('button', { name: 'Tomorrow' }));
  expect(box.value).toBe(showDate(today(-1)));
});
