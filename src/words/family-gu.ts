// The words of the family page, in one file: those of its own and those of contracts.
export { messages } from '../locales/family/gu.po';
export { texts } from '../locales/words/family/gu.po?texts';
