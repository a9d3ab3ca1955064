// The words of the family page, in one file: those of its own and those of contracts.
export { messages } from '../locales/family/hi.po';
export { texts } from '../locales/words/family/hi.po?texts';
