// The texts of the last page and of what follows it, fetched with them: the form's first view has no room for them.
import { addWords, byLanguage, type Words } from '#kit/browser/language.tsx';
import { messages } from '../../../locales/end/en.po';

addWords({
  ...byLanguage(import.meta.glob<Words>(['../../../locales/end/*.po', '!../../../locales/end/en.po'])),
  en: messages,
});
