// The texts of what the buttons of the family page open, fetched with it: the first view has no room for them.
import { addWords, byLanguage, type Words } from '#kit/browser/language.tsx';
import { messages } from '../../../locales/family-more/en.po';

addWords({ ...byLanguage(import.meta.glob<Words>('../../../words/family-more-*.ts')), en: messages });
