import { onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /account': onlyAdmin,
  'PUT /account/:id': onlyAdmin,
  'POST /account/:id/end-sessions': onlyAdmin,
  'GET /account/:id/session': onlyAdmin,
  'DELETE /account/:id/session/:number': onlyAdmin,
  'GET /account-request': onlyAdmin,
  'POST /account-request/:id/approve': onlyAdmin,
  'POST /account-request/:id/decline': onlyAdmin,
  'GET /staff/own-account': signedIn,
  'GET /staff/:id/account': onlyAdmin,
  'POST /staff/:id/invite': onlyAdmin,
  'POST /staff/:id/suspend': onlyAdmin,
  'POST /staff/:id/grant': onlyAdmin,
  'POST /staff/account': onlyAdmin,
  'POST /sign-in/contact/email-code': signedIn,
  'POST /sign-in/contact/mobile-code': signedIn,
  'POST /sign-in/contact': signedIn,
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /account/:id/session', 'PUT /account/:id'];
