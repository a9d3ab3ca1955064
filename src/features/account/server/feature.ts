import { serverFeature } from '#kit/server/feature.ts';
import { accountPages } from '../contract/pages.ts';
import { accountRoutes, approvedMessage, declinedMessage } from './account.ts';
import { auditWords } from './audit-words.ts';
import { accountCard } from './dashboard-card.ts';
import { invitedByText, invitedByTextMessage, invitedMessage } from './invitation.ts';

export const account = serverFeature({
  pages: accountPages,
  routes: accountRoutes,
  messages: {
    'account-approved': approvedMessage,
    'account-declined': declinedMessage,
    'account-invited': invitedMessage,
    'account-invited-sms': invitedByTextMessage,
  },
  textMessages: { 'account-invited-sms': invitedByText },
  cards: [accountCard],
  seed: () => import('../seed.ts'),
  auditWords,
});
