import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { ShownCard } from '#kit/contract/served-card.ts';
import type { ServedCard, UserContext } from './context.ts';

/** The cards of a kind of record for which the user has a grant. Whether it reaches a record is its owner's question. */
export const grantedCards = ({ recordCards, user }: UserContext, record: string): ServedCard[] =>
  recordCards.filter(({ card }) => card.record === record && isGranted(card.access, user));

export const shownCard = ({ card: { key, part, order, title }, read }: ServedCard): ShownCard => ({
  key,
  part,
  order,
  title,
  isServed: read !== undefined,
});

/** A served card of this kind of record; throws `not_found` for one that the user may not read exactly as for none. */
export function requireCard(ctx: UserContext, record: string, key: string) {
  const found = grantedCards(ctx, record).find(({ card }) => card.key === key);
  if (!found?.read) throw new AppError('not_found', notFoundMessage);
  return { access: found.card.access, read: found.read };
}
