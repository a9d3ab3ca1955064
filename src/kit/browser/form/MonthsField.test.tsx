import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { ApiForm } from './ApiForm.tsx';
import { FieldControl } from './FieldControl.tsx';

const age = field.number(text`Age (months)`, { inYears: text`Age`, least: 24, most: 300, optional: true });
const save = endpoint({
  method: 'POST',
  path: '/tree',
  access: 'public',
  input: z.object(inputOf({ age })),
  output: z.object({}),
});

async function open(initial: string) {
  const server = fakeServer({ 'POST /api/tree': {} });
  renderPage(
    <ApiForm
      endpoint={save}
      label="Tree"
      initial={{ age: initial }}
      onDone={() => undefined}
      buttons={() => <button type="submit">Save</button>}
    >
      <FieldControl name="age" field={age} />
    </ApiForm>,
  );
  await screen.findByRole('group', { name: /^Age/ });
  return server;
}
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

test('an age is entered in years and months, and sent in months', async () => {
  const server = await open('66');
  expect([box('years').value, box('months').value]).toEqual(['5', '6']);
  fireEvent.change(box('years'), { target: { value: '૬' } });
  fireEvent.change(box('months'), { target: { value: '' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => server.sent.at(-1)?.fields).toEqual({ age: '72' });
});

test('two empty boxes mean no age, and a word instead of a number is refused', async () => {
  const server = await open('72');
  fireEvent.change(box('years'), { target: { value: 'six' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findAllByText(/Enter from 2 to 25 years \(24 to 300 months\)\./)).length).toBeGreaterThan(0);
  expect(server.sent).toEqual([]);
  fireEvent.change(box('years'), { target: { value: '' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => server.sent.at(-1)?.fields).toEqual({ age: '' });
});
