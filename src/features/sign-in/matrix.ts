import { anyone, onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'POST /sign-in/authenticate-user': anyone,
  'POST /sign-in/google': anyone,
  'POST /sign-in/verify-otp': anyone,
  'POST /sign-in/sign-out': anyone,
  'GET /sign-in/me': signedIn,
  'POST /sign-in/reset-link': anyone,
  'POST /sign-in/reset-password': anyone,
  'POST /sign-in/request': anyone,
  'POST /sign-in/password': onlyAdmin,
  'POST /sign-in/confirm': onlyAdmin,
  'GET /sign-in/session': signedIn,
  'DELETE /sign-in/session/:number': { ...signedIn, ids: 'other' },
  'DELETE /sign-in/session': signedIn,
};
