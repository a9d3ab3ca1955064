import { AppError, noConnectionMessage } from '#kit/contract/errors.ts';

const reloadedAt = 'form-reloaded';

/**
 * For code that could not be fetched. Where the server answers, its files are newer than this page: the browser reads
 * them once.
 */
export async function orReload(error: unknown): Promise<never> {
  const isThere = await fetch('/healthz').then(
    () => true,
    () => false,
  );
  if (!isThere) throw new AppError('unavailable', noConnectionMessage);
  if (window.history.state?.[reloadedAt]) throw error;
  window.history.replaceState({ ...window.history.state, [reloadedAt]: true }, '');
  window.location.reload();
  return new Promise(() => undefined);
}
