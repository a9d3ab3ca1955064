import { text } from '#kit/contract/text.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';

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

const joinedWords: Rendered = { subject: text`Planted club`, paragraphs: [text`Your child joined a planted club.`] };

/** It goes to guardians without an email address by SMS. */
export const joinedByText: TextMessage = {
  when: text`When a child joins a planted club.`,
  example: () => joinedWords,
};

/** For the first contact of a student who joined a club. */
export const joined: Template = {
  isFor: async ({ db }, { subjectId, recipient }) => {
    const found = await db
      .selectFrom('student_guardian as link')
      .innerJoin('guardian', 'guardian.id', 'link.guardian_id')
      .where('link.student_id', '=', subjectId)
      .where('guardian.mobile', '=', recipient)
      .select('guardian.id')
      .executeTakeFirst();
    return found !== undefined;
  },
  render: async () => joinedWords,
};
