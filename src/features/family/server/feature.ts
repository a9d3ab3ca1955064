import { serverFeature } from '#kit/server/feature.ts';
import { behindLink } from '../contract/family.ts';
import { auditWords } from './audit-words.ts';
import { familyRoutes } from './family.ts';
import { findFamilyHolder, findShortLink } from './link.ts';
import { messages, textMessages } from './messages.ts';
import { familySettings } from './settings.ts';

export const family = serverFeature({
  routes: familyRoutes,
  linkHolders: { [behindLink.link]: findFamilyHolder },
  findShortLink,
  settings: familySettings,
  messages,
  textMessages,
  auditWords,
});
