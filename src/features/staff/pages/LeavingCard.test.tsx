import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Me, SignInAnswer } from '#features/sign-in/contract/sign-in.ts';
import { SignInAgain } from '#features/sign-in/pages/SignInAgain.tsx';
import { signInAgainMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer, refusal, type Sent } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { StaffRecord } from '../contract/record.ts';
import { LeavingCard } from './LeavingCard.tsx';

const record = {
  id: 7,
  version: 3,
  card: { name: 'Ravi Solanki', picture: '', designation: '', department: '', email: '' },
  isOwn: false,
  may: { update: true, keepAccount: false },
  status: 'Active',
  lastDay: '',
  person: null,
} as StaffRecord;

function show(over: Partial<StaffRecord> = {}, answers: Answers = {}) {
  const { sent } = fakeServer(answers);
  renderPage(<LeavingCard record={{ ...record, ...over }} />);
  return sent;
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const posted = (sent: Sent[]) => sent.filter(({ method }) => method === 'POST');
const reasons = [{ id: 5, name: 'Retired', isActive: true }];

/** Fills in the form and asks for the preview. */
async function askForPreview() {
  await press('Relieve…');
  const form = within(await screen.findByRole('dialog', { name: 'Relieve Ravi Solanki' }));
  fireEvent.change(form.getByLabelText('Last day'), { target: { value: '30-11-2026' } });
  fireEvent.change(await form.findByLabelText('Reason'), { target: { value: '5' } });
  fireEvent.click(form.getByRole('button', { name: 'Preview' }));
}

test('what ends is shown first, and exactly that is confirmed', async () => {
  const ends = [text`Class teacher of ${{ section: 'Grade 5, A' }} until ${{ day: '30 Nov 2026' }}`];
  const sent = show(
    {},
    {
      'GET /api/hris/separation-reason/option': reasons,
      'POST /api/staff/7/relieve': ({ fields }) => ({
        ends,
        blocks: [],
        isApplied: Boolean(fields.confirmToken),
        confirmToken: 'seen',
      }),
    },
  );
  await askForPreview();
  expect(await screen.findByText('Class teacher of Grade 5, A until 30 Nov 2026')).toBeTruthy();
  expect(posted(sent).map(({ fields }) => fields.confirmToken)).toEqual([undefined]);
  await press('Relieve');
  expect(await screen.findByText('Ravi Solanki was relieved.')).toBeTruthy();
  expect(posted(sent).map(({ fields }) => fields.confirmToken)).toEqual([undefined, 'seen']);
  expect(posted(sent)[1]?.fields).toMatchObject({ lastDay: '2026-11-30', separationReasonId: '5' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('what keeps a person from being relieved is named, and can’t be confirmed', async () => {
  show(
    {},
    {
      'GET /api/hris/separation-reason/option': reasons,
      'POST /api/staff/7/relieve': {
        ends: [],
        blocks: [text`${{ section: 'Grade 5, A' }} has no class teacher from ${{ day: '1 Dec 2026' }}.`],
        isApplied: false,
        confirmToken: null,
      },
    },
  );
  await askForPreview();
  const question = within(await screen.findByRole('dialog', { name: 'Ravi Solanki can’t be relieved yet' }));
  expect(question.getByText('Grade 5, A has no class teacher from 1 Dec 2026.')).toBeTruthy();
  expect(question.queryByRole('button', { name: 'Relieve' })).toBeNull();
  fireEvent.click(question.getByRole('button', { name: 'Cancel' }));
  // The form keeps what was entered, for another day or the override.
  const form = within(await screen.findByRole('dialog', { name: 'Relieve Ravi Solanki' }));
  expect(form.getByLabelText<HTMLInputElement>('Last day').value).not.toBe('');
});

test('a person who has left re-joins with a post', async () => {
  const sent = show(
    { status: 'Left', lastDay: '2026-05-31' },
    {
      'GET /api/academic/designation/option': [{ id: 1, name: 'Teacher', isActive: true }],
      'GET /api/academic/department/option': [{ id: 2, name: 'Science', isActive: true }],
      'GET /api/academic/branch/option': [{ id: 3, name: 'Main', isActive: true }],
      'GET /api/hris/staff-category/option': [],
      'GET /api/hris/employment-type/option': [],
      'GET /api/staff/option': [],
      'POST /api/staff/7/rejoin': {},
    },
  );
  expect(await screen.findByText('Left. The last day was 31 May 2026.')).toBeTruthy();
  await press('Re-join…');
  const form = within(await screen.findByRole('dialog', { name: 'Re-join Ravi Solanki' }));
  for (const [label, value] of [
    ['Designation', '1'],
    ['Department', '2'],
    ['Branch', '3'],
  ] as const) {
    await form.findByRole('option', { name: { 1: 'Teacher', 2: 'Science', 3: 'Main' }[value] });
    fireEvent.change(form.getByLabelText(label), { target: { value } });
  }
  fireEvent.click(form.getByRole('button', { name: 'Re-join' }));
  expect(await screen.findByText('Ravi Solanki has re-joined.')).toBeTruthy();
  expect(posted(sent)).toMatchObject([{ fields: { designationId: '1', departmentId: '2', branchId: '3' } }]);
});

const hema: Me = {
  userID: 2,
  role: 'Staff',
  name: 'Hema',
  picture: '',
  sets: ['hr'],
  userName: '',
  email: 'hema@school.example',
  mobile: '',
};
const signInAnswer = (isIn: boolean): SignInAnswer => [
  {
    messageVal: '',
    isSuccess: true,
    otPval: '',
    imageURL: '',
    userMasterModel: isIn ? [{ userID: 2, userName: 'Hema', userImagePath: '' }] : [],
  },
];

/** The card of a user who signed in too long ago to relieve; a code is proof again. */
function showToLateHR() {
  const state = { isProved: false };
  const { sent } = fakeServer({
    'GET /api/hris/separation-reason/option': reasons,
    'POST /api/staff/7/relieve': () =>
      state.isProved
        ? { ends: [text`Clerk until ${{ day: '30 Nov 2026' }}`], blocks: [], isApplied: false, confirmToken: 'seen' }
        : refusal('sign_in_again', signInAgainMessage),
    'POST /api/sign-in/authenticate-user': signInAnswer(false),
    'POST /api/sign-in/verify-otp': () => {
      state.isProved = true;
      return signInAnswer(true);
    },
    'GET /api/sign-in/me': hema,
  });
  renderPage(
    <>
      <SignInAgain me={hema} onOther={() => undefined} onLeave={() => undefined} />
      <LeavingCard record={record} />
    </>,
  );
  return sent;
}
const proof = async () => within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));

test('HR who signed in long ago types a code over the form, which then goes on with what was entered', async () => {
  const sent = showToLateHR();
  await askForPreview();
  const asked = await proof();
  fireEvent.click(asked.getByRole('button', { name: 'Get OTP' }));
  fireEvent.change(await asked.findByLabelText('OTP'), { target: { value: 'ABCDE' } });
  fireEvent.click(asked.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByText('Clerk until 30 Nov 2026')).toBeTruthy();
  const tries = posted(sent).filter(({ path }) => path === '/api/staff/7/relieve');
  expect(tries).toHaveLength(2);
  expect(tries[1]?.fields).toEqual(tries[0]?.fields);
  expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull();
});

test('HR who does not sign in again is refused, and keeps the page with what was entered', async () => {
  showToLateHR();
  await askForPreview();
  fireEvent.click((await proof()).getByRole('button', { name: 'Cancel' }));
  const form = within(await screen.findByRole('dialog', { name: 'Relieve Ravi Solanki' }));
  expect(await form.findByText(signInAgainMessage.id)).toBeTruthy();
  expect(form.getByLabelText<HTMLInputElement>('Last day').value).toBe('30 Nov 2026');
  expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull();
});
