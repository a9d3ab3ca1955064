import { useAction } from '#kit/browser/data/action.ts';
import { queryClient, readOnce } from '#kit/browser/data/read.ts';
import { forgetLists } from '#kit/browser/list/last-list.ts';
import { keepChoice, readChoice } from '#kit/browser/ui/device-choice.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Me, type Method, type SignInAnswer, signInApi } from '../contract/sign-in.ts';

export type TypedMethod = Exclude<Method, 'Google'>;
const typedMethods = ['UserNameNPassword', 'Email', 'Mobile'] as const satisfies readonly TypedMethod[];

const methodName = 'sign-in-way';

/** The way of signing in that was used last on this device. */
export const lastMethod = (): TypedMethod =>
  typedMethods.find((method) => method === readChoice(methodName)) ?? 'UserNameNPassword';

export const keepMethod = (method: TypedMethod) => keepChoice(methodName, method);

/** The signed-in user, cached until accounts or staff change. Throws `signed_out`. */
export const getMe = (): Promise<Me> => readOnce(signInApi.me, {});

/** Clears the user, and all that the pages have read and noted in their session. */
export function forgetMe() {
  queryClient.clear();
  forgetLists();
}

export const isSignedOut = (error: unknown) => error instanceof AppError && error.code === 'signed_out';

/**
 * Stores what the specification's pages store after a sign-in (section 3). For display only: neither the server nor a page
 * derives rights from it.
 */
export function keepForDisplay(answer: SignInAnswer, { userID, role }: Me) {
  const [first] = answer;
  const [user] = first?.userMasterModel ?? [];
  const kept = {
    staffID: String(userID),
    user: JSON.stringify(answer),
    userData: String(user?.userID ?? ''),
    role,
    userName: user?.userName ?? '',
    imageURL: first?.imageURL ?? '',
    userImagePath: user?.userImagePath ?? '',
  };
  for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
}

/** Whether this browser remembers a sign-in. */
export const hasSignedIn = () => localStorage.getItem('userData') !== null;

/** Whether another user, or the same one in another role, signed in last with this browser, as far as it remembers. */
export function isOther({ userID, role }: Me): boolean {
  const kept = { userData: localStorage.getItem('userData'), role: localStorage.getItem('role') };
  return kept.userData !== null && (kept.userData !== String(userID) || (kept.role ?? role) !== role);
}

const insteadName = 'signedInInstead';

/** Opens the dashboard for a person who has signed in on another person's page. */
export function startAfresh() {
  sessionStorage.setItem(insteadName, 'true');
  window.location.replace('/school-erp/dashboard');
}

/** Whether the page was opened by `startAfresh`; true once. */
export function takeInstead(): boolean {
  const isInstead = sessionStorage.getItem(insteadName) !== null;
  sessionStorage.removeItem(insteadName);
  return isInstead;
}

/** Returns a function that ends the session on the server, clears all data here, and goes to the root (section 2). */
export function useSignOut(onRefused: (refused: AppError) => void) {
  const { run } = useAction(signInApi.signOut, { onRefused });
  return async () => {
    if (!(await run({}))) return;
    localStorage.clear();
    sessionStorage.clear();
    // Reloads the page, so that no data of the session stays in memory.
    window.location.replace('/');
  };
}
