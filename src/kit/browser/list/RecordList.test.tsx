import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { queryClient, readAllAgain } from '#kit/browser/data/read.ts';
import { activate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { field } from '#kit/contract/field.ts';
import type { ListView, Selection } from '#kit/contract/list-view.ts';
import { defineMaster } from '#kit/contract/master.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { keyOf } from '#kit/contract/text-key.ts';
import { watchDownloads } from '#testing/downloads.tsx';
import { type Answers, fakeServer, refusal, type Sent } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { MayShare } from './may-share.ts';
import { RecordList } from './RecordList.tsx';

let downloads: string[];
beforeEach(() => {
  downloads = watchDownloads();
});

const parks = defineMaster({
  table: 'garden_park',
  path: '/park',
  singular: text`park`,
  plural: text`parks`,
  access: 'public',
  fields: { name: field.text(text`Name`, { max: 20 }) },
});

const trees = defineList({
  name: 'tree',
  path: '/tree',
  singular: text`tree`,
  plural: text`trees`,
  access: 'public',
  shows: ['tree'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    height: { kind: 'number', label: text`Height`, isSorted: true },
    plantedOn: { kind: 'date', label: text`Planted on` },
    side: { kind: 'oneOf', label: text`Side`, options: options('North', 'South') },
    birds: { kind: 'someText', label: text`Birds`, isAside: true },
  },
  filters: {
    side: { kind: 'oneOf', label: text`Side`, options: options('North', 'South') },
    parkId: { kind: 'ref', label: text`Park`, options: parks.api.options },
  },
  tabs: { standing: text`Standing`, felled: text`Felled`, all: text`All` },
  extra: { isOld: z.boolean() },
});
type Page = OutputOf<typeof trees.api.list>;
type Tree = Page['rows'][number];

const tree = (id: number, name: string, values: Partial<Tree> = {}): Tree => ({
  id,
  name,
  height: 12,
  plantedOn: '1988-03-03',
  side: 'North',
  birds: ['Mynah', 'Koel'],
  isOld: false,
  ...values,
});
const page = (rows: Tree[], values: Partial<Page> = {}): Page => ({
  rows,
  next: null,
  previous: null,
  total: rows.length,
  isMore: false,
  ...values,
});
const counts = (standing: number, felled: number) => ({
  standing: { total: standing, isMore: false },
  felled: { total: felled, isMore: false },
  all: { total: standing + felled, isMore: false },
});
const view = (id: number, name: string, values: Partial<ListView> = {}): ListView => ({
  id,
  name,
  isShared: false,
  isOwn: true,
  address: {},
  columns: ['height', 'side'],
  ...values,
});
const few = [tree(1, 'Oak'), tree(2, 'Elm', { height: 9 }), tree(3, 'Ash', { side: 'South' })];
const standard: Answers = {
  'GET /api/tree': page(few),
  'GET /api/tree/count': counts(3, 1200),
  'GET /api/tree/view': [],
  'GET /api/park/option': [{ id: 7, name: 'Garden of Five Senses', isActive: true }],
};

type Props = Partial<Parameters<typeof RecordList<typeof trees, '/school-erp/audit'>>[0]>;
const renderList = (props: Props = {}, address?: string, mayShare = false) =>
  renderPage(
    <MayShare value={mayShare}>
      <RecordList
        list={trees}
        open={({ id }) => ({ to: '/school-erp/audit', hash: String(id) })}
        empty={{ message: 'Plant the first tree.' }}
        {...props}
      />
    </MayShare>,
    address,
  );

const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name });
const press = async (name: string) => fireEvent.click(await button(name));
const link = (name: string | RegExp) => screen.findByRole<HTMLAnchorElement>('link', { name });
const choose = async (menu: string, item: string | RegExp) => {
  await press(menu);
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
};
const key = (name: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: name, ...more });
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });
const selected = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox', { name: /^Select (?!all)/ })
    .flatMap((tick) => (tick.checked ? [tick.getAttribute('aria-label')] : []));
const listed = (sent: Sent[]) => sent.filter(({ path }) => path === '/api/tree').map(({ query }) => query);

test('a row shows each column in its own way, and its name leads to the record', async () => {
  fakeServer(standard);
  renderList({ lead: () => <i>picture</i>, cells: { side: ({ side }) => <b>{side} side</b> } });
  expect((await link('Oak')).getAttribute('href')).toBe('/school-erp/audit#1');
  expect((await screen.findAllByRole('row')).map(({ textContent }) => textContent)).toEqual([
    'NameHeightPlanted onSide',
    'pictureOak123 Mar 1988North side',
    'pictureElm93 Mar 1988North side',
    'pictureAsh123 Mar 1988South side',
  ]);
});

test('a name that the program wrote is said in the reader’s language, also where its row is ticked', async () => {
  fakeServer({ ...standard, 'GET /api/tree': page([tree(1, 'Oak')]) });
  const said = { ...trees, columns: { ...trees.columns, name: { ...trees.columns.name, isSaid: true } } };
  activate('hi', { [keyOf('Oak')]: 'बलूत' });
  try {
    renderList({ list: said });
    expect((await link('बलूत')).textContent).toBe('बलूत');
    expect(document.body.textContent).not.toContain('Oak');
    expect(
      screen
        .getAllByRole('checkbox')
        .map((tick) => tick.getAttribute('aria-label'))
        .join(),
    ).not.toContain('Oak');
  } finally {
    cleanup();
    activate('en');
  }
});

test('a row opens by a click anywhere on it, but not by one on its box', async () => {
  fakeServer(standard);
  const router = renderList();
  fireEvent.click(await box('Select Oak'));
  expect(router.state.location.pathname).toBe('/page');
  fireEvent.click(screen.getAllByRole('cell', { name: '12' })[0] as HTMLElement);
  await waitFor(() => expect(router.state.location.pathname).toBe('/school-erp/audit'));
});

test('after an outage, trying again reads the list and the counts of its tabs', async () => {
  const { answers } = fakeServer({ ...standard, 'GET /api/tree': undefined, 'GET /api/tree/count': undefined });
  renderList();
  const retry = await screen.findByRole('button', { name: 'Try again' }, { timeout: 3000 });
  expect((await link(/^Standing/)).textContent).toBe('Standing');
  Object.assign(answers, standard);
  fireEvent.click(retry);
  await link('Oak');
  await waitFor(async () => expect((await link(/^Standing/)).textContent).toBe('Standing 3'));
});

test('the tabs have their counts under the filters, and keep search, filters and order', async () => {
  const { sent } = fakeServer(standard);
  const router = renderList({}, '/page?search=o&side=North&sort=-height&after=x');
  expect((await link(/^Standing/)).getAttribute('aria-current')).toBe('page');
  await waitFor(() =>
    expect(screen.getAllByRole('link', { name: /Standing|Felled|All/ }).map(({ textContent }) => textContent)).toEqual([
      'Standing 3',
      'Felled 1,200',
      'All 1,203',
    ]),
  );
  fireEvent.click(await link(/^Felled/));
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ search: 'o', side: 'North', sort: '-height', tab: 'felled' }),
  );
  await waitFor(() => expect(screen.getByRole('link', { current: 'page' }).textContent).toContain('Felled'));
  await waitFor(() => expect(listed(sent).at(-1)).toMatchObject({ search: 'o', side: 'North', tab: 'felled' }));
  expect(sent.filter(({ path }) => path === '/api/tree/count').map(({ query }) => query)).toEqual([
    { search: 'o', side: 'North' },
  ]);
});

test('the rows and the counts of the tabs have the page’s usual filter until another is chosen', async () => {
  const { sent } = fakeServer(standard);
  renderList({ usual: { parkId: '7' } });
  await link(/Felled/);
  await waitFor(() => expect(listed(sent)).toEqual([{ parkId: '7' }]));
  const counted = () => sent.filter(({ path }) => path === '/api/tree/count').map(({ query }) => query);
  await waitFor(() => expect(counted()).toEqual([{ parkId: '7' }]));
  await press('Remove filter Park: Garden of Five Senses');
  await waitFor(() => expect(counted().at(-1)).toEqual({ parkId: '0' }));
});

test('a count of which there are more says so', async () => {
  fakeServer({ ...standard, 'GET /api/tree/count': { ...counts(3, 1), all: { total: 1000, isMore: true } } });
  renderList();
  expect((await link(/^All 1,000\+/)).textContent).toBe('All 1,000+');
});

test('a column head sorts the list, and reverses it at the second press; the address and the head say how', async () => {
  const { sent } = fakeServer(standard);
  const router = renderList({}, '/page?after=x');
  const sorted = () => screen.getAllByRole('columnheader').map((head) => head.getAttribute('aria-sort'));
  await button('Height');
  expect(sorted().slice(1, 3)).toEqual(['ascending', null]);
  expect(screen.queryByRole('button', { name: 'Planted on' })).toBeNull();
  await press('Height');
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'height' }));
  await waitFor(() => expect(sorted().slice(1, 3)).toEqual([null, 'ascending']));
  await press('Height');
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: '-height' }));
  await press('Name');
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  await press('Name');
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: '-name' }));
  await waitFor(() => expect(sorted().slice(1, 3)).toEqual(['descending', null]));
  await waitFor(() => expect(listed(sent).at(-1)).toEqual({ sort: '-name' }));
});

test('where the heads are not shown, the order is chosen among the filters', async () => {
  fakeServer(standard);
  const router = renderList();
  await press('Filter');
  fireEvent.change(screen.getByRole('combobox', { name: 'Order' }), { target: { value: '-height' } });
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: '-height' }));
  expect(screen.getByRole('option', { name: 'Height, descending' })).toBeTruthy();
});

test('the list is searched and filtered on the server, and each filter is a chip that removes it', async () => {
  const { sent } = fakeServer(standard);
  const router = renderList({}, '/page?tab=all&before=y');
  fireEvent.change(await screen.findByRole('searchbox', { name: 'Search trees' }), { target: { value: 'oak' } });
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'all', search: 'oak' }));
  await press('Filter');
  await screen.findByRole('option', { name: 'Garden of Five Senses' });
  fireEvent.change(screen.getByRole('combobox', { name: 'Park' }), { target: { value: '7' } });
  await waitFor(() => expect(listed(sent).at(-1)).toEqual({ tab: 'all', search: 'oak', parkId: '7' }));
  await press('Remove filter Park: Garden of Five Senses');
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'all', search: 'oak' }));
});

test('a filter offers what fits the chosen value of another, and loses its own value when that one changes', async () => {
  const groves = defineList({
    ...trees,
    extra: {},
    filters: {
      ...trees.filters,
      groveId: {
        kind: 'ref',
        label: text`Grove`,
        options: { ...parks.api.options, path: '/grove/option' },
        narrowedBy: ['parkId'],
      },
    },
  });
  const { sent } = fakeServer({
    ...standard,
    'GET /api/park/option': [7, 8].map((id) => ({ id, name: `Park ${id}`, isActive: true })),
    'GET /api/grove/option': ({ query }) =>
      [7, 8]
        .filter((parkId) => !query.parkId || Number(query.parkId) === parkId)
        .map((id) => ({ id, name: `Grove of ${id}`, isActive: true })),
  });
  const router = renderPage(
    <RecordList list={groves} open={() => ({ to: '/school-erp/audit' })} empty={{ message: '' }} />,
    '/page?parkId=7&groveId=7',
  );
  await press('Filter');
  const grove = await screen.findByRole('combobox', { name: 'Grove' });
  expect(await within(grove).findByRole('option', { name: 'Grove of 7' })).toBeTruthy();
  expect(within(grove).queryByRole('option', { name: 'Grove of 8' })).toBeNull();
  expect(sent.find(({ path }) => path === '/api/grove/option')?.query).toMatchObject({ parkId: '7' });
  const choosePark = async (value: string) =>
    fireEvent.change(await screen.findByRole('combobox', { name: 'Park' }), { target: { value } });
  await choosePark('');
  await waitFor(() => expect(router.state.location.search).toEqual({ groveId: '7' }));
  await choosePark('8');
  await waitFor(() => expect(router.state.location.search).toEqual({ parkId: '8' }));
  expect(await screen.findByRole('option', { name: 'Grove of 8' })).toBeTruthy();
});

test('the words of a chip open its own control, which Escape closes', async () => {
  fakeServer(standard);
  const router = renderList({}, '/page?side=North');
  await press('Side: North');
  const side = await screen.findByRole('combobox', { name: 'Side' });
  expect(screen.queryByRole('combobox', { name: 'Park' })).toBeNull();
  fireEvent.change(side, { target: { value: 'South' } });
  await waitFor(() => expect(router.state.location.search).toEqual({ side: 'South' }));
  fireEvent.keyDown(side, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

test('a long label has a short head, and everything else has the label', async () => {
  fakeServer(standard);
  const plantedOn = { kind: 'date', label: text`Planted on`, head: text`Planted` } as const;
  renderList({ list: { ...trees, columns: { ...trees.columns, plantedOn } } as typeof trees });
  const head = await screen.findByRole('columnheader', { name: 'Planted' });
  expect(head.title).toBe('Planted on');
  await choose('More', 'Columns…');
  expect(await screen.findByRole('checkbox', { name: 'Planted on' })).toBeTruthy();
});

test('in the usual order, rows of one kind stand below its word, which their names begin with', async () => {
  const rows = [tree(1, 'North, Oak'), tree(2, 'North, Yew'), tree(3, 'South, Ash', { side: 'South' })];
  fakeServer({ ...standard, 'GET /api/tree': page(rows) });
  renderList({ list: { ...trees, groupedBy: 'side' } as typeof trees });
  expect((await link('North, Oak')).lastChild?.textContent).toBe('Oak');
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads().slice(-2)).toEqual(['North', 'South']);
  await press('Height');
  await waitFor(() => expect(heads()).not.toContain('South'));
});

test('what the address has and the list does not is not asked for', async () => {
  const { sent } = fakeServer(standard);
  renderList({}, '/page?tab=planted&side=East&parkId=seven&sort=birds&colour=green&view=9');
  await link('Oak');
  expect(listed(sent)).toEqual([{}]);
});

test('the list is turned on the server, and its foot counts', async () => {
  const { sent } = fakeServer({
    ...standard,
    'GET /api/tree': ({ query }: Sent) =>
      query.after
        ? page([tree(51, 'Yew')], { previous: 'back', total: 51 })
        : page(few, { next: 'on', total: 1000, isMore: true }),
  });
  const router = renderList();
  expect(await screen.findByText('1,000+ trees')).toBeTruthy();
  await press('Next page');
  await waitFor(() => expect(router.state.location.search).toEqual({ after: 'on' }));
  expect(await link('Yew')).toBeTruthy();
  expect(screen.getByText('51 trees')).toBeTruthy();
  await press('Previous page');
  await waitFor(() => expect(listed(sent).at(-1)).toEqual({ before: 'back' }));
});

const pages = {
  ...standard,
  'GET /api/tree': ({ query }: Sent) =>
    query.after
      ? page([tree(51, 'Yew'), tree(52, 'Fig')], { previous: 'back', total: 5 })
      : page(few, { next: 'on', total: 5 }),
};

test('selected records stay so on other pages and under other filters; the bar counts them', async () => {
  fakeServer(pages);
  const given: Selection[] = [];
  renderList({
    bulk: (selection) => {
      given.push(selection);
      return <Button>Water</Button>;
    },
  });
  fireEvent.click(await box('Select Oak'));
  fireEvent.click(await box('Select Ash'));
  expect(await screen.findByText('2 selected')).toBeTruthy();
  await press('Next page');
  fireEvent.click(await box('Select Yew'));
  expect((await screen.findByText('3 selected')).closest('[role=status]')?.textContent).toBe(
    '3 selected 2 not on this page',
  );
  expect(await button('Water')).toBeTruthy();
  expect(given.at(-1)).toEqual({ ids: [1, 3, 51], isAll: false, query: {} });
  await press('Clear selection');
  expect(screen.queryByText(/ selected/)).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'trees' }));
});

test('the acts on all that match get the focus, and stay while an act empties the list', async () => {
  let isDone = false;
  fakeServer({ ...pages, 'GET /api/tree': () => (isDone ? page([]) : page(few, { next: 'on', total: 5 })) });
  renderList({
    bulk: () => (
      <Button
        onClick={() => {
          isDone = true;
          void readAllAgain();
        }}
      >
        Water
      </Button>
    ),
  });
  fireEvent.click(await box('Select all on this page'));
  await press('Select all 5');
  expect(document.activeElement).toBe(await button('Water'));
  await press('Water');
  expect(await screen.findByText('0 selected')).toBeTruthy();
  expect(await button('Water')).toBeTruthy();
});

test('a key leads from a row to the acts on the selected rows', async () => {
  fakeServer(pages);
  renderList({ bulk: () => <Button>Water</Button> });
  const oak = await link('Oak');
  oak.focus();
  fireEvent.keyDown(oak, { key: 'a' });
  expect(document.activeElement).toBe(oak);
  fireEvent.keyDown(oak, { key: ' ' });
  await button('Water');
  fireEvent.keyDown(oak, { key: 'a' });
  expect(document.activeElement).toBe(await button('Water'));
});

test('the box in the head selects the page, and the bar all that match; another search ends that', async () => {
  fakeServer(pages);
  let given: Selection | undefined;
  renderList({
    bulk: (selection) => {
      given = selection;
      return null;
    },
  });
  fireEvent.click(await box('Select Elm'));
  const all = await box('Select all on this page');
  expect([all.indeterminate, all.checked]).toEqual([true, false]);
  fireEvent.click(all);
  expect([all.indeterminate, all.checked]).toEqual([false, true]);
  expect(await screen.findByText('3 selected')).toBeTruthy();
  await press('Select all 5');
  expect(await screen.findByText('5 selected')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Select all 5/ })).toBeNull();
  fireEvent.click(await box('Select Oak'));
  expect(await screen.findByText('4 selected')).toBeTruthy();
  expect(given).toEqual({ ids: [1], isAll: true, query: {} });
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search trees' }), { target: { value: 'a' } });
  await waitFor(() => expect(screen.queryByText(/ selected/)).toBeNull());
});

test('with the Shift key the rows between two boxes are selected', async () => {
  fakeServer(standard);
  renderList();
  fireEvent.click(await box('Select Oak'));
  fireEvent.click(await box('Select Ash'), { shiftKey: true });
  expect(selected()).toEqual(['Select Oak', 'Select Elm', 'Select Ash']);
  fireEvent.click(await box('Select Elm'));
  expect(selected()).toEqual(['Select Oak', 'Select Ash']);
});

test('the keyboard selects: Space a row, Shift and an arrow the next one too, Escape none', async () => {
  fakeServer(standard);
  renderList({ onAdd: () => undefined });
  (await link('Oak')).focus();
  key(' ');
  expect(selected()).toEqual(['Select Oak']);
  key('ArrowDown', { shiftKey: true });
  key('ArrowDown', { shiftKey: true });
  expect([selected(), document.activeElement?.textContent]).toEqual([
    ['Select Oak', 'Select Elm', 'Select Ash'],
    'Ash',
  ]);
  key('ArrowUp', { shiftKey: true });
  expect([selected(), document.activeElement?.textContent]).toEqual([['Select Oak', 'Select Elm'], 'Elm']);
  (await box('Select Elm')).focus();
  expect(key(' ')).toBe(true);
  key('j');
  expect(document.activeElement?.textContent).toBe('Ash');
  key('Escape');
  expect(selected()).toEqual([]);
  key('?');
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const words of ['Add tree', 'Select the row', 'Clear the selection']) expect(help.textContent).toContain(words);
});

test('the key N adds a record where that is allowed', async () => {
  fakeServer(standard);
  const onAdd = vi.fn();
  renderList({ onAdd });
  (await link('Oak')).focus();
  key('n');
  expect(onAdd).toHaveBeenCalledOnce();
  expect(await button('Add tree')).toBeTruthy();
});

test('columns are shown and hidden, and stay so on this device', async () => {
  fakeServer(standard);
  renderList();
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  await choose('More', 'Columns…');
  const dialog = await screen.findByRole('dialog', { name: 'Columns' });
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'Birds' }));
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'Height' }));
  expect(heads()).toEqual(['', 'Name', 'Planted on', 'Side', 'Birds']);
  expect(screen.getAllByRole('cell', { name: 'Mynah; Koel' }).length).toBe(3);
  expect(JSON.parse(localStorage.getItem('columns:list-tree') ?? '')).toEqual(['plantedOn', 'side', 'birds']);
});

const csv = new Response('name', { headers: { 'content-type': 'text/csv' } });

test('an export has the filters, the order and the columns that are shown', async () => {
  const { sent } = fakeServer({ ...standard, 'GET /api/tree/export': csv });
  renderList({}, '/page?tab=all&search=a&side=North&sort=-height&after=x');
  await link('Oak');
  await choose('More', 'Export as Excel');
  await waitFor(() => expect(downloads).toEqual(['trees.xlsx']));
  expect(sent.at(-1)?.query).toEqual({
    tab: 'all',
    search: 'a',
    side: 'North',
    sort: '-height',
    as: 'xlsx',
    columns: 'name,height,plantedOn,side',
    ids: '',
  });
});

test('an export of the selected has their ids, and of all that match none', async () => {
  const { sent } = fakeServer({ ...pages, 'GET /api/tree/export': csv });
  renderList({}, '/page?search=a');
  fireEvent.click(await box('Select Ash'));
  fireEvent.click(await box('Select Oak'));
  await choose('Export selected', 'Export as CSV');
  await waitFor(() => expect(sent.at(-1)?.query).toMatchObject({ as: 'csv', ids: '3,1' }));
  await press('Select all 5');
  await choose('Export selected', 'Export as PDF');
  await waitFor(() => expect(sent.at(-1)?.query).toMatchObject({ as: 'pdf', ids: '', search: 'a' }));
  fireEvent.click(await box('Select Oak'));
  expect(screen.queryByRole('button', { name: 'Export selected' })).toBeNull();
});

test('a refused export says why beside the list', async () => {
  fakeServer({ ...standard, 'GET /api/tree/export': refusal('too_many_tries', 'Try again in an hour.') });
  renderList();
  await choose('More', 'Export as CSV');
  expect(await screen.findByText('Try again in an hour.')).toBeTruthy();
});

test('the page that is shown is printed', async () => {
  fakeServer(standard);
  const print = vi.fn();
  vi.stubGlobal('print', print);
  renderList();
  await choose('More', 'Print this page');
  await waitFor(() => expect(print).toHaveBeenCalledOnce());
});

const saved = [
  view(4, 'Tall ones', { address: { sort: '-height', tab: 'all' }, columns: ['height', 'birds'] }),
  view(5, 'South side', { isOwn: false, isShared: true, address: { side: 'South' } }),
];

test('a view shows its filters, order and columns, and the whole list is one press away', async () => {
  fakeServer({ ...standard, 'GET /api/tree/view': saved });
  const router = renderList({}, '/page?search=oak');
  await press('Views');
  const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  await waitFor(() => expect(items()).toEqual(['Tall ones', 'South side', 'Save this view…']));
  expect(screen.getByRole('group', { name: 'Shared views' }).textContent).toContain('South side');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Tall ones' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: '-height', tab: 'all', view: '4' }));
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  await waitFor(() => expect(heads()).toEqual(['', 'Name', 'Height', 'Birds']));
  expect(localStorage.getItem('columns:list-tree')).toBeNull();
  await choose('Tall ones', 'Show the whole list');
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  await waitFor(() => expect(heads()).toEqual(['', 'Name', 'Height', 'Planted on', 'Side']));
});

test('the list as it is shown is saved as a view, which is shown then; only who may share is asked', async () => {
  let views: ListView[] = [];
  const { sent } = fakeServer({
    ...standard,
    'GET /api/tree/view': () => views,
    'POST /api/tree/view': () => {
      views = [view(8, 'North', { columns: ['side'] })];
      return { id: 8 };
    },
  });
  const router = renderList({}, '/page?side=North&sort=height&after=x');
  await link('Oak');
  await choose('Views', 'Save this view…');
  const dialog = await screen.findByRole('dialog', { name: 'Save this view' });
  expect(within(dialog).queryByRole('checkbox')).toBeNull();
  fireEvent.change(within(dialog).getByRole('textbox', { name: 'Name' }), { target: { value: 'North' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await button('North')).toBeTruthy();
  expect(sent.find(({ method }) => method === 'POST')?.fields).toEqual({
    name: 'North',
    isShared: false,
    address: { side: 'North', sort: 'height' },
    columns: ['height', 'plantedOn', 'side'],
  });
  expect(router.state.location.search).toEqual({ side: 'North', sort: 'height', view: '8' });
});

test('an Admin shares a view, and saves the shown one under its name', async () => {
  const { sent } = fakeServer({
    ...standard,
    'GET /api/tree/view': saved,
    'POST /api/tree/view': { id: 4 },
  });
  renderList({}, '/page?view=4', true);
  await choose('Tall ones', 'Save this view…');
  const dialog = await screen.findByRole('dialog', { name: 'Save this view' });
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Tall ones');
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'Share with everyone who uses this list' }));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.find(({ method }) => method === 'POST')?.fields).toMatchObject({ name: 'Tall ones', isShared: true });
});

test('a view is removed after a question; a shared one of another person only by who may share', async () => {
  let views = saved;
  fakeServer({
    ...standard,
    'GET /api/tree/view': () => views,
    'DELETE /api/tree/view/4': () => {
      views = saved.slice(1);
      return {};
    },
  });
  const router = renderList({}, '/page?view=4&side=North');
  await choose('Tall ones', 'Remove the view “Tall ones”…');
  const dialog = await screen.findByRole('dialog', { name: 'Remove the view “Tall ones”?' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ side: 'North' }));
  await choose('Views', 'South side');
  await press('South side');
  await screen.findByRole('menuitem', { name: 'Show the whole list' });
  expect(screen.queryByRole('menuitem', { name: /^Remove/ })).toBeNull();
});

test('columns changed in a view are those of the view, and not of the device', async () => {
  fakeServer({ ...standard, 'GET /api/tree/view': saved });
  renderList({}, '/page?view=4');
  await button('Tall ones');
  await choose('More', 'Columns…');
  const dialog = await screen.findByRole('dialog', { name: 'Columns' });
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'Side' }));
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads).toEqual(['', 'Name', 'Height', 'Side', 'Birds']);
  expect(localStorage.getItem('columns:list-tree')).toBeNull();
});

test('a list without any record says what to do first', async () => {
  fakeServer({ ...standard, 'GET /api/tree': page([]), 'GET /api/tree/count': counts(0, 0) });
  renderList({ empty: { message: 'Plant the first tree.', children: <Button>Plant it</Button> } });
  expect(await screen.findByText('Plant the first tree.')).toBeTruthy();
  expect(await button('Plant it')).toBeTruthy();
});

test('J and K walk the boxes of a list whose rows open nothing', async () => {
  fakeServer(standard);
  renderList({ open: () => undefined });
  const oak = await box('Select Oak');
  key('j');
  expect(document.activeElement).toBe(oak);
  key('j');
  expect(document.activeElement).toBe(await box('Select Elm'));
  key('k');
  expect(document.activeElement).toBe(oak);
});

test('only the next step of an empty list is filled, and the button above the list where it has records', async () => {
  const filled = () => [...document.querySelectorAll('button')].filter(({ className }) => /main/.test(className));
  const given = { onAdd: () => {}, empty: { message: 'Plant it.', children: <Button kind="main">Plant</Button> } };
  fakeServer({ ...standard, 'GET /api/tree': page([]), 'GET /api/tree/count': counts(0, 0) });
  renderList(given);
  await button('Plant');
  expect(filled().map(({ textContent }) => textContent)).toEqual(['Plant']);
  cleanup();
  queryClient.clear();
  fakeServer(standard);
  renderList(given);
  await link('Oak');
  expect(filled().map((one) => one.getAttribute('aria-label'))).toEqual(['Add tree']);
});

test('a tab without records says so where others have some', async () => {
  fakeServer({ ...standard, 'GET /api/tree': page([]), 'GET /api/tree/count': counts(3, 0) });
  renderList({}, '/page?tab=felled');
  expect(await screen.findByText('No trees under “Felled”.')).toBeTruthy();
  expect(screen.queryByText('Plant the first tree.')).toBeNull();
});

test('a search that finds nothing names its words, and does not speak of filters', async () => {
  fakeServer({ ...standard, 'GET /api/tree': ({ query }: Sent) => page(query.search ? [] : few) });
  const router = renderList({}, '/page?search=baobab');
  const nothing = (await screen.findByText('Nothing found for “baobab”.')).closest('div') as HTMLElement;
  fireEvent.click(within(nothing).getByRole('button', { name: 'Clear search' }));
  expect(await link('Oak')).toBeTruthy();
  expect(router.state.location.search).toEqual({});
});

test('where nothing is found, the filters and the search are cleared by one button, and the tab stays', async () => {
  fakeServer({
    ...standard,
    'GET /api/tree': ({ query }: Sent) => page(query.search ? [] : few),
    'GET /api/tree/count': counts(0, 0),
  });
  const router = renderList({}, '/page?tab=all&search=baobab&side=North');
  const nothing = (await screen.findByText('No entries match. Try removing a filter.')).closest('div') as HTMLElement;
  fireEvent.click(within(nothing).getByRole('button', { name: 'Clear filters' }));
  expect(await link('Oak')).toBeTruthy();
  expect(router.state.location.search).toEqual({ tab: 'all' });
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'trees' }));
});

test('a page that has lost its rows leads to the first one', async () => {
  fakeServer({ ...standard, 'GET /api/tree': ({ query }: Sent) => page(query.after ? [] : few) });
  renderList({}, '/page?after=x');
  await press('First page');
  expect(await link('Oak')).toBeTruthy();
});

test('while the server is away the list says so, and is read again at a press', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const server = fakeServer({ ...standard, 'GET /api/tree': undefined as never });
    renderList();
    await act(() => vi.advanceTimersByTimeAsync(1500));
    const again = await button('Try again');
    expect(await screen.findByRole('searchbox', { name: 'Search trees' })).toBeTruthy();
    server.answers['GET /api/tree'] = page(few);
    fireEvent.click(again);
    expect(await link('Oak')).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test('views and counts that cannot be read leave the list as it is', async () => {
  const server = fakeServer({
    ...standard,
    'GET /api/tree/view': refusal('unexpected', 'Something went wrong.'),
    'GET /api/tree/count': refusal('unexpected', 'Something went wrong.'),
  });
  renderList();
  expect(await link('Oak')).toBeTruthy();
  expect((await link('Felled')).textContent).toBe('Felled');
  await press('Views');
  server.answers['GET /api/tree/view'] = saved;
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Views could not be loaded. Try again.' }));
  expect(await screen.findByRole('menuitem', { name: 'Tall ones' })).toBeTruthy();
});

test('a row’s menu has its actions', async () => {
  fakeServer(standard);
  renderList({ actions: ({ name }) => <p>Fell {name}</p> });
  await press('Actions for Elm');
  expect(await screen.findByText('Fell Elm')).toBeTruthy();
});
