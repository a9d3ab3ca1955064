import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { ApiForm } from './ApiForm.tsx';
import { FieldControls } from './FieldControl.tsx';

const fields = {
  first: field.text(text`First name`, { max: 50 }),
  last: field.text(text`Last name`, { max: 50 }),
  born: field.date(text`Born`),
  email: field.email(text`Email`, { optional: true }),
  code: field.text(text`Code`, { max: 10, hint: text`As on the card.` }),
  mobile: field.mobile(text`Mobile`, { optional: true }),
  place: field.text(text`Place`, { max: 40 }),
};
const save = endpoint({
  method: 'POST',
  path: '/tree',
  access: 'public',
  input: z.object(inputOf(fields)),
  output: z.object({}),
});

test('two short fields that follow each other share a line; long ones and those with help have their own', async () => {
  fakeServer({});
  renderPage(
    <ApiForm endpoint={save} label="Tree" initial={{}} onDone={() => undefined} buttons={() => null}>
      <FieldControls fields={fields} />
    </ApiForm>,
  );
  const first = await screen.findByRole('textbox', { name: /^First name/ });
  const lines = [...document.querySelectorAll('.side-by-side')].map((line) =>
    [...line.querySelectorAll('label')].map((label) => label.textContent?.replace(' (optional)', '')),
  );
  expect(lines).toEqual([
    ['First name', 'Last name'],
    ['Mobile', 'Place'],
  ]);
  expect(first.closest('.side-by-side')).not.toBeNull();
});
