import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, type MasterRow, namedBy } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';
import { options, text } from '#kit/contract/text.ts';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { MasterPage } from './MasterPage.tsx';

const definition = {
  path: '/tree',
  singular: text`tree`,
  plural: text`trees`,
  description: text`What grows here.`,
  access: 'public',
} as const;
const trees = defineMaster({
  ...definition,
  table: 'garden_tree',
  fields: { name: field.text(text`Name`, { max: 20 }), height: field.number(text`Height`, { least: 1, most: 90 }) },
});
const orderedTrees = defineMaster({ ...definition, table: 'garden_tree', fields: trees.fields, isOrdered: true });
const fixedTrees = defineMaster({
  ...definition,
  table: 'garden_tree',
  fields: { name: field.text(text`Name`, { max: 20 }), isOld: field.yesNo(text`Old`, { isReadOnly: true }) },
  fixedBy: 'isOld',
});
const leaves = defineMaster({
  ...definition,
  path: '/leaf',
  table: 'garden_leaf',
  singular: text`leaf`,
  plural: text`leaves`,
  fields: { name: field.text(text`Name`, { max: 20 }), treeId: field.ref(text`Tree`, { to: namedBy(trees) }) },
});

const twigs = defineMaster({
  ...definition,
  path: '/twig',
  table: 'garden_twig',
  singular: text`twig`,
  plural: text`twigs`,
  fields: {
    treeId: field.ref(text`Tree`, { to: namedBy(trees) }),
    name: field.text(text`Name`, { max: 20 }),
    side: field.oneOf(text`Side`, { options: options('North', 'South') }),
    colour: field.oneOf(text`Colour`, { options: colours }),
    isGrafted: field.yesNo(text`Grafted`, { isAside: true }),
  },
  key: ['treeId', 'name'],
});
const treeNames = [
  { id: 1, name: 'Oak', isActive: true },
  { id: 2, name: 'Elm', isActive: true },
];

const row = (id: number, name: string, values: Record<string, unknown> = {}): MasterRow => ({
  id,
  version: 3,
  isActive: true,
  displayName: name,
  name,
  usedBy: 0,
  names: {},
  ...values,
});
const page = (rows: MasterRow[], more = {}): OutputOf<typeof trees.api.list> => ({
  rows,
  next: null,
  previous: null,
  total: rows.length,
  isMore: false,
  ...more,
});
const button = (name: string) => screen.findByRole('button', { name });
const press = async (name: string) => fireEvent.click(await button(name));
const choose = async (name: string, item: string) => {
  await press(`Actions for ${name}`);
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
};

test('a list is narrowed, put in order and turned, and its address says so', async () => {
  const nameOf = (query: Record<string, string>) => `Tree ${new URLSearchParams(query)}`;
  fakeServer({
    'GET /api/tree': ({ query }: { query: Record<string, string> }) =>
      page([row(1, nameOf(query))], { next: 'behind', previous: 'before', total: 60 }),
  });
  const router = renderPage(<MasterPage master={trees} />, '/page?tab=tree');
  const asked = async (query: Record<string, string>) => {
    expect(await button(nameOf(query))).toBeTruthy();
    expect(router.state.location.search).toEqual({ tab: 'tree', ...query });
  };
  expect(await screen.findByText('60 trees')).toBeTruthy();
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search trees' }), { target: { value: 'oak' } });
  await asked({ search: 'oak' });
  await press('Last page');
  await asked({ search: 'oak', before: 'end' });
  await press('Previous page');
  await asked({ search: 'oak', before: 'before' });
  await press('Next page');
  await asked({ search: 'oak', after: 'behind' });
  await press('Height');
  await asked({ search: 'oak', sort: 'height' });
  await press('Last page');
  await asked({ search: 'oak', sort: 'height', before: 'end' });
  await press('First page');
  await asked({ search: 'oak', sort: 'height' });
  await press('Height');
  await asked({ search: 'oak', sort: '-height' });
  const head = screen.getByRole('columnheader', { name: 'Height' });
  await waitFor(() => expect(head.getAttribute('aria-sort')).toBe('descending'));
});

test('how often a row is used is written as every other number', async () => {
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak', { usedBy: 1148 })]) });
  renderPage(<MasterPage master={trees} />);
  expect(await screen.findByRole('cell', { name: '1,148' })).toBeTruthy();
});

test('a column that somebody takes out of a list stays out of it on their device', async () => {
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak', { height: 30 })]) });
  renderPage(<MasterPage master={trees} />);
  await press('More');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Columns…' }));
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Height' }));
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Height' })).toBeNull());
  expect(JSON.parse(localStorage.getItem('columns:list-garden_tree') ?? '')).toEqual(['usedBy']);
});

test('a column that was taken out on this device is not shown', async () => {
  localStorage.setItem('columns:list-garden_tree', '["usedBy"]');
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak', { height: 30 })]) });
  renderPage(<MasterPage master={trees} />);
  expect(await screen.findByRole('columnheader', { name: 'Times used' })).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: 'Height' })).toBeNull();
});

test('rows are put in another order by their menu, or by dragging one to the place of another', async () => {
  const { sent: calls } = fakeServer({
    'GET /api/tree': page([row(1, 'Oak'), row(2, 'Elm'), row(3, 'Ash')]),
    'POST /api/tree/1/move': {},
    'POST /api/tree/2/move': {},
    'POST /api/tree/3/move': {},
  });
  renderPage(<MasterPage master={orderedTrees} />);
  const moved = () => calls.filter(({ method }) => method === 'POST').map(({ path, fields }) => [path, fields.to]);
  await press('Actions for Oak');
  expect(await screen.findByRole('menuitem', { name: 'Move down' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Move up' })).toBeNull();
  fireEvent.click(screen.getByRole('menuitem', { name: 'Move down' }));
  await waitFor(() => expect(moved()).toEqual([['/api/tree/1/move', 'down']]));
  await choose('Ash', 'Move up');
  await waitFor(() => expect(moved().at(-1)).toEqual(['/api/tree/3/move', 'up']));
  const names = () => screen.getAllByRole('button', { name: /^(Oak|Elm|Ash)$/ }).map(({ textContent }) => textContent);
  const line = (name: string) => screen.getByRole('button', { name }).closest('tr') as HTMLElement;
  fireEvent.dragStart(line('Oak'), { dataTransfer: new DataTransfer() });
  fireEvent.dragOver(line('Ash'));
  // The others make room at once.
  expect(names()).toEqual(['Elm', 'Ash', 'Oak']);
  fireEvent.drop(line('Ash'));
  await waitFor(() => expect(moved().at(-1)).toEqual(['/api/tree/1/move', 3]));
});

test('a row that is fixed offers its history and nothing else, and another one all there is', async () => {
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak', { isOld: true }), row(2, 'Elm', { isOld: false })]) });
  renderPage(<MasterPage master={fixedTrees} />);
  const offered = () => screen.queryAllByRole('menuitem').map(({ textContent }) => textContent);
  await press('Actions for Oak');
  await waitFor(() => expect(offered()).toEqual(['History', 'Can’t be edited or deleted: used by a form']));
  expect(screen.queryByRole('button', { name: 'Oak' })).toBeNull();
  await press('Actions for Oak');
  await press('Actions for Elm');
  await waitFor(() => expect(offered()).toEqual(['Edit', 'History', 'Deactivate', 'Delete']));
});

test('an empty list says what there must be first', async () => {
  fakeServer({ 'GET /api/leaf': page([]), 'GET /api/tree/option': [] });
  renderPage(<MasterPage master={leaves} />);
  expect(await screen.findByText('No leaves yet.')).toBeTruthy();
  expect(await screen.findByText('Add these first: Tree')).toBeTruthy();
});

test('an empty list says of what it has none, and a search that finds nothing says so', async () => {
  fakeServer({ 'GET /api/tree': page([]) });
  renderPage(<MasterPage master={trees} usual={{ height: '3' }} usually="the park" />);
  expect(await screen.findByText('No trees in the park yet.')).toBeTruthy();
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search trees' }), { target: { value: 'nothing' } });
  expect(await screen.findByText('Nothing found for “nothing”.')).toBeTruthy();
});

test('the history of a row is turned to older entries and back to newer ones, and the button keeps the focus', async () => {
  const { sent: calls } = fakeServer({
    'GET /api/tree': page([row(1, 'Oak')]),
    'GET /api/tree/1/history': ({ query }: { query: Record<string, string> }) => {
      const number = Number(query.before || 3);
      const entry = {
        id: number,
        at: '2026-11-23T09:00:00Z',
        actor: `Editor ${number}`,
        action: 'changed',
        act: text`Changed`,
        details: {},
      };
      return { rows: [entry], next: number > 1 ? String(number - 1) : null };
    },
  });
  renderPage(<MasterPage master={trees} />);
  await choose('Oak', 'History');
  for (const [turn, number] of [
    ['Older', 2],
    ['Older', 1],
    ['Older', 1],
    ['Newer', 2],
    ['Newer', 3],
    ['Newer', 3],
  ] as const) {
    const turned = await button(turn);
    turned.focus();
    fireEvent.click(turned);
    await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain(`Editor ${number}, `));
    await waitFor(() => expect(document.activeElement).toBe(turned));
  }
  expect(calls.filter(({ path }) => path.endsWith('/history')).length).toBeLessThanOrEqual(6);
});

test('a row whose removal is confirmed twice is removed once', async () => {
  const answer = Promise.withResolvers<object>();
  const { sent: calls } = fakeServer({
    'GET /api/tree': page([row(1, 'Oak')]),
    'DELETE /api/tree/1': () => answer.promise,
  });
  renderPage(<MasterPage master={trees} />);
  await choose('Oak', 'Delete');
  const confirm = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' });
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  await waitFor(() => expect(confirm.getAttribute('aria-disabled')).toBe('true'));
  fireEvent.click(confirm);
  answer.resolve({});
  expect(await screen.findByText('Deleted.')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'DELETE')).toMatchObject([{ fields: { version: 3 } }]);
});

test('of two people who change the same row the second sees both versions, and goes on with the one they choose', async () => {
  const stale = { version: 4, saved: { name: 'Oak', height: 31, isActive: true }, names: {} };
  const tooLate = refusal('stale', 'Somebody was faster.', { data: stale });
  const saves = [tooLate, tooLate, { id: 1, version: 5 }];
  const { sent: calls } = fakeServer({
    'GET /api/tree': page([row(1, 'Oak', { height: 30 })]),
    'PUT /api/tree/1': () => saves.shift(),
  });
  renderPage(<MasterPage master={trees} />);
  await press('Oak');
  const height = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Height' });
  fireEvent.change(await height(), { target: { value: '32' } });
  await press('Save');
  expect(await screen.findByText('Someone else has changed this. Which version do you want to keep?')).toBeTruthy();
  expect(screen.getByRole('row', { name: 'Height 31 32' })).toBeTruthy();
  // The button that was pressed may be far below the choice.
  const choice = () => screen.getByText(/Which version do you want/).closest('[role=alert]');
  await hasFocus(choice);
  await press('Save');
  await hasFocus(choice);
  await press('Use the saved version');
  await hasFocus(() => screen.getByRole('textbox', { name: 'Name' }));
  await waitFor(async () => expect((await height()).value).toBe('31'));
  fireEvent.change(await height(), { target: { value: '33' } });
  await press('Save');
  expect(await screen.findByText('Saved.')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'PUT').map(({ fields }) => fields)).toMatchObject([
    { version: 3, height: '32' },
    { version: 3, height: '32' },
    { version: 4, height: '33' },
  ]);
});

const textbox = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const hasFocus = (element: () => Element | null) => waitFor(() => expect(document.activeElement).toBe(element()));

test('the form at the side begins in its first field', async () => {
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak', { height: 30 })]) });
  renderPage(<MasterPage master={trees} />);
  await press('Add tree');
  expect(document.activeElement).toBe(await textbox('Name'));
});

test('after a row is deleted the next one’s name has the focus, and of the last one the list', async () => {
  let rows = [row(1, 'Oak'), row(2, 'Elm')];
  fakeServer({
    'GET /api/tree': () => page(rows),
    'DELETE /api/tree/:id': ({ path }: { path: string }) => {
      rows = rows.filter(({ id }) => !path.endsWith(`/${id}`));
      return {};
    },
  });
  renderPage(<MasterPage master={trees} />);
  const remove = async (name: string) => {
    await choose(name, 'Delete');
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(await dialog.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
  };
  await remove('Oak');
  await hasFocus(() => screen.getByRole('button', { name: 'Elm' }));
  await remove('Elm');
  await hasFocus(() => screen.getByRole('region', { name: 'trees' }));
});

test('one or two problems in a form at the side stand beside their fields alone, and the first one has the focus', async () => {
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak')]) });
  renderPage(<MasterPage master={trees} />);
  await press('Add tree');
  await press('Add');
  expect(await screen.findByText('Name is required.')).toBeTruthy();
  await hasFocus(() => screen.getByRole('textbox', { name: 'Name' }));
  expect(screen.queryByRole('alert', { name: 'There is a problem' })).toBeNull();
});

test('more problems in a form at the side are listed at its top', async () => {
  fakeServer({ 'GET /api/twig': page([row(1, 'Long')]), 'GET /api/tree/option': treeNames });
  renderPage(<MasterPage master={twigs} />);
  await press('Add twig');
  await press('Add');
  const listed = await screen.findByRole('alert', { name: 'There is a problem' });
  expect(within(listed).getAllByRole('listitem').length).toBe(4);
});

test('of several entries added one after another the place is chosen once, and each is said', async () => {
  const { sent: calls } = fakeServer({
    'GET /api/twig': page([row(1, 'Long')]),
    'GET /api/tree/option': treeNames,
    'POST /api/twig': { id: 9, version: 1 },
  });
  renderPage(<MasterPage master={twigs} />);
  await press('Add twig');
  const select = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name });
  await waitFor(() => expect(select('Tree').options.length).toBe(3));
  fireEvent.change(select('Tree'), { target: { value: '2' } });
  fireEvent.change(await textbox('Name'), { target: { value: 'First' } });
  fireEvent.change(select('Side'), { target: { value: 'South' } });
  fireEvent.click(await screen.findByRole('radio', { name: 'Teal' }));
  await press('Save and add another');
  expect(await screen.findByText('First was added. Enter the next one.')).toBeTruthy();
  expect([select('Tree').value, (await textbox('Name')).value, select('Side').value]).toEqual(['2', '', '']);
  await hasFocus(() => select('Tree'));
  fireEvent.change(await textbox('Name'), { target: { value: 'Second' } });
  fireEvent.change(select('Side'), { target: { value: 'North' } });
  fireEvent.click(screen.getByRole('radio', { name: 'Pink' }));
  await press('Add');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.filter(({ method }) => method === 'POST').map(({ fields }) => fields)).toMatchObject([
    { treeId: '2', name: 'First', side: 'South', colour: 'Teal' },
    { treeId: '2', name: 'Second', side: 'North', colour: 'Pink' },
  ]);
});

test('Ctrl+Shift+Enter adds an entry and opens the next; one without a name of its own is said to be added', async () => {
  const heights = defineMaster({
    ...definition,
    path: '/height',
    table: 'garden_height',
    fields: { treeId: field.ref(text`Tree`, { to: namedBy(trees) }) },
    key: ['treeId'],
    labelFields: ['treeId'],
  });
  fakeServer({
    'GET /api/height': page([]),
    'GET /api/tree/option': treeNames,
    'POST /api/height': { id: 9, version: 1 },
  });
  renderPage(<MasterPage master={heights} />);
  await press('Add tree');
  await screen.findByRole('option', { name: 'Elm' });
  fireEvent.change(screen.getByRole('combobox', { name: 'Tree' }), { target: { value: '2' } });
  const keys = { key: 'Enter', ctrlKey: true, shiftKey: true };
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Tree' }), keys);
  expect(await screen.findByText('Added. Enter the next one.')).toBeTruthy();
});

test('a row opens by a click anywhere on it, but not by one on its menu, nor where text in it is marked', async () => {
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak', { height: 30 })]) });
  renderPage(<MasterPage master={trees} />);
  await button('Oak');
  const cell = screen.getByRole('cell', { name: '30' });
  getSelection()?.selectAllChildren(cell);
  fireEvent.click(cell);
  expect(screen.queryByRole('dialog')).toBeNull();
  getSelection()?.removeAllRanges();
  await press('Actions for Oak');
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(cell);
  expect(await screen.findByRole('dialog', { name: 'Edit Oak' })).toBeTruthy();
});

test('what was deactivated is activated again by the Undo of its message', async () => {
  const { sent: calls } = fakeServer({
    'GET /api/tree': page([row(1, 'Oak', { height: 30 })]),
    'PUT /api/tree/1': ({ fields }: { fields: Record<string, unknown> }) => ({
      id: 1,
      version: Number(fields.version) + 1,
    }),
  });
  renderPage(<MasterPage master={trees} />);
  await choose('Oak', 'Deactivate');
  expect(await screen.findByText('Oak deactivated.')).toBeTruthy();
  await press('Undo');
  expect(await screen.findByText('Oak activated.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(calls.filter(({ method }) => method === 'PUT').map(({ fields }) => fields)).toMatchObject([
    { version: 3, isActive: false },
    { version: 4, isActive: true },
  ]);
});

test('selected rows are deactivated together, those skipped are counted, and Undo activates the others again', async () => {
  const answers = [
    { changed: [1], skipped: [{ message: text`Already inactive`, count: 2 }] },
    { changed: [1], skipped: [] },
  ];
  const { sent: calls } = fakeServer({
    'GET /api/tree': page([row(1, 'Oak'), row(2, 'Elm', { isActive: false })]),
    'POST /api/tree/active': () => answers.shift(),
  });
  renderPage(<MasterPage master={trees} usual={{ height: '3' }} />);
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Deactivate' }));
  expect(await screen.findByText('1 entry deactivated.')).toBeTruthy();
  expect(screen.getByText('2 skipped: Already inactive.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Clear selection' })).toBeNull();
  await hasFocus(() => screen.getByRole('region', { name: 'trees' }));
  await press('Undo');
  expect(await screen.findByText('1 entry activated.')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'POST').map(({ fields }) => fields)).toEqual([
    { selection: { ids: [1, 2], isAll: false, query: {} }, isActive: false },
    { selection: { ids: [1], isAll: false, query: {} }, isActive: true },
  ]);
});

test('all that match are those of the working year too', async () => {
  const { sent: calls } = fakeServer({
    'GET /api/tree': page([row(1, 'Oak')], { total: 60 }),
    'POST /api/tree/active': refusal('conflict', 'The park is closed.'),
  });
  renderPage(<MasterPage master={trees} usual={{ height: '3' }} />, '/page?tab=tree');
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Oak' }));
  await press('Select all 60');
  await press('Activate');
  expect(await screen.findByText('The park is closed.')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.fields.selection).toEqual({
    ids: [],
    isAll: true,
    query: { height: '3' },
  });
  expect(await button('Clear selection')).toBeTruthy();
});

test('a view of a list in a tab keeps the tab, and has only the filters that were chosen', async () => {
  const twig = { id: 4, name: 'South side', isShared: false, isOwn: true, columns: ['side'] };
  fakeServer({
    'GET /api/twig': page([row(1, 'Long', { side: 'South', names: { treeId: 'Oak' } })]),
    'GET /api/twig/view': [{ ...twig, address: { side: 'South' } }],
    'GET /api/tree/option': treeNames,
  });
  const router = renderPage(<MasterPage master={twigs} usual={{ treeId: '1' }} />, '/page?tab=twig&search=x');
  await press('Views');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'South side' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'twig', side: 'South', view: '4' }));
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Times used' })).toBeNull());
  await press('South side');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Show the whole list' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'twig' }));
});

test('a row that was dragged goes back to its place by the Undo of its message', async () => {
  const { sent: calls } = fakeServer({
    'GET /api/tree': page([row(1, 'Oak'), row(2, 'Elm'), row(3, 'Ash')]),
    'POST /api/tree/:id/move': {},
  });
  renderPage(<MasterPage master={orderedTrees} />);
  await button('Oak');
  const line = (name: string) => screen.getByRole('button', { name }).closest('tr') as HTMLElement;
  fireEvent.dragStart(line('Ash'), { dataTransfer: new DataTransfer() });
  fireEvent.dragOver(line('Oak'));
  fireEvent.drop(line('Oak'));
  expect(await screen.findByText('Ash moved.')).toBeTruthy();
  await press('Undo');
  // From the place of Oak to that of Elm, which has taken the last one.
  await waitFor(() =>
    expect(calls.filter(({ method }) => method === 'POST').map(({ path, fields }) => [path, fields.to])).toEqual([
      ['/api/tree/3/move', 1],
      ['/api/tree/3/move', 2],
    ]),
  );
});

test('each filter that is set stands beside the search, and is removed there; a colour is none', async () => {
  fakeServer({ 'GET /api/twig': page([row(1, 'Long')]), 'GET /api/tree/option': treeNames });
  const router = renderPage(<MasterPage master={twigs} usual={{ treeId: '1' }} />);
  expect(screen.queryByRole('combobox')).toBeNull();
  await press('Filter');
  const offered = () => screen.getAllByRole('combobox').map((control) => control.getAttribute('id'));
  await waitFor(() => expect(offered().length).toBe(4));
  for (const name of ['Tree', 'Side', 'Status', 'Order']) expect(screen.getByRole('combobox', { name })).toBeTruthy();
  fireEvent.change(screen.getByRole('combobox', { name: 'Side' }), { target: { value: 'South' } });
  await waitFor(() => expect(router.state.location.search).toEqual({ side: 'South' }));
  await press('Remove filter Tree: Oak');
  await waitFor(() => expect(router.state.location.search).toEqual({ side: 'South', treeId: '0' }));
  await hasFocus(() => screen.getByRole('button', { name: 'Filter' }));
  await press('Remove filter Side: South');
  await waitFor(() => expect(router.state.location.search).toEqual({ treeId: '0' }));
  await press('Clear filters');
  expect(await button('Remove filter Tree: Oak')).toBeTruthy();
  expect(router.state.location.search).toEqual({});
});

test('what a list is searched for is cleared by a button in the box', async () => {
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak')]) });
  const router = renderPage(<MasterPage master={trees} />, '/page?search=oak');
  const box = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search trees' });
  await press('Clear search');
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect([box.value, document.activeElement]).toEqual(['', box]);
  expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull();
});

test('single keys search, add, walk the rows and list themselves, and are letters while something is typed', async () => {
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak'), row(2, 'Elm')]) });
  renderPage(<MasterPage master={trees} />);
  const [oak, elm] = [await button('Oak'), await button('Elm')];
  const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
  const walk = (...keys: string[]) =>
    keys.map((name) => {
      key(name);
      return document.activeElement?.textContent;
    });
  expect(walk('j', 'j', 'j', 'k', 'ArrowDown', 'ArrowUp')).toEqual(['Oak', 'Elm', 'Elm', 'Oak', 'Elm', 'Oak']);
  expect([document.activeElement, elm.isConnected]).toEqual([oak, true]);

  key('/');
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search trees' }));
  for (const name of ['n', '?', 'j']) expect(key(name)).toBe(true);
  expect(screen.queryByRole('dialog')).toBeNull();
  elm.focus();
  fireEvent.keyDown(elm, { key: 'n', ctrlKey: true });
  expect(screen.queryByRole('dialog')).toBeNull();
  key('n');
  const form = await screen.findByRole('dialog', { name: 'Add tree' });
  fireEvent.keyDown(form, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  elm.focus();
  key('?');
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(help.textContent).toContain('Add tree');
  fireEvent.click(within(help).getByRole('checkbox', { name: 'Use single keys' }));
  fireEvent.click(within(help).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  elm.focus();
  key('n');
  expect(screen.queryByRole('dialog')).toBeNull();
});
