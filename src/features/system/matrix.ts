import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /system/version': onlyAdmin,
};
