import { text } from '#kit/contract/text.ts';
import type { Template } from '#kit/server/messages/outbox.ts';

/** An invitation to the meetings, for a member of staff at their address of now. */
export const invitation: Template = {
  isFor: async ({ db }, { recipient }) => {
    const found = await db.selectFrom('staff').where('email', '=', recipient).select('id').executeTakeFirst();
    return found !== undefined;
  },
  render: async () => ({
    subject: text`Planted club`,
    paragraphs: [text`The planted club meets on Friday.`],
  }),
};
