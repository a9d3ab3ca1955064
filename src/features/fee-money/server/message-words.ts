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

export const lateWords = ({ children, amount, day, school, phone }: Words): Rendered => ({
  subject: text`Fees of ${{ children }} are overdue`,
  paragraphs: [
    text`Dear parent, fees of ${{ amount }} for ${{ children }} are due since ${{ day: onDay(day, true) }}. ${{ school }}: ${{ phone }}`,
  ],
});
/** Words before and on the due day. */
export const earlyWords = ({ children, amount, day, school, phone }: Words): Rendered => ({
  subject: text`Fees of ${{ children }} are due soon`,
  paragraphs: [
    text`Dear parent, fees of ${{ amount }} for ${{ children }} are due on ${{ day: onDay(day, true) }}. ${{ school }}: ${{ phone }}`,
  ],
});
