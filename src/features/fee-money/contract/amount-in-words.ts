import { ToWords } from 'to-words/en-IN';
import { type Text, text } from '#kit/contract/text.ts';

const speller = new ToWords();
const spell = (count: number) => speller.convert(count).toLowerCase();
const headed = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Whole rupees and the paise beside them of an amount in paise. */
export const inRupees = (amount: number) => [Math.floor(amount / 100), amount % 100] as const;

/** An amount in paise as receipts spell it out, with lakh and crore. */
export function amountInWords(amount: number): Text {
  // The library drops the fraction of a large number, so each part is spelled alone.
  const [rupees, paise] = inRupees(amount);
  const values = { rupees, rupeeWords: headed(spell(rupees)) };
  if (paise === 0) return text({ message: '{rupeeWords} {rupees, plural, one {rupee} other {rupees}} only' }, values);
  return text(
    {
      message:
        '{rupeeWords} {rupees, plural, one {rupee} other {rupees}} and {paiseWords} {paise, plural, one {paisa} other {paise}} only',
    },
    { ...values, paise, paiseWords: spell(paise) },
  );
}
