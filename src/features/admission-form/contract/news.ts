import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { noInput } from './form.ts';

const path = '/admission-news';

const news = z.object({
  /** Planned meetings, the next first. */
  meetings: z.array(z.object({ startsAt: z.string(), endsAt: z.string(), place: z.string() })),
  /** The letter of the last released decision. */
  letter: z.nullable(z.object({ subject: z.string(), body: z.string(), on: z.string() })),
  /** Of an open offer its last day and the fee in paise that confirms the place; '' and 0 otherwise. */
  replyBy: z.string(),
  due: z.number(),
  /** Whether the family may choose the time of its meeting, until a moment; null where it may not. */
  choice: z.nullable(z.object({ until: z.string(), isChosen: z.boolean() })),
});
export type News = z.infer<typeof news>;

/** What the school has published to the family of a form. The feature above the form answers it. */
export const newsApi = {
  read: endpoint({ method: 'GET', path, access: 'link', input: noInput, output: news }),
  letter: endpoint({ method: 'GET', path: `${path}/letter`, access: 'link', input: noInput, output: servedFile }),
};
