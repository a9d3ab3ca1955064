import { AppError, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';

/** The refusal of a record that is not there for the user; `executeTakeFirstOrThrow` takes it. */
export const notFound = () => new AppError('not_found', notFoundMessage);

/** Throws `stale` for a record that was changed since the user read the version `seen`; `data` is sent with it. */
export function requireVersion(
  { version }: { version: number },
  seen: number | undefined,
  data?: Record<string, unknown>,
) {
  if (seen !== undefined && version !== seen) throw new AppError('stale', staleMessage, { data });
}
