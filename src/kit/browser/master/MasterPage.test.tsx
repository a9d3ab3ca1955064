import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { defineMaster, field, type MasterRow, namedBy } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
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

test('a column that somebody takes out of a list stays out of it on their device', async () => {
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak', { height: 30 })]) });
  renderPage(<MasterPage master={trees} />);
  await press('More');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Columns…' }));
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Height' }));
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Height' })).toBeNull());
  expect(JSON.parse(localStorage.getItem('columns:garden_tree') ?? '')).toEqual([]);
});

test('a column that was taken out on this device is not shown', async () => {
  localStorage.setItem('columns:garden_tree', '[]');
  fakeServer({ 'GET /api/tree': page([row(1, 'Oak', { height: 30 })]) });
  renderPage(<MasterPage master={trees} />);
  expect(await screen.findByRole('columnheader', { name: 'Used by' })).toBeTruthy();
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
  const line = (name: string) => screen.getByRole('button', { name }).closest('tr') as HTMLElement;
  fireEvent.dragStart(line('Oak'), { dataTransfer: new DataTransfer() });
  fireEvent.dragOver(line('Ash'));
  expect(line('Ash').className).toContain('below');
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
  expect(await screen.findByText('No entries match. Try removing a filter.')).toBeTruthy();
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
  expect(await screen.findByText('Oak deleted.')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'DELETE')).toMatchObject([{ fields: { version: 3 } }]);
});

test('of two people who change the same row the second sees both versions, and goes on with the one they choose', async () => {
  const stale = { version: 4, saved: { name: 'Oak', height: 31, isActive: true }, names: {} };
  const saves = [refusal('stale', 'Somebody was faster.', { data: stale }), { id: 1, version: 5 }];
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
  await press('Use the saved version');
  await waitFor(async () => expect((await height()).value).toBe('31'));
  fireEvent.change(await height(), { target: { value: '33' } });
  await press('Save');
  expect(await screen.findByText('Saved.')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'PUT').map(({ fields }) => fields)).toMatchObject([
    { version: 3, height: '32' },
    { version: 4, height: '33' },
  ]);
});
