// The texts of the consent pages, fetched with them: the form's first view has no room for the whole notice.
import { addCatalogue } from '#kit/browser/text.ts';
import { messages } from '../../../locales/consent/en.po';

addCatalogue('en', messages);
