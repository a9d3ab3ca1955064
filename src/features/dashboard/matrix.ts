import { type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /dashboard': signedIn,
  'GET /dashboard/todo': signedIn,
  'GET /dashboard/day': signedIn,
  'GET /dashboard/line': signedIn,
  'GET /dashboard/change': signedIn,
  'GET /dashboard/chart': signedIn,
  'GET /dashboard/badge': signedIn,
};
