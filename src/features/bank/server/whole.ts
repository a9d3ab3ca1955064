import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';

/** A bank account is that of a receipt series, not of a branch: users with a limit to branches do not act on it. */
export function requireWhole({ user }: UserContext) {
  if (user.scope.branches.length > 0)
    throw new AppError(
      'conflict',
      text`Bank accounts are shared by all branches. Ask an accountant with access to all branches.`,
    );
}
