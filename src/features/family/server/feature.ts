import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { familyLinkCard } from '../contract/cards.ts';
import { behindLink } from '../contract/family.ts';
import { behindFeed } from '../contract/feed.ts';
import { familyPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { byNumberRoutes } from './by-number.ts';
import { contactRoutes } from './contact.ts';
import { contactMessages, contactTexts } from './contact-messages.ts';
import { contactApproval, contactOfficeRoutes } from './contact-office.ts';
import { familyRoutes } from './family.ts';
import { feedRoutes, findFeedHolder } from './feed.ts';
import { findFamilyHolder, findShortLink } from './link.ts';
import { linkListRoutes } from './link-list.ts';
import { manifestRoutes } from './manifest.ts';
import { familyMerges, mergeFamilyLinks } from './merge.ts';
import { messages, textMessages } from './messages.ts';
import { codeMessage, codeText, proofRoutes } from './proof.ts';
import { linkRoutes } from './send-link.ts';
import { linkRuns, sendManyRoutes } from './send-many.ts';
import { sentRoutes } from './sent.ts';
import { familySettings } from './settings.ts';
import { tryAgainRoutes } from './try-again.ts';
import { unreachedTodo } from './unreached.ts';

export const family = serverFeature({
  pages: familyPages,
  routes: [
    ...familyRoutes,
    ...manifestRoutes,
    ...byNumberRoutes,
    ...proofRoutes,
    ...contactRoutes,
    ...feedRoutes,
    ...contactOfficeRoutes,
    ...sentRoutes,
    ...linkListRoutes,
    ...linkRoutes,
    ...sendManyRoutes,
    ...tryAgainRoutes,
  ],
  answers: [mergeFamilyLinks],
  approvals: [contactApproval],
  recordCards: [{ card: familyLinkCard }],
  runs: linkRuns,
  linkHolders: { [behindLink.link]: findFamilyHolder, [behindFeed.link]: findFeedHolder },
  findShortLink,
  settings: familySettings,
  messages: { ...messages, 'family.code': codeMessage, ...contactMessages },
  textMessages: { ...textMessages, 'family.code': codeText, ...contactTexts },
  auditArea: text`Families`,
  auditWords,
  seed: () => import('../seed.ts'),
  merges: familyMerges,
  todos: [unreachedTodo],
});
