// The words of the admission form's pages, in one file: those of its own and those of contracts.
export { messages } from '../locales/form/hi.po';
export { texts } from '../locales/words/form/hi.po?texts';
