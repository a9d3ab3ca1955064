import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { noEmail } from '../contract/staff-account.ts';
import { AccountActs } from './AccountActs.tsx';

const number = { count: 3, shown: '3' };
const selection = { ids: [7, 8, 9], isAll: false, query: {} };
const answer = { changed: 2, skipped: [{ id: 9, name: 'Nita Shah', reason: noEmail }], skippedCount: 1 };
const preview = { ...answer, isApplied: false, confirmToken: 'token' };

function show(answers: Answers, selected = number) {
  let cleared = 0;
  const { sent } = fakeServer(answers);
  renderPage(
    <AccountActs
      selection={selection}
      number={selected}
      clear={() => {
        cleared++;
      }}
    />,
  );
  return { sent, cleared: () => cleared };
}
async function choose(item: string) {
  fireEvent.click(await screen.findByRole('button', { name: 'Accounts' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
}

test('an invitation of the selected people is previewed with those it skips, then sent', async () => {
  const { sent, cleared } = show({
    'POST /api/staff/account': ({ confirmToken }: { confirmToken?: string }) =>
      confirmToken ? { ...answer, isApplied: true, confirmToken: null } : preview,
  } as never);
  await choose('Invite…');
  const form = within(await screen.findByRole('dialog', { name: 'Invite 3 people' }));
  fireEvent.click(form.getByRole('radio', { name: 'SMS' }));
  fireEvent.click(form.getByRole('checkbox', { name: 'Nurse' }));
  fireEvent.click(form.getByRole('button', { name: 'Preview' }));
  expect(await screen.findByText('2 people get an invitation.')).toBeTruthy();
  expect(screen.getByText('Nita Shah').closest('li')?.textContent).toContain('no email address');
  fireEvent.click(await screen.findByRole('button', { name: 'Send invitations' }));
  expect(await screen.findByText('People invited: 2.')).toBeTruthy();
  expect(sent.filter(({ method }) => method === 'POST').map(({ fields }) => fields)).toMatchObject([
    { selection, act: 'Invite', channel: 'SMS', sets: ['nurse'] },
    { confirmToken: 'token' },
  ]);
  expect(cleared()).toBe(1);
});

test('an act that can be done for nobody says why and offers no confirmation', async () => {
  const skipped = [{ id: 7, name: 'Ravi Solanki', reason: text`Nothing would change.` }];
  show({
    'POST /api/staff/account': { changed: 0, skipped, skippedCount: 1, isApplied: false, confirmToken: null },
  });
  await choose('Restore…');
  const dialog = within(await screen.findByRole('dialog', { name: 'Restore the accounts of 3 people' }));
  expect(dialog.getByText('Nothing would change.')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Restore' })).toBeNull();
});

test('the title has the number of the selected people, and one is a person', async () => {
  show({}, { count: 1000, shown: '1,000+' });
  await choose('Invite…');
  expect(await screen.findByRole('dialog', { name: 'Invite 1,000+ people' })).toBeTruthy();
  cleanup();
  show({}, { count: 1, shown: '1' });
  await choose('Give permissions…');
  expect(await screen.findByRole('dialog', { name: 'Give permissions to 1 person' })).toBeTruthy();
});

test('the channel is chosen already and not optional, and teachers are said to need no permission', async () => {
  show({});
  await choose('Invite…');
  const form = within(await screen.findByRole('dialog', { name: 'Invite 3 people' }));
  expect(form.getByRole('group', { name: 'Send by' })).toBeTruthy();
  expect(form.getByRole<HTMLInputElement>('radio', { name: 'Email' }).checked).toBe(true);
  expect(
    form.getByRole('group', {
      name: 'Permissions',
      description: 'Teachers need none: their rights follow the Section Teacher Mapping.',
    }),
  ).toBeTruthy();
});
