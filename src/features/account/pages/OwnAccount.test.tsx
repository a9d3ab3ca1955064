import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { passwordApi } from '#features/sign-in/contract/password.ts';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { ConfirmProvider } from '#kit/browser/ui/ConfirmProvider.tsx';
import { type Answers, fakeServer, refusal, type Sent } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { needsPassword } from '../contract/contact.ts';
import type { OwnAccount } from '../contract/own-account.ts';
import { PasswordCard, SignInCard } from './OwnAccount.tsx';

const account: OwnAccount = {
  userName: '',
  roles: ['Staff'],
  sets: ['office'],
  hasPassword: true,
  needsPassword: false,
};
const record = { person: { email: 'ravi@school.example', mobile: '9825020002' } } as StaffRecord;

function show(given: Partial<OwnAccount> = {}, answers: Answers = {}) {
  const { sent } = fakeServer({ 'GET /api/staff/own-account': { ...account, ...given }, ...answers });
  renderPage(
    <ConfirmProvider endpoint={passwordApi.confirm}>
      <SignInCard record={record} />
      <PasswordCard />
    </ConfirmProvider>,
  );
  return sent;
}
const openForm = async (name: string) => {
  fireEvent.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name }));
};
const enter = (box: HTMLElement, value: string) => fireEvent.change(box, { target: { value } });
const posted = (sent: Sent[], path: string) =>
  sent.filter((one) => one.method === 'POST' && one.path === path).map(({ fields }) => fields);

test('an email address is changed with the code that goes to the new one, and each refusal stands at its field', async () => {
  const sent = show(
    {},
    {
      'POST /api/sign-in/contact/email-code': {},
      'POST /api/sign-in/contact': ({ fields }) =>
        fields.OTP === 'AAAAA' ? refusal('invalid', 'Invalid OTP.', { fields: { OTP: 'Invalid OTP.' } }) : {},
    },
  );
  const form = await openForm('Edit email address');
  enter(form.getByLabelText('New email address'), 'nobody');
  fireEvent.click(form.getByRole('button', { name: 'Send code' }));
  expect((await form.findAllByText('New email address is not valid.', { exact: false })).length).toBeGreaterThan(0);
  enter(form.getByLabelText('New email address'), 'new@school.example');
  fireEvent.click(form.getByRole('button', { name: 'Send code' }));
  enter(await form.findByLabelText('Code'), 'AAAAA');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect((await form.findAllByText('Invalid OTP.', { exact: false })).length).toBeGreaterThan(0);
  enter(form.getByLabelText('Code'), 'BBBBB');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved.')).toBeTruthy();
  expect(posted(sent, '/api/sign-in/contact/email-code')).toEqual([{ email: 'new@school.example' }]);
  expect(posted(sent, '/api/sign-in/contact')).toEqual([{ OTP: 'AAAAA' }, { OTP: 'BBBBB' }]);
});

test('W7 an Admin who signed in with a code is offered to sign in with the password, and changes no contact', async () => {
  show({ needsPassword: true });
  // The email address, the mobile number and the password.
  await waitFor(() => expect(screen.getAllByText(needsPassword.id)).toHaveLength(3));
  expect(screen.queryByRole('button', { name: 'Edit email address' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull();
});

test('A24 a change after ten minutes asks for the password over the form, which keeps what was typed and goes on', async () => {
  let isProved = false;
  const sent = show(
    {},
    {
      'POST /api/sign-in/contact/mobile-code': () =>
        isProved ? {} : refusal('confirm_required', 'Enter your password again to continue.'),
      [`POST /api${passwordApi.confirm.path}`]: () => {
        isProved = true;
        return {};
      },
    },
  );
  const form = await openForm('Edit mobile number');
  enter(form.getByLabelText('New mobile number'), '7000012345');
  fireEvent.click(form.getByRole('button', { name: 'Send code' }));
  const proof = () => screen.findByRole('dialog', { name: 'Confirm that it is you' });
  fireEvent.click(within(await proof()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull());
  expect(form.getByLabelText<HTMLInputElement>('New mobile number').value).toBe('7000012345');

  fireEvent.click(await form.findByRole('button', { name: 'Send code' }));
  enter(within(await proof()).getByLabelText('Password'), 'Teak-Bridge-48');
  fireEvent.click(within(await proof()).getByRole('button', { name: 'Confirm' }));
  expect(await form.findByLabelText('Code')).toBeTruthy();
  expect(posted(sent, `/api${passwordApi.confirm.path}`)).toEqual([{ password: 'Teak-Bridge-48' }]);
  expect(posted(sent, '/api/sign-in/contact/mobile-code')).toEqual(Array(3).fill({ mobile: '7000012345' }));
});
