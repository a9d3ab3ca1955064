import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Queued, Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { childrenOf } from './children.ts';
import { linkOf } from './link.ts';
import { familyAddress } from './link-value.ts';

interface Words {
  school: string;
  phone: string;
  children: string | Text;
  /** The last day of the link, YYYY-MM-DD. */
  day: string;
  link: string;
  shortLink: string;
}

const words = ({ school, phone, children, day, link, shortLink }: Words): Rendered => ({
  page: link,
  subject: text`Your page of ${{ school }}`,
  paragraphs: [
    text`Dear parent, this page of ${{ school }} shows you what concerns ${{ children }}: ${{ link }}`,
    text`It is yours alone: do not pass the link on. It works until ${{ date: onDay(day) }}. Help: ${{ phone }}.`,
  ],
  sms: text`Dear parent, your page of ${{ school }} for ${{ children }}: ${{ shortLink }} It works until ${{ date: onDay(day, true) }}. Help: ${{ phone }}`,
});

/** A registered text holds 30 characters in each of its gaps. */
const mostInGap = 30;

/** The names of children for a message, short enough for a registered text. */
export function shortNames(names: readonly string[]): string | Text {
  const last = names.at(-1) ?? '';
  const before = names.slice(0, -1).join(', ');
  // As long as “and” is in every language.
  if (before.length + last.length + ' and '.length <= mostInGap)
    return before === '' ? last : text`${{ before }} and ${{ last }}`;
  const [first = ''] = names;
  const child = first.slice(0, 15);
  return names.length < 2 ? child : text`${{ child }} and ${{ n: names.length - 1 }} more`;
}

/** Whether the recipient is still the guardian's contact, and the link of the message still works. */
const isForGuardian = async (services: Services, { subjectId, recipient, version }: Queued) => {
  const row = await services.db
    .selectFrom('guardian')
    .where('id', '=', subjectId)
    .select(['mobile', 'email'])
    .executeTakeFirst();
  const isContact = row?.mobile === recipient || row?.email.toLowerCase() === recipient.toLowerCase();
  return isContact && (await linkOf(services, { guardianId: subjectId, version: version ?? 0 })) !== undefined;
};

/** Made when it is sent, so that no link lies in the database. */
export const messages: Record<string, Template> = {
  'family.link': {
    isFor: isForGuardian,
    render: async (services, guardianId, version) => {
      const [link, children, school] = await Promise.all([
        linkOf(services, { guardianId, version }),
        childrenOf(services, guardianId, toLocalDate(services.now())),
        services.db.selectFrom('academic_school').select(['name', 'phone']).executeTakeFirst(),
      ]);
      if (!link || !school || children.length === 0) return undefined;
      return words({
        school: school.name,
        phone: school.phone,
        children: shortNames(children.map(({ name }) => name)),
        day: link.until,
        ...link,
      });
    },
  },
};

export const textMessages: Record<string, TextMessage> = {
  'family.link': {
    when: text`When a guardian gets the link to the family page.`,
    example: ({ name, phone }, publicUrl) =>
      words({
        school: name,
        phone,
        children: shortNames(['Aarohi', 'Dev']),
        day: '2027-09-24',
        link: familyAddress(publicUrl, '0'.repeat(32)),
        shortLink: `${publicUrl}/a/Ab3dE6gH9k`,
      }),
  },
};
