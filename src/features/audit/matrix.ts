import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /audit': onlyAdmin,
  'GET /audit/export': onlyAdmin,
  'POST /audit/verify': onlyAdmin,
};
