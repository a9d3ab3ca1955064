import { anyone, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /notice': signedIn,
  'GET /notice/unread': signedIn,
  'POST /notice/read': signedIn,
  'POST /message/report/:secret': { ...anyone, ids: 'other', example: { secret: 'none' } },
};
