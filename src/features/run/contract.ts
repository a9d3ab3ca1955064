import { admin, signedIn } from '#access/contract/grants.ts';
import { runOperations } from '#kit/contract/run.ts';

export const runApi = runOperations(signedIn, [admin()]);
