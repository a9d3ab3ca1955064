import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { mostNext, mostToday, type NextAct, type ShownCard, type TodayFact } from '#kit/contract/served-card.ts';
import type { ServedCard, UserContext } from './context.ts';

/** The cards of a kind of record for which the user has a grant. Whether it reaches a record is its owner's question. */
export const grantedCards = ({ recordCards, user }: UserContext, record: string): ServedCard[] =>
  recordCards.filter(({ card }) => card.record === record && isGranted(card.access, user));

export const shownCard = ({ card: { key, part, order, title, isRestricted }, read }: ServedCard): ShownCard => ({
  key,
  part,
  order,
  title,
  isServed: read !== undefined && !isRestricted,
  ...(isRestricted && read && { isRestricted }),
});

/**
 * A served card of this kind of record; throws `not_found` for one that the user may not read exactly as for none.
 * A restricted card is found only where it is asked for.
 */
export function requireCard(ctx: UserContext, record: string, key: string, isRestricted = false) {
  const found = grantedCards(ctx, record).find(({ card }) => card.key === key);
  if (!found?.read || (found.card.isRestricted ?? false) !== isRestricted)
    throw new AppError('not_found', notFoundMessage);
  return { access: found.card.access, title: found.card.title, read: found.read };
}

/** What these cards say of today, in the order in which features name them. */
export async function readToday(ctx: UserContext, cards: readonly ServedCard[], id: number): Promise<TodayFact[]> {
  const facts: TodayFact[] = [];
  for (const { today } of cards) {
    const found = await today?.(ctx, id);
    if (found) facts.push(...[found].flat());
  }
  return facts.slice(0, mostToday);
}

/** What these cards have to be done next, late first. */
export async function readNext(ctx: UserContext, cards: readonly ServedCard[], id: number): Promise<NextAct[]> {
  const acts: NextAct[] = [];
  for (const { next } of cards) acts.push(...((await next?.(ctx, id)) ?? []));
  return acts.sort((one, other) => Number(other.isLate) - Number(one.isLate)).slice(0, mostNext);
}
