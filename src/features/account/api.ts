export { changeAccount, readAccount } from './server/account.ts';
export { readBranches } from './server/branch.ts';
export { addAccount, createAccount, type NewAccount } from './server/create-account.ts';
export { derivedRights } from './server/derived-right.ts';
export { endAccess } from './server/end-access.ts';
export { queueInvitation, queueInvitations } from './server/invitation.ts';
export { addAccounts, changeAccounts, type LockedAccount, lockAccounts } from './server/many-accounts.ts';
