import { admin, signedIn } from '#access/contract/grants.ts';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { type ListAct, recordCard } from '#kit/contract/record-card.ts';
import { text } from '#kit/contract/text.ts';

const staffCard = recordCard<StaffRecord>();
const isOwn = (record: StaffRecord) => record.isOwn;

/** How the user signs in. */
export const signInCard = staffCard({
  record: 'staff',
  key: 'sign-in',
  part: 'profile',
  order: 20,
  title: text`Signing in`,
  access: signedIn,
  isShown: isOwn,
});
export const passwordCard = staffCard({
  record: 'staff',
  key: 'password',
  part: 'profile',
  order: 40,
  title: text`Password`,
  access: signedIn,
  isShown: isOwn,
});
export const sessionsCard = staffCard({
  record: 'staff',
  key: 'sessions',
  part: 'profile',
  order: 50,
  title: text`Signed-in devices`,
  access: signedIn,
  isShown: isOwn,
});
/** The account of a person, for Admins. */
export const accountCard = staffCard({
  record: 'staff',
  key: 'account',
  part: 'account',
  order: 10,
  title: text`Account`,
  access: [admin()],
  isShown: (record) => record.may.keepAccount,
});

export const accountListAct: ListAct = { list: 'staff', key: 'account', access: [admin()] };
