// The texts of the last page and of what follows it, fetched with them: the form's first view has no room for them.
import { addWords } from '#kit/browser/language.tsx';
import { messages } from '../../../locales/end/en.po';

addWords({
  en: messages,
  gu: () => import('../../../locales/end/gu.po'),
  hi: () => import('../../../locales/end/hi.po'),
});
