import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /account': onlyAdmin,
  'PUT /account/:id': onlyAdmin,
  'POST /account/:id/end-sessions': onlyAdmin,
  'GET /account/:id/session': onlyAdmin,
  'DELETE /account/:id/session/:number': onlyAdmin,
  'GET /account-request': onlyAdmin,
  'POST /account-request/:id/approve': onlyAdmin,
  'POST /account-request/:id/decline': onlyAdmin,
};
