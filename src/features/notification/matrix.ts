import { anyone, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /notice': signedIn,
  'GET /notice/unread': signedIn,
  'POST /notice/read': signedIn,
  'POST /message/report/:secret': { ...anyone, example: { secret: 'none', reports: [] } },
};
