import { options } from '#kit/contract/text.ts';

/** What an announcement asks of the guardians of each child. */
export const asks = options('Nothing', 'Acknowledgement', 'Consent', 'Choice');

/** Whether guardians answer for each child. */
export const isAnswered = (word: string): boolean => word === 'Consent' || word === 'Choice';
