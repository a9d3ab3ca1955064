import { AppError, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';

/** The refusal of a record that is not there for the user; `executeTakeFirstOrThrow` takes it. */
export const notFound = () => new AppError('not_found', notFoundMessage);

/** The refusal of an act on what has changed since; `executeTakeFirstOrThrow` takes it. */
export const stale = () => new AppError('stale', staleMessage);

/** Throws `stale` for a record that was changed since the user read the version `seen`; `data` is sent with it. */
export function requireVersion(
  { version }: { version: number },
  seen: number | null | undefined,
  data?: Record<string, unknown>,
) {
  if (seen !== undefined && version !== seen) throw new AppError('stale', staleMessage, { data });
}

/** As `requireVersion`, for a row with the moment of its last change: the page says when that was. */
export const requireRowVersion = (row: { version: number; updated_at: Date }, seen: number | null) =>
  requireVersion(row, seen, { rowVersion: row.version, savedDateTime: row.updated_at.toISOString() });
