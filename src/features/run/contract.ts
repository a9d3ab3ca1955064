import { signedIn } from '#features/account/contract/access.ts';
import { runOperations } from '#kit/contract/run.ts';

export const runApi = runOperations(signedIn);
