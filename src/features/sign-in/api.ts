import type { UserContext } from '#kit/server/context.ts';
import { tellAdmins } from './server/tell-admins.ts';

export { isHeldSession } from './server/changed-address.ts';
export { codeMinutes, codeOf, exampleCode, isCode, newSalt } from './server/code.ts';
export { countOwnCode } from './server/code-limits.ts';
export { type Channel, channels, endOldContact } from './server/contact-change.ts';
export { endAccess, isLeftAdmin, lockAdmins } from './server/end-access.ts';
export { hasSignedIn } from './server/has-signed-in.ts';
export { dayOf, isOpenOn } from './server/may-sign-in.ts';
export { callSchool, queueReset } from './server/own-password.ts';
export { endSessionOf, sessionsOf } from './server/own-sessions.ts';
export { hashPassword } from './server/password.ts';
export { isForAccount, isForAdmins } from './server/recipient.ts';
export { isFresh } from './server/second-step.ts';
export { findRights, findUser, isAlive } from './server/session.ts';
export { tooMany } from './server/too-many.ts';
export { tellAdmins };

/** Tells the other Admins of the act that an audit row is about. */
export const reportAct = (ctx: UserContext, auditId: number) => tellOtherAdmins(ctx, 'act-reported', auditId);

/** Queues an email to every active Admin except the actor, within the transaction of the act. */
const tellOtherAdmins = (ctx: UserContext, template: string, subjectId: number) =>
  tellAdmins(ctx, { template, subjectId, except: [ctx.user.id] });
