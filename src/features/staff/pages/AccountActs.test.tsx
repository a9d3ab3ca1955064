import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { noEmail } from '../contract/account.ts';
import { AccountActs } from './AccountActs.tsx';

const selection = { ids: [7, 8, 9], isAll: false, look: {} };
const answer = { changed: 2, skipped: [{ id: 9, name: 'Nita Shah', reason: noEmail }], skippedCount: 1 };
const preview = { ...answer, isApplied: false, confirmToken: 'token' };

function show(answers: Answers) {
  let cleared = 0;
  const { sent } = fakeServer(answers);
  renderPage(
    <AccountActs
      selection={selection}
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
  const form = within(await screen.findByRole('dialog', { name: 'Invite the selected people' }));
  fireEvent.click(form.getByRole('radio', { name: 'SMS' }));
  fireEvent.click(form.getByRole('checkbox', { name: 'Nurse' }));
  fireEvent.click(form.getByRole('button', { name: 'Preview' }));
  expect(await screen.findByText('2 people get an invitation.')).toBeTruthy();
  expect(screen.getByText('Nita Shah').closest('li')?.textContent).toContain('no email address');
  fireEvent.click(await screen.findByRole('button', { name: 'Send invitations' }));
  expect(await screen.findByText('Done.')).toBeTruthy();
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
  const dialog = within(await screen.findByRole('dialog', { name: 'Restore the selected accounts' }));
  expect(dialog.getByText('Nothing would change.')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Restore' })).toBeNull();
});
