// The texts of what the buttons of the family page open, fetched with it: the first view has no room for them.
import { addWords } from '#kit/browser/language.tsx';
import { messages } from '../../../locales/family-more/en.po';

addWords({
  en: messages,
  gu: () => import('../../../words/family-more-gu.ts'),
  hi: () => import('../../../words/family-more-hi.ts'),
});
