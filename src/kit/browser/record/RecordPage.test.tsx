import { useLocation } from '@tanstack/react-router';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { loadedRecordAct } from '#kit/browser/feature.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { forgetLists } from '#kit/browser/list/last-list.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
import { fakeServer, refusal, type Sent } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { Added } from './added.tsx';
import { RecordCard } from './RecordCard.tsx';
import { RecordPage } from './RecordPage.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  forgetLists();
});

const output = z.object({ height: z.string() });
const measures = endpoint({ method: 'GET', path: '/tree/1/measures', access: 'public', input: z.object({}), output });

const Measures = () => (
  <RecordCard title="Measures">
    <QueryBoundary query={useRead(measures, {})}>{({ height }) => <p>{height}</p>}</QueryBoundary>
  </RecordCard>
);

const parts = [
  { key: 'measures', title: 'Measures', cards: [<Measures key="measures" />, <p key="site">North side</p>] },
  { key: 'changes', title: 'Changes', cards: [<p key="none">No changes.</p>] },
];

test('the part of a record is in the address', async () => {
  fakeServer({ 'GET /api/tree/1/measures': { height: '21 m' } });
  const router = renderPage(<RecordPage title="Oak" parts={parts} />, '/page?part=changes');
  expect(await screen.findByText('No changes.')).toBeTruthy();
  expect(screen.queryByText('North side')).toBeNull();

  const nav = screen.getByRole('navigation', { name: 'Parts of Oak' });
  fireEvent.click(within(nav).getByRole('link', { name: 'Measures' }));
  expect(await screen.findByText('21 m')).toBeTruthy();
  expect(router.state.location.search).toEqual({ part: 'measures' });
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Measures');
});

test('an unknown part is the first one, and a single part has no tabs', async () => {
  renderPage(<RecordPage title="Oak" parts={parts.slice(1)} />, '/page?part=roots');
  expect(await screen.findByText('No changes.')).toBeTruthy();
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('the head has the name, what it is, its status and what can be done next', async () => {
  renderPage(
    <RecordPage
      title="Oak"
      about="Tree"
      chips={<b>Growing</b>}
      actions={<button type="button">Move…</button>}
      parts={[]}
    />,
  );
  expect(await screen.findByRole('heading', { level: 1, name: 'Oak' })).toBeTruthy();
  for (const words of ['Tree', 'Growing', 'Move…']) expect(screen.getByText(words)).toBeTruthy();
});

const trees = defineList({
  name: 'tree',
  path: '/tree',
  singular: text`tree`,
  plural: text`trees`,
  access: 'public',
  shows: ['tree'],
  columns: { name: { kind: 'text', label: text`Name` } },
  filters: {},
  tabs: { standing: text`Standing`, felled: text`Felled` },
  extra: {},
});
const names = ['Oak', 'Elm', 'Ash', 'Yew', 'Fig'];
const pageOf = (ids: number[], values: object) => ({
  rows: ids.map((id) => ({ id, name: names[id - 1] })),
  previous: null,
  next: null,
  total: 5,
  isMore: false,
  ...values,
});

/** The list of trees at /tree, and the record of each below it. */
function Trees() {
  const { pathname } = useLocation();
  const id = Number(pathname.replace('/tree', '').slice(1));
  if (id > 0) {
    const of = { list: trees, id, page: '/tree' as never, title: 'Tree List' };
    return <RecordPage title={names[id - 1] ?? ''} of={of} parts={parts} />;
  }
  return (
    <RecordList
      list={trees as never}
      open={(({ id }: { id: number }) => openTree(id)) as never}
      empty={{ message: '' }}
    />
  );
}
const openTree = (id: number) => ({ to: `/tree/${id}` });

function openTrees(address: string) {
  const server = fakeServer({
    'GET /api/tree': ({ query }: Sent) =>
      query.after ? pageOf([4, 5], { previous: 'back' }) : pageOf([1, 2, 3], { next: 'on' }),
    'GET /api/tree/count': { standing: { total: 5, isMore: false }, felled: { total: 0, isMore: false } },
    'GET /api/tree/view': [],
    'GET /api/tree/1/measures': { height: '21 m' },
  });
  return { ...server, router: renderPage(<Trees />, address) };
}

test('a record leads back to its list as it was, and to those beside it there, by links and by J and K', async () => {
  const { router } = openTrees('/tree?tab=felled');
  fireEvent.click(await screen.findByRole('link', { name: 'Elm' }));
  const way = await screen.findByRole('navigation', { name: 'Place in the list' });
  expect(within(way).getByText('2 of 5')).toBeTruthy();
  expect(within(way).getByRole('link', { name: 'Tree List · Felled' }).getAttribute('href')).toBe('/tree?tab=felled');
  fireEvent.click(within(way).getByRole('link', { name: 'Previous record' }));
  await screen.findByRole('heading', { level: 1, name: 'Oak' });
  expect(screen.queryByRole('link', { name: 'Previous record' })).toBeNull();
  for (const name of ['Elm', 'Ash', 'Yew']) {
    await screen.findByRole('link', { name: 'Next record' });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'j' });
    await screen.findByRole('heading', { level: 1, name });
  }
  expect(await screen.findByText('4 of 5')).toBeTruthy();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k' });
  await screen.findByRole('heading', { level: 1, name: 'Ash' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/tree/3'));
});

test('a record that was opened elsewhere leads to its list, and to no other record', async () => {
  openTrees('/tree/1');
  expect((await screen.findByRole('link', { name: 'Tree List' })).getAttribute('href')).toBe('/tree');
  expect(screen.queryByRole('link', { name: 'Next record' })).toBeNull();
});

test.each([
  ['is not there', () => refusal('not_found', 'Not found.'), 'Not found.'],
  ['cannot be read', () => undefined, /can’t be reached/],
])('a card that %s leaves the others, and is tried again', async (_, answer, words) => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  const server = fakeServer({ 'GET /api/tree/1/measures': answer });
  renderPage(<RecordPage title="Oak" parts={parts} />);
  expect(await screen.findByText(words, undefined, { timeout: 20_000 })).toBeTruthy();
  expect(screen.getByText('North side')).toBeTruthy();

  server.answers['GET /api/tree/1/measures'] = { height: '21 m' };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('21 m')).toBeTruthy();
});

const treeFields = { name: field.text(text`Name`, { max: 60 }) };
const rename = endpoint({
  method: 'POST',
  path: '/tree/rename',
  access: 'public',
  input: z.object(inputOf(treeFields)),
  output: z.object({}),
});

/** A record with a form of its own, beside which `act` and `fell` are acts of its head. */
function openForm(act: () => void, fell: () => void = () => undefined) {
  fakeServer({ 'POST /api/tree/rename': {} });
  const form = (
    <ApiForm
      key="form"
      endpoint={rename}
      initial={{ name: 'Oak' }}
      onDone={() => undefined}
      buttons={(_, isChanged) => <button type="submit">{isChanged ? 'Save' : 'Saved'}</button>}
    >
      <FieldControls fields={treeFields} />
    </ApiForm>
  );
  const acts = (
    <>
      <button type="button" onClick={act}>
        Publish
      </button>
      <ConfirmButton name="Fell Oak" label="Fell" question="For good?" confirm="Do it" onConfirm={fell} />
    </>
  );
  renderPage(<RecordPage title="Oak" actions={acts} parts={[{ key: 'form', title: 'Form', cards: [form] }]} />);
}
const unsaved = 'Your changes are not saved.';
const typeName = async (value: string) =>
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('an act of a record asks first while a form of its page has unsaved entries', async () => {
  const act = vi.fn();
  openForm(act);
  await typeName('Elm');
  press('Publish');
  const question = await screen.findByRole('dialog', { name: unsaved });
  expect(within(question).getByText('“Publish” applies to the version that was saved last.')).toBeTruthy();
  expect(act).not.toHaveBeenCalled();
  press('Keep editing');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: unsaved })).toBeNull());
  expect(act).not.toHaveBeenCalled();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Elm');

  press('Publish');
  fireEvent.click(await screen.findByRole('button', { name: 'Continue without saving' }));
  expect(act).toHaveBeenCalledTimes(1);
});

test('an act of a record asks nothing once its entries are saved', async () => {
  const act = vi.fn();
  openForm(act);
  await typeName('Elm');
  press('Save');
  await screen.findByRole('button', { name: 'Saved' });
  press('Publish');
  expect(act).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('dialog', { name: unsaved })).toBeNull();
});

test('an act with a question of its own asks it after the one about unsaved entries', async () => {
  const fell = vi.fn();
  openForm(() => undefined, fell);
  await typeName('Elm');
  press('Fell Oak');
  fireEvent.click(await screen.findByRole('button', { name: 'Continue without saving' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Do it' }));
  expect(fell).toHaveBeenCalledTimes(1);
});

test('features add acts to the head of a record, in their order, for the records that have them', async () => {
  const water = ({ record: { name } }: { record: { name: string } }) => <button type="button">Water {name}</button>;
  const prune = ({ record: { name } }: { record: { name: string } }) => <button type="button">Prune {name}</button>;
  const act = { record: 'tree', access: 'public' } as const;
  const recordActs = [
    loadedRecordAct({ ...act, key: 'water', order: 2 }, async () => water),
    loadedRecordAct({ ...act, key: 'prune', order: 1 }, async () => prune),
    loadedRecordAct<{ name: string }>({ ...act, key: 'fell', order: 3, isShown: () => false }, async () => water),
    loadedRecordAct({ ...act, record: 'park', key: 'close', order: 4 }, async () => water),
  ];
  renderPage(
    <Added value={{ cards: [], recordActs, listActs: [], pageParts: [], todoActs: [] }}>
      <RecordPage title="Oak" actedOn={{ kind: 'tree', record: { name: 'Oak' } }} parts={[]} />
    </Added>,
  );
  await screen.findByRole('button', { name: 'Water Oak' });
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Prune Oak', 'Water Oak']);
});
