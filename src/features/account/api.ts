export { createAccount, type NewAccount } from './server/create-account.ts';
