import { onDay, text } from '#kit/contract/text.ts';
import type { Rendered } from '#kit/server/messages/text-message.ts';

/** Of a payment that a bank has yet to make. */
export const realisation = text`Subject to realisation.`;

interface Words {
  children: string;
  amount: string;
  /** YYYY-MM-DD. */
  day: string;
  school: string;
  phone: string;
}

/** The guardian's page, for a guardian who has one. */
interface Page {
  link: string;
  shortLink: string;
}

const onPage = ({ link }: Page) => text`Pay by UPI, or enter a payment, on your page of the school: ${{ link }}`;

export const lateWords = ({ children, amount, day, school, phone }: Words, page?: Page): Rendered => ({
  subject: text`Fees of ${{ children }} are overdue`,
  paragraphs: [
    text`Dear parent, fees of ${{ amount }} for ${{ children }} are due since ${{ day: onDay(day, true) }}. ${{ school }}: ${{ phone }}`,
    ...(page ? [onPage(page)] : []),
  ],
  ...(page && {
    page: page.link,
    sms: text`Fees of ${{ amount }} for ${{ children }} are due since ${{ day: onDay(day, true) }}. Pay: ${{ shortLink: page.shortLink }} ${{ school }}: ${{ phone }}`,
  }),
});
/** Words before and on the due day. */
export const earlyWords = ({ children, amount, day, school, phone }: Words, page?: Page): Rendered => ({
  subject: text`Fees of ${{ children }} are due soon`,
  paragraphs: [
    text`Dear parent, fees of ${{ amount }} for ${{ children }} are due on ${{ day: onDay(day, true) }}. ${{ school }}: ${{ phone }}`,
    ...(page ? [onPage(page)] : []),
  ],
  ...(page && {
    page: page.link,
    sms: text`Fees of ${{ amount }} for ${{ children }} are due on ${{ day: onDay(day, true) }}. Pay: ${{ shortLink: page.shortLink }} ${{ school }}: ${{ phone }}`,
  }),
});

/** A link as long as real ones. */
export const examplePage = (publicUrl: string): Page => ({
  link: `${publicUrl}/family?family=0123456789abcdef0123456789abcdef`,
  shortLink: `${publicUrl}/a/abcdefghjk`,
});
