import { type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /notice': signedIn,
  'GET /notice/unread': signedIn,
  'POST /notice/read': signedIn,
};
