import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { configure } from '#features/school/ui/configuration.ts';
import { lastList, noteList } from '#kit/browser/list/last-list.ts';
import { keepChoice } from '#kit/browser/ui/device-choice.ts';
import { nameWindows } from '#kit/browser/ui/window-title.ts';
import type { Text } from '#kit/contract/text.ts';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { codeSent, type Me, type SignInAnswer, secondStep, wrongCode, wrongCredentials } from '../contract/sign-in.ts';
import { ResetPage } from './ResetPage.tsx';
import { SignInPage } from './SignInPage.tsx';
import { SignUpPage } from './SignUpPage.tsx';

const lineIsGone = () => {
  throw new TypeError('The line is gone.');
};
/** One method has the same name as the box it opens. */
const typed = { exact: false, selector: 'input:not([type=radio]), textarea' };
const fill = async (boxes: Record<string, string>) => {
  for (const [label, value] of Object.entries(boxes))
    fireEvent.change(await screen.findByLabelText(label, typed), { target: { value } });
};
const contentOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label, typed).value;
const credentials = { Username: 'somebody', Password: 'Teak-Bridge-48' };
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

const asha: Me = {
  userID: 3,
  role: 'Admin',
  name: 'Asha Patel',
  picture: '',
  sets: [],
  userName: 'somebody',
  email: '',
  mobile: '',
};
const signedIn: SignInAnswer = [
  {
    messageVal: '',
    isSuccess: true,
    otPval: '',
    imageURL: '',
    userMasterModel: [{ userID: 3, userName: 'Asha Patel', userImagePath: '' }],
  },
];
const rememberSignIn = (role: string) => {
  localStorage.setItem('userData', '3');
  localStorage.setItem('role', role);
};

afterEach(() => {
  configure({});
  keepChoice('sign-in-way', '');
});

test('an empty answer and a refusal with a title are told as the specification says', async () => {
  const answers: Answers = { 'POST /api/sign-in/authenticate-user': () => Response.json([]) };
  fakeServer(answers);
  renderPage(<SignInPage />, '/login');
  await fill(credentials);
  press('Sign In');
  expect(await screen.findByText('Invalid username or password !')).toBeTruthy();
  const refused = { title: 'Slow down.', error: { code: 'too_many_tries', text: { id: 'Slow down.' } } };
  answers['POST /api/sign-in/authenticate-user'] = Response.json(refused, { status: 429 });
  press('Sign In');
  await waitFor(() => expect(document.querySelector('[aria-live] > *')?.textContent).toBe('Slow down.'));
});

const answerOf = (text: Text, isSuccess = false) => [
  { messageVal: text.id, text, isSuccess, otPval: '', imageURL: '', userMasterModel: [] },
];

test('a wrong password stays in a box above the button, beside the toast, and the password takes the focus', async () => {
  fakeServer({ 'POST /api/sign-in/authenticate-user': answerOf(wrongCredentials) });
  renderPage(<SignInPage />, '/login');
  await fill(credentials);
  press('Sign In');
  await waitFor(() => expect(document.querySelector('[aria-live] > *')?.textContent).toBe('Invalid Login!'));
  const box = screen.getAllByRole('alert').find(({ textContent }) => textContent === 'Invalid Login!');
  const button = screen.getByRole('button', { name: 'Sign In' });
  expect(box?.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  const secret = screen.getByLabelText<HTMLInputElement>('Password', typed);
  await waitFor(() => expect(document.activeElement).toBe(secret));
  expect(secret.selectionEnd).toBe(credentials.Password.length);
});

test.each([
  ['Email', { 'Email address': 'kiran@school.example' }],
  ['Mobile', { 'Mobile number': '9825020077' }],
] as const)('a wrong code by %s stays in a box above the button, and the code takes the focus', async (way, boxes) => {
  fakeServer({
    'POST /api/sign-in/authenticate-user': answerOf(codeSent, true),
    'POST /api/sign-in/verify-otp': answerOf(wrongCode),
  });
  renderPage(<SignInPage />, '/login');
  fireEvent.click(await screen.findByRole('radio', { name: way }));
  await fill(boxes);
  press('Get OTP');
  await fill({ OTP: 'ABCDE' });
  const code = screen.getByRole('textbox', { name: 'OTP' });
  code.blur();
  press('Sign In');
  const box = (await screen.findByText('Invalid OTP.')).closest('[role=alert]');
  expect(box?.compareDocumentPosition(screen.getByRole('button', { name: 'Sign In' }))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
  await waitFor(() => expect(document.activeElement).toBe(code));
});

test('a server without accounts says how the first Admin is made, and with one it does not', async () => {
  configure({ hasNoAccount: true });
  renderPage(<SignInPage />, '/login');
  expect((await screen.findByText('npm run create-admin')).parentElement?.textContent).toBe(
    'No account yet. Create the first Admin on the server with: npm run create-admin',
  );
  cleanup();
  configure({});
  renderPage(<SignInPage />, '/login');
  await screen.findByRole('button', { name: 'Sign In' });
  expect(screen.queryByText('npm run create-admin')).toBeNull();
});

test('a sign-in with a provider that failed is said above its button, and the words take the focus', async () => {
  fakeServer({ 'POST /api/sign-in/authenticate-user': () => Response.json(null) });
  configure({ signInProvider: 'Microsoft 365' });
  window.history.replaceState(null, '', '/login?state=a&code=b');
  renderPage(<SignInPage />, '/login');
  const words = await screen.findByText(/^Could not sign in with Microsoft 365/);
  await waitFor(() => expect(document.activeElement).toBe(words.closest('[role=alert]')));
});

test('signing in says calmly when the server does not answer, and keeps what was typed', async () => {
  const answers: Answers = {
    'POST /api/sign-in/authenticate-user': lineIsGone,
    'GET /api/sign-in/me': asha,
  };
  fakeServer(answers);
  renderPage(<SignInPage />, '/login');
  await fill(credentials);
  press('Sign In');
  await waitFor(() => expect(document.body.textContent).toContain('No connection.'), { timeout: 3000 });
  expect([contentOf('Username'), contentOf('Password')]).toEqual(Object.values(credentials));
  answers['POST /api/sign-in/authenticate-user'] = signedIn;
  press('Sign In');
  expect(await screen.findByText('You are signed in. One moment.')).toBeTruthy();
  expect(localStorage.getItem('userData')).toBe('3');
});

test.each([
  ['Email', 'email'],
  ['Mobile', 'mobile'],
] as const)('W12 A14 in a new browser an Admin types a code after the password: %s', async (way, where) => {
  const asked = {
    messageVal: '',
    text: secondStep[way],
    isSuccess: true,
    otPval: '',
    imageURL: '',
    userMasterModel: [],
  };
  fakeServer({ 'POST /api/sign-in/authenticate-user': [asked] });
  renderPage(<SignInPage />, '/login');
  await fill(credentials);
  press('Sign In');
  expect(await screen.findByText(`We sent a 5-character code to your ${where}. It expires in 5 minutes.`)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'OTP' })));
  press('Send a new code');
  expect(document.activeElement).toBe(screen.getByLabelText('Password', typed));
});

test.each([
  [
    'a link',
    <ResetPage key="page" />,
    'POST /api/sign-in/reset-link',
    { 'Email address': 'kiran@school.example' },
    'Send link',
  ],
  [
    'an account',
    <SignUpPage key="page" />,
    'POST /api/sign-in/request',
    {
      Name: 'Kiran',
      'Email address': 'kiran@school.example',
      'Mobile number': '9825020077',
      Reason: 'I teach.',
    },
    'Send request',
  ],
] as const)(
  'while the server is away nothing typed for %s is lost, and what is done takes the focus',
  async (_, page, path, boxes, button) => {
    const answers: Answers = { [path]: lineIsGone };
    fakeServer(answers);
    renderPage(page);
    await fill(boxes);
    press(button);
    const problem = await screen.findByRole('alert', { name: 'There is a problem' }, { timeout: 3000 });
    await waitFor(() => expect(document.activeElement).toBe(problem));
    for (const [label, value] of Object.entries(boxes)) expect(contentOf(label)).toBe(value);
    answers[path] = {};
    press(button);
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('status'));
    expect(document.activeElement?.textContent).toMatch(/we sent a link to it|Request sent/);
  },
);

test('a person who is signed in comes from the sign-in page to their dashboard', async () => {
  fakeServer({ 'GET /api/sign-in/me': asha });
  rememberSignIn('Admin');
  const router = renderPage(<SignInPage />, '/login');
  await waitFor(() => expect(router.state.location.pathname).toBe('/school-erp'));
});

test('where another role was used last, a person chooses between going on and signing in as somebody else', async () => {
  fakeServer({ 'GET /api/sign-in/me': asha });
  rememberSignIn('Staff');
  const router = renderPage(<SignInPage />, '/login');
  const goOn = await screen.findByRole('link', { name: 'Continue as Asha Patel' });
  expect(goOn.getAttribute('href')).toBe('/school-erp');
  expect(screen.getByText('Asha Patel is signed in as Admin.')).toBeTruthy();
  expect(router.state.location.pathname).toBe('/login');
  press('Sign in as another person');
  expect(screen.getByLabelText('Username', typed)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test.each([
  ['has ended', refusal('signed_out', 'Sign in.')],
  ['cannot be asked about', lineIsGone],
])('a session that %s leaves the sign-in page as it is', async (_, answer) => {
  fakeServer({ 'GET /api/sign-in/me': answer });
  rememberSignIn('Admin');
  const router = renderPage(<SignInPage />, '/login');
  expect(await screen.findByLabelText('Username', typed, { timeout: 3000 })).toBeTruthy();
  expect(router.state.location.pathname).toBe('/login');
});

test('the window of the sign-in page is called as the specification says, the others after the school', async () => {
  fakeServer({});
  nameWindows('Sunrise School');
  renderPage(<SignInPage />, '/login');
  await screen.findByLabelText('Username', typed);
  expect(document.title).toBe('Sign In | School ERP System');
  cleanup();
  renderPage(<ResetPage />);
  await screen.findByLabelText('Email address', typed);
  expect(document.title).toBe('Choose a new password | Sunrise School');
});

test('a browser that nobody signed in with asks the server for nothing', async () => {
  const { sent } = fakeServer({});
  renderPage(<SignInPage />, '/login');
  expect(await screen.findByLabelText('Username', typed)).toBeTruthy();
  expect(sent).toEqual([]);
});

test('the way that somebody signed in by is chosen the next time, and nothing else of them is kept for it', async () => {
  fakeServer({
    'POST /api/sign-in/authenticate-user': answerOf(codeSent, true),
    'POST /api/sign-in/verify-otp': signedIn,
    'GET /api/sign-in/me': asha,
  });
  renderPage(<SignInPage />, '/login');
  fireEvent.click(await screen.findByRole('radio', { name: 'Mobile' }));
  expect(document.cookie).toBe('');
  fireEvent.click(screen.getByRole('radio', { name: 'Email' }));
  await fill({ 'Email address': 'kiran@school.example' });
  press('Get OTP');
  await fill({ OTP: 'ABCDE' });
  press('Sign In');
  await screen.findByText('You are signed in. One moment.');
  expect(document.cookie).toBe('sign-in-way=Email');
  cleanup();
  localStorage.clear();
  renderPage(<SignInPage />, '/login');
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Email' })).checked).toBe(true);
});

test('a person who signs in is shown no way back to a list of the person before', async () => {
  noteList('staff', { href: '/school-erp/staff/view-staff?search=Hema', tab: '', asked: {}, place: {} });
  fakeServer({ 'POST /api/sign-in/authenticate-user': signedIn, 'GET /api/sign-in/me': asha });
  renderPage(<SignInPage />, '/login');
  await fill(credentials);
  expect(lastList('staff')).toBeDefined();
  press('Sign In');
  await screen.findByText('You are signed in. One moment.');
  expect(lastList('staff')).toBeUndefined();
});
