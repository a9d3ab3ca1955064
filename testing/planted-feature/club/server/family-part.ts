import * as z from 'zod/mini';
import { familyPart } from '#features/family/api.ts';

export const meetingPart = familyPart({
  key: 'club',
  output: z.object({ day: z.string() }),
  read: async (_ctx, { day }) => ({ day }),
});
