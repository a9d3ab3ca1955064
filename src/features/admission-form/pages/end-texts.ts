// The texts of the last page and of what follows it, fetched with them: the form's first view has no room for them.
import { addCatalogue } from '#kit/browser/text.ts';
import { messages } from '../../../locales/end/en.po';

addCatalogue('en', messages);
