// The texts of the consent pages, fetched with them: the form's first view has no room for the whole notice.
import { addWords } from '#kit/browser/language.tsx';
import { messages } from '../../../locales/consent/en.po';

addWords({
  en: messages,
  gu: () => import('../../../locales/consent/gu.po'),
  hi: () => import('../../../locales/consent/hi.po'),
});
