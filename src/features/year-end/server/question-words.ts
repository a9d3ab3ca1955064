import { shortNames } from '#features/family/api.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';

interface Words {
  school: string;
  children: string | Text;
  /** The last day for an answer, YYYY-MM-DD. */
  day: string;
  link: string;
  shortLink: string;
}

export const questionWords = ({ school, children, day, link, shortLink }: Words): Rendered => ({
  page: link,
  subject: text`Next year at ${{ school }}`,
  paragraphs: [
    text`Dear parent, please tell ${{ school }} whether ${{ children }} will return next year: ${{ link }}`,
    text`You can answer until ${{ date: onDay(day) }}, and change your answer until then.`,
  ],
  sms: text`Dear parent, please tell ${{ school }} by ${{ date: onDay(day, true) }} if ${{ children }} will return next year: ${{ shortLink }}`,
});

export const questionTexts: Record<string, TextMessage> = {
  'year-end.question': {
    when: text`When a guardian is asked whether a child will return next year.`,
    example: ({ name }, publicUrl) =>
      questionWords({
        school: name,
        children: shortNames(['Aarohi', 'Dev']),
        day: '2027-04-24',
        link: `${publicUrl}/family?family=${'0'.repeat(32)}`,
        shortLink: `${publicUrl}/a/Ab3dE6gH9k`,
      }),
  },
};
