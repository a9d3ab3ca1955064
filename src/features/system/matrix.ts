import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /system/version': onlyAdmin,
  'GET /system/work': onlyAdmin,
  'POST /system/job/:id/try': onlyAdmin,
  'POST /system/job/:id/give-up': onlyAdmin,
};
