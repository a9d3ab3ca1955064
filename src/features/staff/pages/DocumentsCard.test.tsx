import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { RecordDocument } from '#kit/contract/documents.ts';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { recordOf } from '#testing/staff-record.ts';
import { DocumentsCard } from './DocumentsCard.tsx';

// What is hidden is in the document: closed dialogs.
configure({ defaultHidden: false });

const documentOf = (id: number, over: Partial<RecordDocument> = {}): RecordDocument => ({
  id,
  version: 1,
  type: 'Identity proof',
  issuedOn: '',
  expiresOn: '',
  daysLeft: null,
  isExpiring: false,
  status: 'Verified',
  decidedBy: 'Hina',
  remark: '',
  addedAt: '2026-11-20T06:30:00.000Z',
  ...over,
});
const waiting = documentOf(5, { status: 'Waiting', decidedBy: '', version: 2 });
const types = [
  { id: 1, name: 'Police verification', hasExpiry: true },
  { id: 2, name: 'Identity proof', hasExpiry: false },
];

const open = (
  documents: RecordDocument[],
  over: Parameters<typeof recordOf>[0] = {},
  { missing = [], ...answers }: Answers & { missing?: string[] } = {},
) => {
  const server = fakeServer({ 'GET /api/staff/3/document': { documents, types, missing }, ...answers });
  renderPage(<DocumentsCard record={recordOf(over)} />);
  return server;
};
const lastCells = async () =>
  within(await screen.findByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[3]?.textContent);
const buttons = () => screen.getAllByRole('button').map((button) => button.textContent);
const acts = (server: ReturnType<typeof open>) => server.sent.filter(({ method }) => method !== 'GET');

test('each document says how it stands, and how long it is valid once it expires soon', async () => {
  const days = [61, 60, 12, 1, 0, -1];
  const valid = days.map((daysLeft, index) =>
    documentOf(10 + index, { daysLeft, isExpiring: daysLeft <= 60, expiresOn: '2027-01-04' }),
  );
  const rejected = documentOf(6, { status: 'Rejected', remark: 'The stamp is missing.' });
  open([waiting, rejected, documentOf(7), ...valid]);
  expect(await lastCells()).toEqual([
    'Waiting',
    'RejectedThe stamp is missing.Rejected by Hina',
    'VerifiedVerified by Hina',
    'VerifiedVerified by Hina',
    'Expires in 60 daysVerified by Hina',
    'Expires in 12 daysVerified by Hina',
    'Expires in 1 dayVerified by Hina',
    'Expires todayVerified by Hina',
    'ExpiredVerified by Hina',
  ]);
  expect(screen.getAllByText('4 Jan 2027')).toHaveLength(days.length);
});

test('a document that waits or was rejected is not called expired', async () => {
  open([
    documentOf(5, { status: 'Waiting', decidedBy: '', daysLeft: -3 }),
    documentOf(6, { status: 'Rejected', remark: 'No.', daysLeft: 3 }),
  ]);
  expect(await lastCells()).toEqual(['Waiting', 'RejectedNo.Rejected by Hina']);
});

test('the missing mandatory documents are named', async () => {
  open([], { isOwn: true }, { missing: ['Police verification', 'Identity proof'] });
  expect(await screen.findByText('Missing: Police verification, Identity proof')).toBeTruthy();
  expect(screen.getByText('No documents yet')).toBeTruthy();
});

test('a document opens in a new tab', async () => {
  open([waiting]);
  const view = await screen.findByRole('link', { name: /^View Identity proof, added on .*, opens in a new tab$/ });
  expect([view.getAttribute('href'), view.getAttribute('target')]).toEqual(['/api/staff/3/document/5/file', '_blank']);
});

test('the person adds documents and removes those that are not verified; keepers decide', async () => {
  open([waiting], { isOwn: true });
  await screen.findByRole('table');
  expect(buttons()).toEqual(['Add document', 'Remove']);
});

test('the person can’t remove a verified document', async () => {
  open([documentOf(7)], { isOwn: true });
  await screen.findByRole('table');
  expect(buttons()).toEqual(['Add document']);
});

test('a keeper decides on documents that wait, and removes any', async () => {
  open([waiting, documentOf(7)], { isKept: true });
  await screen.findByRole('table');
  expect(buttons()).toEqual(['Add document', 'Verify', 'Reject', 'Remove', 'Remove']);
});

test('a keeper verifies a document with one press, and the list gets the focus', async () => {
  const server = open([waiting], { isKept: true }, { 'POST /api/staff/3/document/5/decide': {} });
  const verify = await screen.findByRole('button', { name: /^Verify Identity proof/ });
  server.answers['GET /api/staff/3/document'] = { documents: [documentOf(5)], types, missing: [] };
  fireEvent.click(verify);
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Verify/ })).toBeNull());
  expect(acts(server)[0]?.fields).toEqual({ version: 2, isVerified: true, remark: '' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Documents' })));
});

test('a keeper rejects a document only with a remark', async () => {
  const server = open([waiting], { isKept: true }, { 'POST /api/staff/3/document/5/decide': {} });
  fireEvent.click(await screen.findByRole('button', { name: /^Reject Identity proof/ }));
  const drawer = within(await screen.findByRole('dialog', { name: /^Reject Identity proof/ }));
  fireEvent.click(drawer.getByRole('button', { name: 'Reject' }));
  expect(await drawer.findByText('Say why, so that it can be corrected.')).toBeTruthy();
  fireEvent.change(drawer.getByRole('textbox', { name: 'Remark' }), { target: { value: 'Too dark.' } });
  fireEvent.click(drawer.getByRole('button', { name: 'Reject' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(acts(server).map(({ fields }) => fields)).toEqual([{ version: 2, isVerified: false, remark: 'Too dark.' }]);
});

test('a decision that another keeper has made meanwhile is told, and the list is read again', async () => {
  const stale = 'Someone else has changed this. Check it and try again.';
  const server = open(
    [waiting],
    { isKept: true },
    { 'POST /api/staff/3/document/5/decide': () => refusal('stale', stale) },
  );
  const verify = await screen.findByRole('button', { name: /^Verify/ });
  server.answers['GET /api/staff/3/document'] = { documents: [documentOf(5)], types, missing: [] };
  fireEvent.click(verify);
  expect(await screen.findByText(stale)).toBeTruthy();
  expect(await lastCells()).toEqual(['VerifiedVerified by Hina']);
});

test('a document is removed after a question that names it', async () => {
  const server = open([waiting], { isOwn: true }, { 'DELETE /api/staff/3/document/5': {} });
  fireEvent.click(await screen.findByRole('button', { name: /^Remove Identity proof/ }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Remove Identity proof/ }));
  expect(dialog.getByText('Remove Identity proof and its file? This can’t be undone.')).toBeTruthy();
  expect(acts(server)).toEqual([]);
  server.answers['GET /api/staff/3/document'] = { documents: [], types, missing: [] };
  fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('No documents yet')).toBeTruthy();
});

test('a document is added with its file, and with its last day where its type expires', async () => {
  const server = open([], { isOwn: true }, { 'POST /api/staff/3/document': {} });
  fireEvent.click(await screen.findByRole('button', { name: 'Add document' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Add document' }));
  expect(drawer.getByText('HR checks the document before it counts.')).toBeTruthy();
  const add = () => fireEvent.click(drawer.getByRole('button', { name: 'Add' }));
  const expiry = (name: string) => drawer.getByRole('textbox', { name });
  expect(expiry('Expires on (optional)')).toBeTruthy();
  fireEvent.change(drawer.getByRole('combobox', { name: 'Document' }), { target: { value: '1' } });
  expect(expiry('Expires on')).toBeTruthy();
  add();
  expect((await drawer.findAllByText('Expires on is required.')).length).toBeGreaterThan(0);
  expect(drawer.getAllByText('Choose a file.').length).toBeGreaterThan(0);

  fireEvent.change(expiry('Expires on'), { target: { value: '04-01-2027' } });
  fireEvent.blur(expiry('Expires on'));
  const scan = new File([new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0x31])], 'scan.pdf');
  fireEvent.change(drawer.getByLabelText('Choose a file File'), { target: { files: [scan] } });
  await drawer.findByText('scan.pdf');
  add();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [sent] = acts(server);
  expect([sent?.isMultipart, sent?.fields]).toEqual([
    true,
    { documentTypeId: '1', issuedOn: '', expiresOn: '2027-01-04', file: 'scan.pdf' },
  ]);
});

test('HR and Admins are not told that HR checks what they add', async () => {
  open([], { isKept: true });
  fireEvent.click(await screen.findByRole('button', { name: 'Add document' }));
  await screen.findByRole('dialog', { name: 'Add document' });
  expect(screen.queryByText('HR checks the document before it counts.')).toBeNull();
});

test('while the server is away the card says so and can be tried again', async () => {
  const { answers } = open([], {}, { 'GET /api/staff/3/document': () => refusal('unexpected', 'It broke.') });
  expect(await screen.findByText('It broke.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Documents' })).toBeTruthy();
  answers['GET /api/staff/3/document'] = { documents: [waiting], types, missing: [] };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await lastCells()).toEqual(['Waiting']);
});
