import { translate } from '#kit/browser/text.ts';
import { amountInWords } from '../contract/amount-in-words.ts';

/** An amount in words, to be read before it is collected. */
export const AmountWords = ({ amount }: { amount: number }) => translate(amountInWords(amount));
