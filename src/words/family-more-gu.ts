// The words of what the buttons of the family page open, in one file: those of its own and those of contracts.
export { messages } from '../locales/family-more/gu.po';
export { texts } from '../locales/words/family-more/gu.po?texts';
