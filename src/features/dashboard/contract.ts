import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { anyText, text } from '#kit/contract/text.ts';

export const backupMessages = {
  none: text`There is no backup of this school. Ask the person who runs the server to run “npm run backup” and check its log.`,
  old: text`The last backup is more than 2 days old. Ask the person who runs the server to run “npm run backup” and check its log.`,
};

/** Something an Admin must fix, and the page for it where there is one. */
const warning = z.object({ name: z.string(), text: anyText, to: z.optional(z.string()) });

export const dashboardApi = {
  warnings: endpoint({
    method: 'GET',
    path: '/dashboard/warnings',
    access: [admin()],
    input: z.object({}),
    output: z.array(warning),
  }),
};
