import type { Template } from '#kit/server/messages/outbox.ts';
import { adminMessages } from './admin-messages.ts';
import { codeMessage } from './code.ts';
import { passwordChangedMessage, resetMessage } from './own-password.ts';
import { actReportedMessage } from './reported-act.ts';

/**
 * The messages about sign-in; each is rendered when it is sent, so that no code and no link is stored in the database.
 */
export const messages: Record<string, Template> = {
  'sign-in-code': codeMessage,
  'sign-in-reset': resetMessage,
  'password-changed': passwordChangedMessage,
  ...adminMessages,
  'act-reported': actReportedMessage,
};
