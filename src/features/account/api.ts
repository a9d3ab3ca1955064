export { createAccount, type NewAccount } from './server/create-account.ts';
export { queueInvitation } from './server/invitation.ts';
