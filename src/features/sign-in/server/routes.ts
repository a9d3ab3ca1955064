import { routes } from '#kit/server/http/routes.ts';
import { signInApi } from '../contract/sign-in.ts';
import account from './account.ts';
import { startGoogle } from './google.ts';
import ownContact from './own-contact.ts';
import ownPassword from './own-password.ts';
import ownSessions from './own-sessions.ts';
import { authenticateUser, me, signOut, verifyOtp } from './sign-in.ts';

/** Every operation of signing in. */
export default [
  ...routes(signInApi, { authenticateUser, startGoogle, verifyOtp, me, signOut }),
  ...ownContact,
  ...ownPassword,
  ...ownSessions,
  ...account,
];
