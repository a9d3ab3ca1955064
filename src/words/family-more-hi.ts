// The words of what the buttons of the family page open, in one file: those of its own and those of contracts.
export { messages } from '../locales/family-more/hi.po';
export { texts } from '../locales/words/family-more/hi.po?texts';
