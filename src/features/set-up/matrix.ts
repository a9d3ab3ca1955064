import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /set-up': onlyAdmin,
  'POST /set-up/year': onlyAdmin,
  'POST /set-up/classes': onlyAdmin,
};
