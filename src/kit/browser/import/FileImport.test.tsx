import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { field } from '#kit/contract/field.ts';
import { workbookMark } from '#kit/contract/import-limits.ts';
import { defineMaster } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { watchDownloads } from '#testing/downloads.tsx';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { FileImport } from './FileImport.tsx';

const trees = defineMaster({
  path: '/tree',
  table: 'garden_tree',
  singular: text`tree`,
  plural: text`trees`,
  description: text`What grows here.`,
  access: 'public',
  fields: { name: field.text(text`Name`, { max: 20 }), height: field.number(text`Height`, { least: 1, most: 90 }) },
});

const counts = { added: 0, changed: 0, same: 0, wrong: 0 };
const preview = (over: object) => ({ isApplied: false, confirmToken: null, rows: [], counts, ...over });

async function choose(bytes: BlobPart, name: string) {
  renderPage(
    <FileImport
      title="Import trees"
      fields={trees.fields}
      name="trees"
      singular={trees.singular}
      plural={trees.plural}
      api={trees.api}
      hiddenValues={{}}
      onClose={() => undefined}
    />,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Import trees' });
  const input = dialog.querySelector('input[type=file]') as HTMLInputElement;
  fireEvent.change(input, { target: { files: [new File([bytes], name)] } });
  return within(dialog);
}

test('a workbook goes to the server as its bytes, and a CSV file as its text', async () => {
  const server = fakeServer({ 'POST /api/tree/import': preview({ counts: { ...counts, same: 1 } }) });
  await choose(new Uint8Array([0x50, 0x4b, 3, 4, 0xff]), 'trees.xlsx');
  await waitFor(() => expect(server.sent.map(({ fields }) => fields.file)).toEqual([`${workbookMark}UEsDBP8=`]));
  await choose('Name\nOak\n', 'trees.csv');
  await waitFor(() => expect(server.sent.at(-1)?.fields.file).toBe('Name\nOak\n'));
});

test.each([
  ['UTF-16', [0xff, 0xfe, 0x4e, 0, 0xaa, 0x0a], 'N\u0aaa'],
  ['UTF-16 with the high byte first', [0xfe, 0xff, 0, 0x4e, 0x0a, 0xaa], 'N\u0aaa'],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x4e], 'N'],
])('a CSV file in %s goes to the server as its text', async (_what, bytes, sent) => {
  const server = fakeServer({ 'POST /api/tree/import': preview({ counts: { ...counts, same: 1 } }) });
  await choose(new Uint8Array(bytes), 'trees.csv');
  await waitFor(() => expect(server.sent.map(({ fields }) => fields.file)).toEqual([sent]));
});

const unknown = (found: string[]) =>
  refusal('invalid', 'There is a problem', {
    fields: { file: 'Unknown column.' },
    data: { heads: ['Tree name', 'Planted by'], found },
  });
const rows = [{ line: 2, displayName: 'Oak', status: 'added', messages: {} }];
const done = preview({ confirmToken: 'token', rows, counts: { ...counts, added: 1 } });
const file = 'Tree name,Planted by,Height\nOak,Asha,3\n';

test('for heads that fit no column a similar one is proposed, and what the user chose is sent', async () => {
  const server = fakeServer({
    'POST /api/tree/import': ({ fields }) => (fields.columns ? done : unknown(['Height'])),
  });
  const dialog = await choose(file, 'trees.csv');
  const name = await dialog.findByRole('combobox', { name: 'Tree name' });
  expect((name as HTMLSelectElement).value).toBe('Name');
  expect((dialog.getByRole('combobox', { name: 'Planted by' }) as HTMLSelectElement).value).toBe('');
  expect(
    within(name)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Leave out', 'Name *']);
  expect(dialog.getByRole('alert').textContent).toBe('Choose what these columns of the file are, or leave them out.');
  fireEvent.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(await dialog.findByText('1 new, 0 changed, 0 unchanged.')).toBeDefined();
  expect(dialog.queryByRole('combobox')).toBeNull();
  fireEvent.click(dialog.getByRole('button', { name: 'Import 1 row' }));
  const columns = { 'Tree name': 'Name', 'Planted by': '' };
  await waitFor(() => expect(server.sent.at(-1)?.fields).toMatchObject({ columns, confirmToken: 'token' }));
});

test('a required column that is not matched is named, and Continue does not go on without it unless told to', async () => {
  const server = fakeServer({
    'POST /api/tree/import': ({ fields }) => (fields.columns ? done : unknown([])),
  });
  const dialog = await choose(file, 'trees.csv');
  expect(await dialog.findByText('Not matched:')).toHaveProperty('textContent', 'Not matched: Height');
  const sent = server.sent.length;
  fireEvent.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(await dialog.findByText('Match these columns first: Height.')).toBeDefined();
  expect(server.sent.length).toBe(sent);
  fireEvent.click(dialog.getByRole('button', { name: 'Continue without them' }));
  expect(await dialog.findByText('1 new, 0 changed, 0 unchanged.')).toBeDefined();
});

test('after Continue the preview has the focus, and from there the user goes back to the columns as chosen', async () => {
  fakeServer({ 'POST /api/tree/import': ({ fields }) => (fields.columns ? done : unknown(['Height'])) });
  const dialog = await choose(file, 'trees.csv');
  fireEvent.change(await dialog.findByRole('combobox', { name: 'Planted by' }), { target: { value: 'Name' } });
  fireEvent.change(dialog.getByRole('combobox', { name: 'Tree name' }), { target: { value: '' } });
  const button = dialog.getByRole('button', { name: 'Continue' });
  button.focus();
  fireEvent.click(button);
  const heading = await dialog.findByRole('heading', { name: 'Preview' });
  expect(document.activeElement).toBe(heading);
  const back = dialog.getByRole('button', { name: 'Back to the columns' });
  back.focus();
  fireEvent.click(back);
  const kept = (await dialog.findByRole('combobox', { name: 'Planted by' })) as HTMLSelectElement;
  expect(kept.value).toBe('Name');
  expect(document.activeElement).toBe(dialog.getByRole('heading', { name: 'Columns' }));
});

test('after an import the toast says how many rows of the list came in', async () => {
  const many = preview({ confirmToken: 'token', rows, counts: { ...counts, added: 58, changed: 2 } });
  fakeServer({ 'POST /api/tree/import': many });
  const dialog = await choose('Name,Height\nOak,3\n', 'trees.csv');
  fireEvent.click(await dialog.findByRole('button', { name: 'Import 60 rows' }));
  expect(await screen.findByText('60 trees imported.')).toBeDefined();
});

test('the template and the rows with errors are downloaded for Excel or as CSV', async () => {
  const saved = watchDownloads();
  const messages = { height: text`Enter a whole number from 1 to 90.` };
  const rows = [{ line: 3, displayName: 'Elm', status: 'wrong', messages }];
  const server = fakeServer({
    'POST /api/tree/import': preview({ rows, counts: { ...counts, added: 1, wrong: 1 } }),
    'GET /api/tree/import/template': {},
    'POST /api/tree/import/errors': {},
  });
  const file = 'Name,Height\nOak,3\nElm,tall\n';
  const dialog = await choose(file, 'trees.csv');
  const save = async (name: string) => {
    fireEvent.click(await dialog.findByRole('button', { name }));
    const count = saved.length;
    await waitFor(() => expect(saved.length).toBe(count + 1));
  };
  await save('Template for Excel');
  await save('Template as CSV');
  await save('Rows with errors for Excel');
  expect(server.sent.at(-1)?.fields).toEqual({ file, columns: {}, as: 'xlsx' });
  await save('Rows with errors as CSV');
  expect(saved).toEqual(['trees.xlsx', 'trees.csv', 'trees-errors.xlsx', 'trees-errors.csv']);
});
