import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';

export const backupMessages = {
  none: text`This school has no backup. Ask your system administrator to run “npm run backup” and check its log.`,
  old: text`The last backup is more than 2 days old. Ask your system administrator to run “npm run backup” and check its log.`,
};

/** Something an Admin must fix, and the page for it where there is one. */
const warning = z.object({ name: z.string(), text: anyText, to: z.optional(z.string()) });
export type DashboardWarning = z.infer<typeof warning>;

const figure = z.object({
  label: anyText,
  value: z.number(),
  /** The number should be 0. */
  isProblem: z.optional(z.boolean()),
  /** The page of the counted records, below /school-erp. */
  to: z.optional(z.string()),
});

const card = z.object({ title: anyText, figures: z.array(figure) });
export type DashboardCard = z.infer<typeof card>;

export const dashboardApi = {
  /** What the user's role and sets allow: the cards, with the figures of the working year. */
  read: endpoint({
    method: 'GET',
    path: '/dashboard',
    access: signedIn,
    input: z.object({ academicYearId: z.optional(id) }),
    output: z.object({
      /** Empty for Staff. */
      warnings: z.array(warning),
      /** The name of the year that is counted: the given one, else the current one. Null where there is neither. */
      year: z.nullable(z.string()),
      cards: z.array(card),
    }),
  }),
  /** How many records wait for the user, by the path of the page. */
  badges: endpoint({
    method: 'GET',
    path: '/dashboard/badge',
    access: signedIn,
    isBackground: true,
    shows: ['badge'],
    input: z.object({}),
    output: z.record(z.string(), z.number()),
  }),
};
