import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /dashboard/warnings': onlyAdmin,
};
