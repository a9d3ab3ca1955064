import { useAction } from '#kit/browser/data/action.ts';
import { get } from '#kit/browser/data/get.ts';
import { queryClient } from '#kit/browser/data/read.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Me, type SignInAnswer, signInApi } from '../contract/sign-in.ts';

/** Who is signed in, asked of the server once and again after something of the area changed. Throws `signed_out` for nobody. */
export const getMe = (): Promise<Me> =>
  queryClient.fetchQuery({
    queryKey: ['sign-in', signInApi.me.path],
    queryFn: () => get(signInApi.me, {}),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Forgets who was signed in, and everything that was read as them. */
export const forgetMe = () => queryClient.clear();

/** Whether a failure says that nobody is signed in (any more). */
export const isSignedOut = (error: unknown) => error instanceof AppError && error.code === 'signed_out';

/**
 * Keeps what the specification's pages keep after a sign-in (section 3). It is for display alone: nothing here is believed
 * by the server, and no page asks it what somebody may do.
 */
export function keepForDisplay(answer: SignInAnswer, { staffID, role }: Me) {
  const [first] = answer;
  const [user] = first?.userMasterModel ?? [];
  const kept = {
    staffID: String(staffID),
    user: JSON.stringify(answer),
    userData: String(user?.userID ?? ''),
    role,
    userName: user?.userName ?? '',
    imageURL: first?.imageURL ?? '',
    userImagePath: user?.userImagePath ?? '',
  };
  for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
}

/** Whether somebody has signed in with this browser, as far as it remembers; asks nobody. */
export const hasSignedIn = () => localStorage.getItem('userData') !== null;

/** Whether another person, or the same one in another role, signed in last with this browser, as far as it remembers. */
export function isOther({ userID, role }: Me): boolean {
  const kept = { userData: localStorage.getItem('userData'), role: localStorage.getItem('role') };
  return kept.userData !== null && (kept.userData !== String(userID) || (kept.role ?? role) !== role);
}

const insteadName = 'signedInInstead';

/** Opens the dashboard from the start for the person who has signed in on the page of another one. */
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

/** Gives what ends the session on the server, forgets everything here, and goes to the root (section 2). */
export function useSignOut(onRefused: (refused: AppError) => void) {
  const { run } = useAction(signInApi.signOut, { onRefused });
  return async () => {
    if (!(await run({}))) return;
    localStorage.clear();
    sessionStorage.clear();
    // A whole new page: nothing that was read while signed in stays in memory.
    window.location.replace('/');
  };
}
