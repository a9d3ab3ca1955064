import * as z from 'zod/mini';
import { admin, signedIn } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { anyText, text } from '#kit/contract/text.ts';

export const backupMessages = {
  none: text`This school has no backup. Ask your system administrator to run “npm run backup” and check its log.`,
  old: text`The last backup is more than 2 days old. Ask your system administrator to run “npm run backup” and check its log.`,
};

/** Something an Admin must fix, and the page for it where there is one. */
const warning = z.object({ name: z.string(), text: anyText, to: z.optional(z.string()) });

const figure = z.object({
  label: anyText,
  value: z.number(),
  /** The number should be 0. */
  isProblem: z.optional(z.boolean()),
  /** The page that lists what is counted, below /school-erp. */
  to: z.optional(z.string()),
});

const card = z.object({ title: anyText, figures: z.array(figure) });
export type DashboardCard = z.infer<typeof card>;

export const dashboardApi = {
  warnings: endpoint({
    method: 'GET',
    path: '/dashboard/warnings',
    access: [admin()],
    input: z.object({}),
    output: z.array(warning),
  }),
  /** The cards that the user's role and sets allow, with the figures of the current academic year. */
  cards: endpoint({
    method: 'GET',
    path: '/dashboard/card',
    access: signedIn,
    shows: ['section', 'student', 'teacher', 'grade-subject', 'staff', 'year', 'account', 'account-request'],
    input: z.object({}),
    output: z.object({
      /** Its name; null where no year is current yet. */
      year: z.nullable(z.string()),
      cards: z.array(card),
    }),
  }),
};
