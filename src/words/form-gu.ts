// The words of the admission form's pages, in one file: those of its own and those of contracts.
export { messages } from '../locales/form/gu.po';
export { texts } from '../locales/words/form/gu.po?texts';
