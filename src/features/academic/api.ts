export { readSectionWords } from './server/section-words.ts';
