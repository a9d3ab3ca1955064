// The texts of the consent pages, fetched with them: the form's first view has no room for the whole notice.
import { addWords, byLanguage, type Words } from '#kit/browser/language.tsx';
import { messages } from '../../../locales/consent/en.po';

addWords({
  ...byLanguage(import.meta.glob<Words>(['../../../locales/consent/*.po', '!../../../locales/consent/en.po'])),
  en: messages,
});
