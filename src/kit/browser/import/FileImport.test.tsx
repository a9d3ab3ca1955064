import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { field } from '#kit/contract/field.ts';
import type { ImportStage } from '#kit/contract/import.ts';
import { workbookMark } from '#kit/contract/import-limits.ts';
import { defineMaster } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { watchDownloads } from '#testing/downloads.tsx';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { FileImport } from './FileImport.tsx';

const trees = defineMaster({
  path: '/tree',
  table: 'garden_tree',
  singular: text`tree`,
  plural: text`trees`,
  description: text`What grows here.`,
  access: 'public',
  fields: {
    name: field.text(text`Name`, { max: 20 }),
    height: field.number(text`Height`, { least: 1, most: 90 }),
    kind: field.oneOf(text`Kind`, { options: ['Leaf', 'Needle'], optional: true }),
  },
});

const counts = { added: 0, changed: 0, same: 0, wrong: 0 };
const preview = (over: object) => ({ isApplied: false, confirmToken: null, rows: [], counts, ...over });
const stage = (over: Partial<ImportStage> = {}): ImportStage => ({
  sheets: [{ name: '', isHidden: false, rows: 2 }],
  sheet: '',
  headLine: 1,
  first: [{ line: 1, cells: ['Tree', 'Height', 'Type'] }],
  rows: 2,
  skipped: [],
  columns: [
    { head: 'Tree', samples: ['Oak'], plan: { to: 'name' } },
    { head: 'Height', samples: ['3'], plan: { to: 'height' } },
    { head: 'Type', samples: ['L'], plan: null },
  ],
  words: [],
  dates: [],
  choices: { kind: ['Leaf', 'Needle'] },
  ...over,
});

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

const opens = (answer: object = stage()) => ({ 'POST /api/tree/import/open': answer, 'GET /api/tree/import': [] });
const press = (dialog: ReturnType<typeof within>, name: string) =>
  dialog.findByRole('button', { name }).then((button: HTMLElement) => fireEvent.click(button));

test.each([
  ['a workbook', [0x50, 0x4b, 3, 4, 0xff], `${workbookMark}UEsDBP8=`],
  ['UTF-16', [0xff, 0xfe, 0x4e, 0, 0xaa, 0x0a], 'N\u0aaa'],
  ['UTF-16 with the high byte first', [0xfe, 0xff, 0, 0x4e, 0x0a, 0xaa], 'N\u0aaa'],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x4e], 'N'],
  ['Windows-1252', [0x50, 0x65, 0xf1, 0x61], 'Peña'],
])('a file in %s goes to the server as what it says', async (_what, bytes, sent) => {
  const server = fakeServer(opens());
  const dialog = await choose(new Uint8Array(bytes), 'trees.csv');
  await waitFor(() => expect(server.sent.find(({ fields }) => fields.file)?.fields.file).toBe(sent));
  if (sent === 'Peña') expect(await dialog.findByText(/were read as Windows-1252, for example: Peña/)).toBeDefined();
});

const file = 'Tree,Height,Type\nOak,3,L\n';

test('another line becomes the headings, and a line that is passed over is imported all the same', async () => {
  const first = [
    { line: 1, cells: ['GARDEN'] },
    { line: 2, cells: ['Tree', 'Height'] },
  ];
  const server = fakeServer(opens(stage({ first, skipped: [{ line: 9, cells: 'Total', why: 'total' }] })));
  const dialog = await choose(file, 'trees.csv');
  // A title stands across the columns, as its spreadsheet shows it.
  expect((await dialog.findByRole('cell', { name: 'GARDEN' })).getAttribute('colspan')).toBe('2');
  await press(dialog, 'Headings in line 2');
  await waitFor(() => expect(server.sent.at(-1)?.fields.plan).toMatchObject({ headLine: 2, columns: {} }));
  await press(dialog, 'Import line 9');
  await waitFor(() => expect(server.sent.at(-1)?.fields.plan).toMatchObject({ kept: [9] }));
});

test('columns, words and dates are decided in turn, and the plan with the answers is previewed and applied', async () => {
  const words: ImportStage['words'] = [
    {
      field: 'kind',
      words: [
        { word: 'L', count: 20, proposal: 'Leaf' },
        { word: 'Fern', count: 1, proposal: null },
      ],
      choices: ['Leaf', 'Needle'],
      mayCreate: false,
      hasMore: false,
    },
  ];
  const done = { isApplied: true, importId: 4, counts: { ...counts, added: 58, changed: 2 } };
  const server = fakeServer({
    'GET /api/tree/import': [],
    'POST /api/tree/import/open': ({ fields }) => (fields.plan ? stage({ words }) : stage()),
    'POST /api/tree/import': ({ fields }) =>
      preview(fields.confirmToken ? done : { confirmToken: 'token', counts: { ...counts, added: 58, changed: 2 } }),
  });
  const dialog = await choose(file, 'trees.csv');
  await press(dialog, 'Continue');
  const type = (await dialog.findByRole('combobox', { name: 'Type' })) as HTMLSelectElement;
  expect(type.value).toBe('');
  fireEvent.change(type, { target: { value: 'kind' } });
  await press(dialog, 'Continue');
  expect(((await dialog.findByRole('combobox', { name: 'L (20 rows)' })) as HTMLSelectElement).value).toBe('Leaf');
  expect(dialog.getByText('Choose 1 value, or its rows are not imported.')).toBeDefined();
  fireEvent.change(dialog.getByRole('combobox', { name: 'Fern (1 row)' }), { target: { value: '\u0001rows' } });
  fireEvent.keyDown(dialog.getByRole('combobox', { name: 'Fern (1 row)' }), { key: 'Enter', ctrlKey: true });
  await press(dialog, 'Import 60 rows');
  expect(await screen.findByText('60 trees imported.')).toBeDefined();
  const plan = {
    fileName: 'trees.csv',
    columns: { 0: { to: 'name' }, 1: { to: 'height' }, 2: { to: 'kind' } },
    values: { kind: { l: 'Leaf', fern: null } },
    mode: 'good',
  };
  const sent = server.sent.findLast(({ fields }) => fields.confirmToken)?.fields;
  expect(sent).toMatchObject({ plan, confirmToken: 'token' });
  expect(await dialog.findByRole('heading', { name: 'Done' })).toBeDefined();
});

test('all words of a column that fit nothing are created with one press, and no sentence speaks of dates', async () => {
  const words: ImportStage['words'] = [
    {
      field: 'kind',
      words: ['Fern', 'Palm', 'L'].map((word) => ({ word, count: 2, proposal: word === 'L' ? 'Leaf' : null })),
      ...{ choices: ['Leaf'], mayCreate: true, hasMore: false },
    },
  ];
  const server = fakeServer({
    ...opens(stage({ words })),
    'POST /api/tree/import': preview({ confirmToken: 'token', counts: { ...counts, added: 6 } }),
  });
  const dialog = await choose(file, 'trees.csv');
  await press(dialog, 'Continue');
  await press(dialog, 'Continue');
  expect(await dialog.findByText(/^These values of the file match no entry yet/)).toBeDefined();
  expect(dialog.queryByText(/^These dates/)).toBeNull();
  expect(dialog.getByText('Choose 2 values, or their rows are not imported.')).toBeDefined();
  dialog.getByRole('button', { name: 'Create all 2 of Kind' }).focus();
  await press(dialog, 'Create all 2 of Kind');
  expect(document.activeElement).toBe(dialog.getByRole('combobox', { name: 'Fern (2 rows)' }));
  expect(dialog.queryByText('Choose 2 values, or their rows are not imported.')).toBeNull();
  await press(dialog, 'Continue');
  await press(dialog, 'Import 6 rows');
  expect(server.sent.at(-1)?.fields.plan).toMatchObject({
    values: { kind: { fern: 'Fern', palm: 'Palm', l: 'Leaf' } },
    creates: { kind: ['Fern', 'Palm'] },
  });
});

test('words that differ in a dot become one entry, which other words may mean too', async () => {
  const found = ['Asst Fern', 'Asst. Fern', 'Palm', 'L', 'Palmm'];
  const words: ImportStage['words'] = [
    {
      field: 'kind',
      words: found.map((word) => ({ word, count: 2, proposal: word === 'L' ? 'Leaf' : null })),
      ...{ choices: ['Leaf'], mayCreate: true, hasMore: false },
    },
  ];
  const server = fakeServer({
    ...opens(stage({ words })),
    'POST /api/tree/import': preview({ confirmToken: 'token', counts: { ...counts, added: 6 } }),
  });
  const dialog = await choose(file, 'trees.csv');
  await press(dialog, 'Continue');
  await press(dialog, 'Continue');
  expect((await dialog.findByText('1 value is matched:')).closest('details')?.open).toBe(false);
  expect(dialog.getByText('L → Leaf')).toBeDefined();
  const palm = dialog.getByRole('combobox', { name: 'Palm (2 rows)' });
  fireEvent.change(palm, { target: { value: '\u0001create' } });
  fireEvent.change(dialog.getByRole('combobox', { name: 'Palmm (2 rows)' }), { target: { value: 'Palm' } });
  await press(dialog, 'Create all 1 of Kind');
  await press(dialog, 'Continue');
  await press(dialog, 'Back');
  const plan = () => server.sent.at(-1)?.fields.plan;
  expect(plan()).toMatchObject({
    values: { kind: { 'asst fern': 'Asst Fern', 'asst. fern': 'Asst Fern', palm: 'Palm', palmm: 'Palm', l: 'Leaf' } },
    creates: { kind: ['Palm', 'Asst Fern'] },
  });
  // An entry that is not created any more leaves the words open that meant it.
  fireEvent.change(await dialog.findByRole('combobox', { name: 'Palm (2 rows)' }), { target: { value: 'Leaf' } });
  expect(dialog.getByText('Choose 1 value, or its rows are not imported.')).toBeDefined();
});

test('a value typed for all rows becomes an entry, and proposed values are in their boxes', async () => {
  const columns = [{ head: 'Tree', samples: ['Oak'], plan: { to: 'name' } }];
  const words: ImportStage['words'] = [
    {
      field: 'kind',
      words: [{ word: 'Fern', count: 2, proposal: null }],
      ...{ choices: [], mayCreate: true, hasMore: false },
    },
  ];
  const server = fakeServer({
    ...opens(),
    'POST /api/tree/import/open': ({ fields }) =>
      fields.plan ? stage({ columns, words, choices: {} }) : stage({ columns, choices: {}, same: { height: '3' } }),
    'POST /api/tree/import': preview({ confirmToken: 'token', counts: { ...counts, added: 2 } }),
  });
  const dialog = await choose(file, 'trees.csv');
  await press(dialog, 'Continue');
  expect(((await dialog.findByRole('textbox', { name: 'Height *' })) as HTMLInputElement).value).toBe('3');
  fireEvent.change(dialog.getByRole('textbox', { name: 'Kind', hidden: true }), { target: { value: 'Fern' } });
  await press(dialog, 'Continue');
  const fern = (await dialog.findByRole('combobox', { name: 'Fern (2 rows)' })) as HTMLSelectElement;
  expect(fern.selectedOptions[0]?.textContent).toBe('Create “Fern”');
  await press(dialog, 'Continue');
  await dialog.findByRole('button', { name: 'Import 2 rows' });
  expect(server.sent.at(-1)?.fields.plan).toMatchObject({
    ...{ same: { height: '3', kind: 'Fern' }, values: { kind: { fern: 'Fern' } }, creates: { kind: ['Fern'] } },
  });
});

test('the rows that came in are not shown any more once their import is undone', async () => {
  const row = {
    line: 2,
    displayName: 'Oak',
    status: 'added',
    messages: {},
    cellsAsStored: { name: 'Oak', height: '3' },
  };
  let isUndone = false;
  const entry = () => ({
    ...{ id: 4, fileName: 'trees.csv', at: '2026-11-20T10:00:00Z', by: '', run: null, undoRun: null, columns: [] },
    ...{ counts: { added: 3, changed: 0, left: 0 }, isUndone, mayUndo: !isUndone },
  });
  fakeServer({
    ...opens(),
    'GET /api/tree/import': () => [entry()],
    'POST /api/tree/import': ({ fields }) =>
      preview({
        ...{ rows: [row], counts: { ...counts, added: 3 }, found: 3, confirmToken: 'token' },
        ...(fields.confirmToken !== undefined && { isApplied: true, importId: 4 }),
      }),
    'POST /api/tree/import/undo': ({ fields }) => {
      isUndone = fields.confirmToken !== undefined;
      return { added: 1, changed: 0, kept: [], isApplied: isUndone, confirmToken: 'sure' };
    },
  });
  const dialog = await choose(file, 'trees.csv');
  await press(dialog, 'Continue');
  await press(dialog, 'Continue');
  await press(dialog, 'Import 3 rows');
  await dialog.findByRole('heading', { name: 'Done' });
  expect(await dialog.findByText('New')).toBeDefined();
  // All rows that came in are there: no button chooses others.
  expect(dialog.queryByRole('button', { name: /^(All|New) / })).toBeNull();
  expect(dialog.getByText('2 more rows were imported.')).toBeDefined();
  fireEvent.click(await dialog.findByRole('button', { name: /^Undo…/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Undo the import' }));
  expect(await dialog.findByText('Undone.')).toBeDefined();
  await waitFor(() => expect(dialog.queryByText('New')).toBeNull());
});

test('dates that can be read in two ways are not previewed before the order is chosen', async () => {
  const dates: ImportStage['dates'] = [{ field: 'height', example: '05/06/2018', proposal: null, isMixed: false }];
  const server = fakeServer({
    ...opens(stage({ dates })),
    'POST /api/tree/import': preview({ confirmToken: 'token', counts: { ...counts, added: 2 } }),
  });
  const dialog = await choose(file, 'trees.csv');
  await press(dialog, 'Continue');
  await press(dialog, 'Continue');
  await dialog.findByRole('radio', { name: 'Month first: 6 May 2018' });
  expect(dialog.queryByText(/^These values of the file/)).toBeNull();
  await press(dialog, 'Continue');
  expect(await dialog.findByText('Choose how to read the dates first: Height.')).toBeDefined();
  expect(dialog.getByRole('heading', { name: 'Values' })).toBeDefined();
  fireEvent.click(dialog.getByRole('radio', { name: 'Day first: 5 Jun 2018' }));
  expect(dialog.queryByText('Choose how to read the dates first: Height.')).toBeNull();
  await press(dialog, 'Continue');
  await press(dialog, 'Import 2 rows');
  expect(server.sent.at(-1)?.fields.plan).toMatchObject({ dates: { height: 'DMY' } });
});

test('a required field that the file lacks gets a value for all rows, and Continue does not go on without it', async () => {
  const columns = [{ head: 'Tree', samples: ['Oak'], plan: { to: 'name' } }];
  const server = fakeServer({
    ...opens(stage({ columns })),
    'POST /api/tree/import': preview({ counts: { ...counts, added: 1 }, confirmToken: 'token' }),
  });
  const dialog = await choose('Tree\nOak\n', 'trees.csv');
  await press(dialog, 'Continue');
  const before = server.sent.length;
  await press(dialog, 'Continue');
  expect(await dialog.findByText('Match these columns first: Height.')).toBeDefined();
  expect(server.sent.length).toBe(before);
  expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Height *' }));
  fireEvent.change(dialog.getByRole('textbox', { name: 'Height *' }), { target: { value: '12' } });
  await press(dialog, 'Continue');
  expect(await dialog.findByText('1 new, 0 changed, 0 unchanged.')).toBeDefined();
  expect(server.sent.at(-1)?.fields.plan).toMatchObject({ same: { height: '12' } });
});

test('errors are grouped with their counts, a cell is corrected in place, and the good rows come in beside a download of the others', async () => {
  const saved = watchDownloads();
  const message = text`Enter a whole number from 1 to 90.`;
  const rows = [
    { line: 2, displayName: 'Oak', status: 'added', messages: {}, cellsAsStored: { name: 'Oak', height: '3' } },
    {
      ...{ line: 3, displayName: 'Elm', status: 'wrong', messages: { height: message } },
      cellsAsStored: { name: 'Elm', height: 'tall' },
    },
  ];
  const causes = [{ key: 'height x', field: 'height', message, count: 9 }];
  const server = fakeServer({
    ...opens(),
    'POST /api/tree/import': preview({
      rows,
      causes,
      confirmToken: 'token',
      counts: { ...counts, added: 31, wrong: 9 },
    }),
    'POST /api/tree/import/errors': {},
  });
  const dialog = await choose(file, 'trees.csv');
  await press(dialog, 'Continue');
  await press(dialog, 'Continue');
  await press(dialog, '9 Height: Enter a whole number from 1 to 90.');
  await waitFor(() => expect(server.sent.at(-1)?.fields.shown).toMatchObject({ cause: 'height x' }));
  await press(dialog, 'Height in line 3: tall');
  const box = await dialog.findByRole('textbox', { name: 'Height in line 3' });
  fireEvent.change(box, { target: { value: '30' } });
  fireEvent.keyDown(box, { key: 'Enter' });
  await waitFor(() => expect(server.sent.at(-1)?.fields.plan).toMatchObject({ edits: { '3 height': '30' } }));
  await press(dialog, 'Import the 31 good rows and download the other 9');
  await waitFor(() => expect(saved).toEqual(['trees-errors.xlsx']));
  await waitFor(() => expect(server.sent.at(-1)?.fields).toMatchObject({ confirmToken: 'token' }));
});

test('a cell keeps the focus after its correction, an entry chosen by keys waits for Enter, and all rows follow the last error', async () => {
  const message = text`Choose an entry of the list.`;
  const row = (kind: string, status: string) => ({
    ...{ line: 3, displayName: 'Elm', status, messages: status === 'wrong' ? { kind: message } : {} },
    cellsAsStored: { name: 'Elm', height: '9', kind },
  });
  const causes = [{ key: 'kind x', field: 'kind', message, count: 1 }];
  const server = fakeServer({
    ...opens(),
    'POST /api/tree/import': ({ fields: { plan, shown } }) => {
      const { edits } = plan as { edits: Record<string, string> };
      const kind = edits['3 kind'];
      const isAll = (shown as { cause: string }).cause === '';
      if (kind !== undefined)
        return preview({ rows: isAll ? [row(kind, 'added')] : [], causes: [], counts: { ...counts, added: 1 } });
      return preview({ rows: [row('Fern', 'wrong')], causes, counts: { ...counts, wrong: 1 } });
    },
  });
  const dialog = await choose(file, 'trees.csv');
  await press(dialog, 'Continue');
  await press(dialog, 'Continue');
  await press(dialog, '1 Kind: Choose an entry of the list.');
  await press(dialog, 'Kind in line 3: Fern');
  const previews = () => server.sent.filter(({ path }) => path === '/api/tree/import').length;
  const before = previews();
  const box = () => dialog.findByRole('combobox', { name: 'Kind in line 3' });
  fireEvent.keyDown(await box(), { key: 'Escape' });
  expect(document.activeElement).toBe(await dialog.findByRole('button', { name: 'Kind in line 3: Fern' }));
  await press(dialog, 'Kind in line 3: Fern');
  for (const value of ['Leaf', 'Needle']) {
    fireEvent.keyDown(await box(), { key: 'ArrowDown' });
    fireEvent.change(await box(), { target: { value } });
  }
  expect(previews()).toBe(before);
  fireEvent.keyDown(await box(), { key: 'Enter' });
  const cell = await dialog.findByRole('button', { name: 'Kind in line 3: Needle' });
  expect(server.sent.at(-1)?.fields).toMatchObject({ plan: { edits: { '3 kind': 'Needle' } }, shown: { cause: '' } });
  await press(dialog, 'Kind in line 3: Needle');
  fireEvent.change(await box(), { target: { value: 'Leaf' } });
  await dialog.findByRole('button', { name: 'Kind in line 3: Leaf' });
  expect(cell.isConnected).toBe(false);
});

test('a row asks in the preview, is answered by its buttons or with all alike, and the focus goes to the next question', async () => {
  const choices = [
    { key: 'same', label: text`Name` },
    { key: 'other', label: text`Height` },
  ];
  const question = (answer?: string) => ({
    ...{ kind: 'twin', field: 'name', text: text`Kind`, choices },
    ...(answer && { answer }),
  });
  const server = fakeServer({
    ...opens(),
    'POST /api/tree/import': ({ fields: { plan } }) => {
      const { answers, alike } = plan as { answers: Record<string, string>; alike: Record<string, string> };
      const rows = [2, 3].map((line) => {
        const answer = answers[line] ?? alike.twin;
        const status = answer === undefined ? 'wrong' : answer === 'same' ? 'changed' : 'added';
        const messages = answer === undefined ? { name: text`Height` } : {};
        return {
          line,
          displayName: 'Oak',
          status,
          messages,
          question: question(answer),
          cellsAsStored: { name: 'Oak' },
        };
      });
      const open = rows.filter(({ status }) => status === 'wrong').length;
      return preview({
        rows: rows.sort((one, two) => Number(two.status === 'wrong') - Number(one.status === 'wrong')),
        questions: [{ kind: 'twin', count: 2, open, choices }],
        counts: { ...counts, wrong: open, added: 2 - open },
        ...(open === 0 && { confirmToken: 'token' }),
      });
    },
  });
  const dialog = await choose(file, 'trees.csv');
  await press(dialog, 'Continue');
  await press(dialog, 'Continue');
  const of = async (line: number) => within(await dialog.findByRole('group', { name: `Question of line ${line}` }));
  expect(await dialog.findByText('2 are unanswered.')).toBeDefined();
  const button = (await of(2)).getByRole('button', { name: 'Name' });
  button.focus();
  fireEvent.click(button);
  expect(await dialog.findByText('1 is unanswered.')).toBeDefined();
  expect((await of(2)).getByRole('button', { name: 'Name' }).getAttribute('aria-pressed')).toBe('true');
  expect(document.activeElement?.closest('fieldset')?.getAttribute('aria-label')).toMatch(/^Question of line [23]$/);
  expect(server.sent.at(-1)?.fields.plan).toMatchObject({ answers: { 2: 'same' }, alike: {} });
  const all = within(await dialog.findByRole('group', { name: /^2 rows have the same question/ }));
  fireEvent.click(all.getByRole('button', { name: 'Height' }));
  await press(dialog, 'Import 2 rows');
  expect(server.sent.at(-1)?.fields.plan).toMatchObject({ answers: {}, alike: { twin: 'other' } });
});

test('earlier imports show file, counts and matches, and one is undone after a preview', async () => {
  const entry = {
    ...{
      id: 7,
      fileName: 'old.csv',
      at: '2026-11-20T10:00:00Z',
      by: 'Asha',
      isUndone: false,
      run: null,
      undoRun: null,
    },
    ...{ counts: { added: 3, changed: 0, left: 1 }, columns: [{ head: 'Tree', field: 'name' }], mayUndo: true },
  };
  const server = fakeServer({
    'GET /api/tree/import': [entry],
    'POST /api/tree/import/undo': ({ fields }) => ({
      ...{ added: 3, changed: 0, kept: [], isApplied: fields.confirmToken !== undefined, confirmToken: 'sure' },
    }),
  });
  const dialog = await choose('', 'none.csv').catch(() => within(screen.getByRole('dialog', { name: 'Import trees' })));
  expect(await dialog.findByText('old.csv')).toBeDefined();
  expect(dialog.getByText('Tree → Name')).toBeDefined();
  fireEvent.click(dialog.getByRole('button', { name: /^Undo…/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Undo the import' }));
  await waitFor(() => expect(server.sent.at(-1)?.fields).toEqual({ importId: 7, confirmToken: 'sure' }));
});

test('the template is downloaded for Excel or as CSV', async () => {
  const saved = watchDownloads();
  fakeServer({ 'GET /api/tree/import': [], 'GET /api/tree/import/template': {} });
  const dialog = await choose('', 'none.csv');
  await press(dialog, 'Template for Excel');
  await waitFor(() => expect(saved).toEqual(['trees.xlsx']));
  await press(dialog, 'Template as CSV');
  await waitFor(() => expect(saved).toEqual(['trees.xlsx', 'trees.csv']));
});

test('while rows are read the number is shown at once, and a moving bar after two seconds, until they are read', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const read = Promise.withResolvers<object>();
    fakeServer({ ...opens(stage({ rows: 1200 })), 'POST /api/tree/import': () => read.promise });
    const dialog = await choose(file, 'trees.csv');
    await press(dialog, 'Continue');
    await press(dialog, 'Continue');
    expect((await dialog.findByRole('status')).textContent).toContain('Reading 1,200 rows…');
    expect(dialog.queryByRole('progressbar')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(dialog.getByRole('progressbar', { name: 'Reading 1,200 rows…' })).toBeDefined();
    read.resolve(preview({ confirmToken: 'token', counts: { ...counts, added: 1200 } }));
    await dialog.findByRole('button', { name: /^Import 1,?200 rows$/ });
    expect(dialog.queryByRole('progressbar')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
