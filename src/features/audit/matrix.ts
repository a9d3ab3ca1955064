import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /audit': onlyAdmin,
  'GET /audit/choice': onlyAdmin,
  'GET /audit/export': onlyAdmin,
  'POST /audit/verify': onlyAdmin,
};
