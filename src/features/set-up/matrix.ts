import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /set-up': onlyAdmin,
  'POST /set-up/skip': { ...onlyAdmin, example: { key: 'staff', isSkipped: true } },
  'POST /set-up/year': onlyAdmin,
  'POST /set-up/account': {
    ...onlyAdmin,
    example: { name: 'Hetal Shah', email: 'hetal@school.example', mobile: '', post: 'Office' },
  },
  'POST /set-up/classes': onlyAdmin,
};
