import { readSchoolName } from '#features/school/api.ts';
import { exampleCode } from '#features/sign-in/api.ts';
import { text } from '#kit/contract/text.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { languageOfReader } from './preference.ts';
import { codeMessage, codeText, codeWords, openCode } from './proof.ts';

const changedWords = ({ name, phone }: { name: string; phone: string }): Rendered => ({
  subject: text`Your number or address at ${{ school: name }} was changed`,
  paragraphs: [
    text`Your number or address at ${{ school: name }} was changed. Messages go to the new one. Was it not you? Call ${{ phone }}.`,
  ],
});

export const contactMessages: Record<string, Template> = {
  // To a number that is not the guardian's yet: whether it arrives says nothing of the present one.
  'family.contact-code': {
    ...codeMessage,
    render: async (services, id) => {
      const found = await openCode(services, id);
      if (!found) return undefined;
      const language = await languageOfReader(services, found.guardianId);
      return { ...codeWords(found.code, await readSchoolName(services)), language };
    },
  },
  'family.contact-changed': {
    isFor: 'as queued',
    render: async (services, id) => {
      const change = await services.db
        .selectFrom('guardian_contact_change')
        .where('id', '=', id)
        .select('guardian_id')
        .executeTakeFirst();
      const school = await services.db.selectFrom('academic_school').select(['name', 'phone']).executeTakeFirst();
      if (!change || !school) return undefined;
      return { ...changedWords(school), language: await languageOfReader(services, change.guardian_id) };
    },
  },
};

export const contactTexts: Record<string, TextMessage> = {
  'family.contact-code': {
    ...codeText,
    when: text`When a guardian enters a new mobile number on the family page.`,
    example: ({ name }) => codeWords(exampleCode, name),
  },
  'family.contact-changed': {
    when: text`When a guardian’s number or address was changed on the family page, to the earlier one.`,
    example: (school) => changedWords(school),
  },
};
