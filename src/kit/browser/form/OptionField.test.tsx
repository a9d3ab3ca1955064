import { createBrowserHistory } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import { chosenId } from '#kit/contract/fields.ts';
import { neededId } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { ApiForm } from './ApiForm.tsx';
import { SelectField } from './fields.tsx';
import { OptionField } from './OptionField.tsx';

const options = endpoint({
  method: 'GET',
  path: '/tree/option',
  access: 'public',
  input: z.object(optionsInput),
  output: nameOptions,
});
const climb = endpoint({
  method: 'POST',
  path: '/climb',
  access: 'public',
  input: z.object({ treeId: neededId(text`Tree`) }),
  output: z.object({}),
});
const visit = endpoint({
  method: 'POST',
  path: '/visit',
  access: 'public',
  input: z.object({ treeId: chosenId(text`Tree`) }),
  output: z.object({}),
});
const trees = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, name: `Tree ${index + 1}`, isActive: true }));

/** Answers as the server does: the matching entries and the chosen one. */
const find = ({ query }: { query: Record<string, string> }) => {
  const { search = '', limit = '1000', chosenId } = query;
  const chosen = trees.filter(({ id }) => String(id) === chosenId);
  return [...chosen, ...trees.filter(({ name }) => name.includes(search))].slice(0, Number(limit));
};

const refuse = () => Response.json({ error: { code: 'unavailable' } }, { status: 503 });

function renderForm(treeId = '', isTyped = false) {
  const onClose = vi.fn();
  renderPage(
    <SideDialog title="Climb" onClose={onClose}>
      {() => (
        <ApiForm
          endpoint={climb}
          initial={{ treeId }}
          onDone={() => undefined}
          buttons={() => <button type="submit">Save</button>}
        >
          <OptionField name="treeId" options={options} isTyped={isTyped} />
        </ApiForm>
      )}
    </SideDialog>,
  );
  return onClose;
}

async function open(answer: Answers[string], treeId = '') {
  const server = fakeServer({ 'GET /api/tree/option': answer, 'POST /api/climb': {} });
  const onClose = renderForm(treeId);
  const box = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Tree' });
  return { ...server, box, onClose };
}

const openMany = async (treeId = '') => {
  const opened = await open(find, treeId);
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Tree' }).tagName).toBe('INPUT'));
  return { ...opened, box: screen.getByRole<HTMLInputElement>('combobox', { name: 'Tree' }) };
};
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));

test('a short list is a native one', async () => {
  const { box, sent } = await open(trees.slice(0, 3));
  expect(await within(box).findByRole('option', { name: 'Tree 2' })).toBeTruthy();
  expect(box.tagName).toBe('SELECT');
  fireEvent.change(box, { target: { value: '2' } });
  save();
  await waitFor(() => expect(sent.at(-1)?.fields).toEqual({ treeId: '2' }));
});

test('of a long list the server finds what is typed, and Enter takes the first', async () => {
  const { box, sent } = await openMany();
  fireEvent.click(box);
  expect(await screen.findAllByRole('option')).toHaveLength(20);
  fireEvent.change(box, { target: { value: 'Tree 3' } });
  expect(screen.getByText('Loading…')).toBeTruthy();
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(11));
  expect(sent.at(-1)?.query).toEqual({ search: 'Tree 3', state: 'active', limit: '20' });
  fireEvent.keyDown(box, { key: 'ArrowDown', code: 'ArrowDown' });
  fireEvent.keyDown(box, { key: 'Enter', code: 'Enter' });
  expect(box.value).toBe('Tree 30');
  expect(screen.queryByRole('option')).toBeNull();
  save();
  await waitFor(() => expect(sent.at(-1)?.fields).toEqual({ treeId: '30' }));
});

test('an entry that was chosen before is called by its name, and emptied it is asked for', async () => {
  const { box, sent } = await openMany('39');
  await waitFor(() => expect(box.value).toBe('Tree 39'));
  fireEvent.change(box, { target: { value: '' } });
  fireEvent.blur(box);
  save();
  expect(await screen.findByText('Tree is required.')).toBeTruthy();
  expect(box.getAttribute('aria-invalid')).toBe('true');
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('what names nothing falls back to the choice there was', async () => {
  const { box } = await openMany('39');
  await waitFor(() => expect(box.value).toBe('Tree 39'));
  fireEvent.change(box, { target: { value: 'Rose' } });
  expect(await screen.findByText('No entries match.')).toBeTruthy();
  fireEvent.blur(box);
  expect(box.value).toBe('Tree 39');
});

test('a word is kept while another window has the focus', async () => {
  const { box } = await openMany('39');
  await waitFor(() => expect(box.value).toBe('Tree 39'));
  box.focus();
  fireEvent.change(box, { target: { value: 'Rose' } });
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  fireEvent.blur(box);
  expect(box.value).toBe('Rose');
  vi.restoreAllMocks();
});

test('Escape closes the list first, and the dialog the second time', async () => {
  const { box, onClose } = await openMany();
  fireEvent.click(box);
  await screen.findAllByRole('option');
  fireEvent.keyDown(box, { key: 'Escape', code: 'Escape' });
  expect(screen.queryByRole('option')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.keyDown(box, { key: 'Escape', code: 'Escape' });
  expect(onClose).toHaveBeenCalled();
});

test('a short list that could not be read says so, and is read at another try', async () => {
  const server = fakeServer({ 'GET /api/tree/option': refuse });
  renderForm();
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByRole('combobox')).toBeNull();
  server.answers['GET /api/tree/option'] = trees.slice(0, 3);
  fireEvent.click(again);
  expect(await screen.findByRole('option', { name: 'Tree 2' })).toBeTruthy();
});

test('a list that could not be read is tried again', async () => {
  const { answers, box } = await openMany();
  answers['GET /api/tree/option'] = refuse;
  fireEvent.change(box, { target: { value: 'Tree 3' } });
  const again = await screen.findByRole('button', { name: 'Try again' });
  answers['GET /api/tree/option'] = find;
  fireEvent.click(again);
  expect(await screen.findByRole('option', { name: 'Tree 3' })).toBeTruthy();
});

const twins = trees.map((tree) => ({ ...tree, name: 'Oak', detail: `No. ${tree.id}` }));

test('entries of one name are told apart by their detail, in a short list', async () => {
  const { box } = await open(twins.slice(0, 2));
  expect(await within(box).findByRole('option', { name: 'Oak · No. 2' })).toBeTruthy();
  expect(within(box).getByRole('option', { name: 'Oak · No. 1' })).toBeTruthy();
});

test('entries of one name are told apart by their detail, in a long list and once chosen', async () => {
  const { box } = await open(({ query }) => twins.slice(0, Number(query.limit)));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Tree' })).not.toBe(box));
  const typed = screen.getByRole<HTMLInputElement>('combobox', { name: 'Tree' });
  fireEvent.click(typed);
  fireEvent.click(await screen.findByRole('option', { name: 'Oak · No. 7' }));
  expect(typed.value).toBe('Oak · No. 7');
});

test('entries of one name are told apart in a short list', async () => {
  const twins = [
    { id: 1, name: 'Aarav Shah', isActive: true, detail: 'GR 1722 · Grade 5, A' },
    { id: 2, name: 'Aarav Shah', isActive: true, detail: 'GR 1801 · Grade 2, B' },
  ];
  const { box } = await open(twins);
  expect((await within(box).findAllByRole('option', { name: /Aarav/ })).map(({ textContent }) => textContent)).toEqual([
    'Aarav Shah · GR 1722 · Grade 5, A',
    'Aarav Shah · GR 1801 · Grade 2, B',
  ]);
});

test('the only answer is filled in, and closing asks nothing', async () => {
  const { box, onClose } = await open([{ id: 7, name: 'Oak', isActive: true }]);
  await waitFor(() => expect(box.value).toBe('7'));
  fireEvent.keyDown(box, { key: 'Escape' });
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(screen.queryByText('Your changes are not saved.')).toBeNull();
});

const renderSelect = (treeId: string, trees: readonly string[], isOptional = false) =>
  renderPage(
    <ApiForm
      endpoint={isOptional ? visit : climb}
      initial={{ treeId }}
      onDone={() => undefined}
      buttons={() => <button type="submit">Save</button>}
    >
      <SelectField name="treeId" options={trees.map((label, index) => ({ value: String(index + 1), label }))} />
    </ApiForm>,
  );
const answered = () => screen.getByRole<HTMLSelectElement>('combobox').value;

test('the only answer of a native list is filled in once, and never where none is needed or another is chosen', async () => {
  renderSelect('', ['Oak']);
  await waitFor(() => expect(answered()).toBe('1'));
  fireEvent.change(screen.getByRole('combobox'), { target: { value: '' } });
  expect(answered()).toBe('');
  cleanup();
  renderSelect('', ['Oak', 'Elm']);
  await screen.findByRole('combobox');
  expect(answered()).toBe('');
  cleanup();
  renderSelect('', ['Oak'], true);
  await screen.findByRole('combobox');
  expect(answered()).toBe('');
});

test('of two answers none is filled in', async () => {
  const two = [
    { id: 7, name: 'Oak', isActive: true },
    { id: 8, name: 'Elm', isActive: true },
  ];
  const { box } = await open(two);
  await screen.findByRole('option', { name: 'Elm' });
  expect(box.value).toBe('');
});

test('typing replaces the only answer, though it came while the box had the focus', async () => {
  const listed = Promise.withResolvers<object>();
  fakeServer({ 'GET /api/tree/option': () => listed.promise });
  renderForm('', true);
  const box = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Tree' });
  act(() => box.focus());
  listed.resolve([{ id: 7, name: 'Oak', isActive: true }]);
  const filled = await screen.findByDisplayValue<HTMLInputElement>('Oak');
  await waitFor(() => expect([filled.selectionStart, filled.selectionEnd]).toEqual([0, 3]));
});

test('Back with a word in the search box of a panel asks first and keeps the word; once the box is left, it closes the panel', async () => {
  fakeServer({ 'GET /api/tree/option': find });
  window.history.replaceState(null, '', '/first');
  const onClose = vi.fn();
  const router = renderPage(
    <SideDialog title="Climb" onClose={onClose}>
      {() => (
        <ApiForm endpoint={climb} initial={{ treeId: '' }} onDone={() => undefined} buttons={() => null}>
          <OptionField name="treeId" options={options} />
        </ApiForm>
      )}
    </SideDialog>,
    '/first',
    createBrowserHistory(),
  );
  await screen.findByRole('dialog', { name: 'Climb' });
  await act(() => router.navigate({ to: '/second' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Tree' }).tagName).toBe('INPUT'));
  const box = screen.getByRole('combobox', { name: 'Tree' });
  box.focus();
  fireEvent.change(box, { target: { value: 'Tree 3' } });
  act(() => window.history.back());
  fireEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep editing' })).toBeNull());
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByDisplayValue('Tree 3')).toBe(document.activeElement);
  fireEvent.blur(screen.getByRole('combobox', { name: 'Tree' }));
  act(() => window.history.back());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});
