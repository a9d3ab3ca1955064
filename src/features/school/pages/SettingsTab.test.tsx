import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { SettingsTab } from './SettingsTab.tsx';

const unchanged = { id: null, rowVersion: 0, changedBy: null, changedAt: null };
const leaves = {
  ...unchanged,
  key: 'garden.leaf-days',
  group: text`Garden`,
  label: text`Age of a leaf`,
  help: text`Older leaves fall.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {day} other {days}}' }),
  least: 1,
  most: 365,
  default: 60,
  value: 30,
  id: 4,
  rowVersion: 2,
  changedBy: 'Asha',
  changedAt: '2026-11-24T05:12:00.000Z',
};
const water = {
  ...unchanged,
  key: 'garden.waters',
  group: text`Garden`,
  label: text`Water the hedge`,
  help: text`Not in the monsoon.`,
  kind: 'yesNo',
  default: true,
  value: true,
};
const opening = {
  ...unchanged,
  key: 'gate.from',
  group: text`Gate`,
  label: text`Open from`,
  help: text`The gate is closed before this hour.`,
  kind: 'hour',
  least: 7,
  most: 21,
  default: 9,
  value: 9,
};
const visits = {
  ...unchanged,
  key: 'gate.visits',
  group: text`Gate`,
  label: text`Days of visits`,
  help: text`Counted from the first.`,
  kind: 'days',
  unit: text({ message: '{n, plural, one {day} other {days}}' }),
  least: 1,
  most: 60,
  default: [2, 5, 10],
  value: [2, 5, 10],
};
const colour = {
  ...unchanged,
  key: 'gate.colour',
  group: text`Gate`,
  label: text`Colour of the gate`,
  help: text`Painted in summer.`,
  kind: 'choice',
  options: ['Green', 'Blue'],
  default: 'Green',
  value: 'Blue',
  isGuarded: true,
};
const bell = {
  ...unchanged,
  key: 'gate.bell',
  group: text`Gate`,
  label: text`Words at the bell`,
  help: text`Visitors read them.`,
  kind: 'words',
  most: 20,
  default: '',
  value: '',
};
const list = { rows: [leaves, water, opening, visits, colour, bell] };

const open = async (more = {}) => {
  const server = fakeServer({ 'GET /api/academic/setting': list, ...more });
  renderPage(<SettingsTab />);
  await screen.findByRole('button', { name: 'Age of a leaf' });
  const saves = () => server.sent.filter(({ method }) => method === 'PUT').map(({ path, fields }) => [path, fields]);
  return { ...server, saves };
};
const names = () => [...document.querySelectorAll('[data-row-name]')].map(({ textContent }) => textContent);
const edit = async (name: string) => {
  fireEvent.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name: `Edit setting: ${name}` }));
};
const submit = (box: HTMLElement) => fireEvent.submit(box.closest('form') as HTMLElement);
const itemsOf = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }));
  const items = await screen.findAllByRole('menuitem');
  return items.map(({ textContent }) => textContent);
};

test('settings stand below their group with value, unit, default and the last change', async () => {
  await open();
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Garden',
    'Gate',
  ]);
  const row = (name: string) => screen.getByRole('button', { name }).closest('tr')?.textContent;
  expect(row('Age of a leaf')).toMatch(/Older leaves fall\.30 days60 daysAsha, 24 Nov 2026, \d\d:\d\d/);
  expect(row('Water the hedge')).toContain('monsoon.OnOn');
  expect(row('Open from')).toContain('9:009:00');
  expect(row('Days of visits')).toContain('2, 5, 10 days2, 5, 10 days');
  expect(row('Colour of the gate')).toContain('summer.BlueGreen');
  expect(row('Words at the bell')).toContain('them.NoneNone');
});

test('the search finds words of label, help and group in any case, and says how many', async () => {
  await open();
  const finds = async (words: string, found: string[]) => {
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search settings' }), { target: { value: words } });
    await waitFor(() => expect([words, names()]).toEqual([words, found]));
  };
  await finds('LEAF', ['Age of a leaf']);
  await finds('monsoon garden', ['Water the hedge']);
  await finds('gate', ['Open from', 'Days of visits', 'Colour of the gate', 'Words at the bell']);
  expect(screen.getByText('4 settings found')).toBeTruthy();
  await finds('gate leaf', []);
  expect(screen.getByText('No settings match. Try other words.')).toBeTruthy();
  await finds(
    ' ',
    list.rows.map(({ label }) => label.id),
  );
});

test('a setting is saved by itself with the version that was shown, and refused beside its field', async () => {
  const { saves } = await open({ 'PUT /api/academic/setting/:key': { rowVersion: 3 } });
  const dialog = await edit('Age of a leaf');
  const box = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Age of a leaf (days)' });
  expect([box.value, dialog.getByText('Older leaves fall.')]).toEqual(['30', expect.anything()]);
  fireEvent.change(box, { target: { value: '400' } });
  submit(box);
  expect(await dialog.findByText('Enter a whole number from 1 to 365.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(box));
  expect(saves()).toEqual([]);
  fireEvent.change(box, { target: { value: '45' } });
  submit(box);
  await waitFor(() =>
    expect(saves()).toEqual([['/api/academic/setting/garden.leaf-days', { value: '45', rowVersion: 2 }]]),
  );
  expect(await screen.findByText('Saved.')).toBeTruthy();
});

test.each([
  ['Water the hedge', 'checkbox', (box: HTMLElement) => fireEvent.click(box), false],
  ['Open from', 'combobox', (box: HTMLElement) => fireEvent.change(box, { target: { value: '11' } }), '11'],
  ['Days of visits', 'textbox', (box: HTMLElement) => fireEvent.change(box, { target: { value: '3, 9' } }), '3, 9'],
  [
    'Colour of the gate',
    'combobox',
    (box: HTMLElement) => fireEvent.change(box, { target: { value: 'Green' } }),
    'Green',
  ],
  ['Words at the bell', 'textbox', (box: HTMLElement) => fireEvent.change(box, { target: { value: 'Ring' } }), 'Ring'],
])('%s is changed by a %s', async (name, role, change, value) => {
  const { saves } = await open({ 'PUT /api/academic/setting/:key': { rowVersion: 1 } });
  const dialog = await edit(name);
  const box = dialog.getByRole(role, { name: new RegExp(name) });
  change(box);
  submit(box);
  await waitFor(() => expect(saves()).toEqual([[expect.any(String), { value, rowVersion: 0 }]]));
});

test('a choice offers its words, and asks for one of them', async () => {
  const { saves } = await open();
  const choice = await edit('Colour of the gate');
  const select = choice.getByRole<HTMLSelectElement>('combobox', { name: 'Colour of the gate' });
  expect([select.value, [...select.options].map(({ value }) => value)]).toEqual(['Blue', ['', 'Green', 'Blue']]);
  fireEvent.change(select, { target: { value: '' } });
  submit(select);
  expect(await choice.findByText('Colour of the gate is required.')).toBeTruthy();
  expect(saves()).toEqual([]);
});

test('words that are too long are refused beside their box', async () => {
  const { saves } = await open();
  const box = (await edit('Words at the bell')).getByRole('textbox', { name: 'Words at the bell' });
  fireEvent.change(box, { target: { value: 'a'.repeat(21) } });
  submit(box);
  expect(await screen.findByText(/20 characters/)).toBeTruthy();
  expect(saves()).toEqual([]);
});

test('a change that a second person decides on says so, and so does a reset', async () => {
  await open({ 'PUT /api/academic/setting/:key': { rowVersion: 0, isHeld: true } });
  const dialog = await edit('Colour of the gate');
  const box = dialog.getByRole('combobox', { name: 'Colour of the gate' });
  fireEvent.change(box, { target: { value: 'Green' } });
  submit(box);
  expect(await screen.findByText('A second person decides.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await itemsOf('Colour of the gate');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Use the default' }));
  await waitFor(() => expect(screen.getAllByText('A second person decides.').length).toBeGreaterThan(0));
});

test('a setting that someone else changed shows both values, and what was typed is saved over it by choice', async () => {
  const stale = refusal('stale', 'Someone else has changed this. Check it and try again.', {
    data: { rowVersion: 7, value: 90, changedBy: 'Bina', savedDateTime: '2026-11-24T05:12:00.000Z' },
  });
  const { saves, answers } = await open({ 'PUT /api/academic/setting/:key': stale });
  const dialog = await edit('Age of a leaf');
  const box = () => dialog.getByRole<HTMLInputElement>('textbox', { name: 'Age of a leaf (days)' });
  fireEvent.change(box(), { target: { value: '45' } });
  submit(box());
  const choice = await dialog.findByRole('alert');
  expect(choice.textContent).toContain('Someone else has changed this. Which version do you want to keep?');
  expect(within(choice).getByRole('row', { name: 'Age of a leaf 90 days, Bina 45 days' })).toBeTruthy();
  expect(box().value).toBe('45');
  answers['PUT /api/academic/setting/:key'] = { rowVersion: 8 };
  fireEvent.click(dialog.getByRole('button', { name: 'Keep my version' }));
  expect(box().value).toBe('45');
  submit(box());
  await waitFor(() => expect(saves().at(-1)?.[1]).toEqual({ value: '45', rowVersion: 7 }));
});

test('the default is offered where a setting differs from it, the history where it was changed', async () => {
  const { saves, answers } = await open({
    'PUT /api/academic/setting/:key': refusal('invalid', 'There is a problem', {
      fields: { value: 'Choose an hour before 9:00.' },
    }),
  });
  expect(await itemsOf('Water the hedge')).toEqual(['Edit']);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  expect(await itemsOf('Age of a leaf')).toEqual(['Edit', 'Use the default', 'History']);
  fireEvent.click(screen.getByRole('menuitem', { name: 'Use the default' }));
  expect(await screen.findByText('Choose an hour before 9:00.')).toBeTruthy();
  answers['PUT /api/academic/setting/:key'] = { rowVersion: 3 };
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  await itemsOf('Age of a leaf');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Use the default' }));
  expect(await screen.findByText('Saved.')).toBeTruthy();
  expect(saves().at(-1)).toEqual(['/api/academic/setting/garden.leaf-days', { value: null, rowVersion: 2 }]);
});
