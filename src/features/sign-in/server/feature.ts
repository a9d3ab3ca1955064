import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import { openingSettings } from '#kit/server/security/openings.ts';
import { signInPages } from '../contract/pages.ts';
import { signInApi } from '../contract/sign-in.ts';
import { auditWords } from './audit-words.ts';
import { codeText } from './code.ts';
import { forgetExpired } from './forget-expired.ts';
import { startGoogle } from './google.ts';
import { messages } from './messages.ts';
import ownPassword from './own-password.ts';
import ownSessions from './own-sessions.ts';
import { secondStepWarnings } from './second-step.ts';
import { asksAdminCode } from './settings.ts';
import { authenticateUser, me, signOut, verifyOtp } from './sign-in.ts';

export const signIn = serverFeature({
  pages: signInPages,
  routes: [
    ...routes(signInApi, { authenticateUser, startGoogle, verifyOtp, me, signOut }),
    ...ownPassword,
    ...ownSessions,
  ],
  settings: [asksAdminCode, ...openingSettings],
  messages,
  textMessages: { 'sign-in-code': codeText },
  findWarnings: secondStepWarnings,
  tidyUp: forgetExpired,
  auditWords,
});
