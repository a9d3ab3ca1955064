export { createAccount, type NewAccount } from './server/create-account.ts';
export { derivedRights } from './server/derived-right.ts';
export { endAccess } from './server/end-access.ts';
