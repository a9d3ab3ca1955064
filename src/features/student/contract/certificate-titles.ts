import { text } from '#kit/contract/text.ts';

/** The names of certificates on pages; the paper of a leaving certificate has its own. */
export const certificateTitles = {
  Leaving: text`Leaving certificate`,
  Bonafide: text`Bonafide certificate`,
  Character: text`Character certificate`,
  Study: text`Study certificate`,
};
