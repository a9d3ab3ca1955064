export { childrenOf, type FamilyChild } from './server/children.ts';
export { extendLinks, linkOf } from './server/link.ts';
export { shortNames } from './server/messages.ts';
export { openingsOf } from './server/openings.ts';
export { familyPart } from './server/part.ts';
export { keepFormLanguage, languageOfReader, languagesOfReaders } from './server/preference.ts';
export { showsBus, showsDues, smsPaise } from './server/settings.ts';
export { channelOrder, firstContacts, tellGuardians, waysOf } from './server/tell.ts';
export { quietOfReader } from './server/wishes.ts';
