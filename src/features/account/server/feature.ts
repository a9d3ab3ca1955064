import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { accountPages } from '../contract/pages.ts';
import { accountRoutes, approvedMessage, declinedMessage } from './account.ts';
import { auditWords } from './audit-words.ts';
import { accountCard } from './dashboard-card.ts';
import { invitedByText, invitedByTextMessage, invitedMessage } from './invitation.ts';
import { ownAccountRoutes } from './own-account.ts';
import { contactMessages, contactRoutes, contactTexts } from './own-contact.ts';
import { accountStep, findNoAccount } from './set-up.ts';
import { staffAccountRoutes } from './staff-account.ts';

export const account = serverFeature({
  pages: accountPages,
  routes: [...accountRoutes, ...staffAccountRoutes, ...ownAccountRoutes, ...contactRoutes],
  messages: {
    'account-approved': approvedMessage,
    'account-declined': declinedMessage,
    'account-invited': invitedMessage,
    'account-invited-sms': invitedByTextMessage,
    ...contactMessages,
  },
  textMessages: { 'account-invited-sms': invitedByText, ...contactTexts },
  cards: [accountCard],
  seed: () => import('../seed.ts'),
  setUp: [accountStep],
  findWarnings: findNoAccount,
  auditArea: text`Accounts`,
  auditWords,
});
