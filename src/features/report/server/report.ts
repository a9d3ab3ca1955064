import type * as z from 'zod/mini';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { EventSource, ServedCard, UserContext } from '#kit/server/context.ts';
import { readTimeline } from '#kit/server/events.ts';
import { routes } from '#kit/server/http/routes.ts';
import { auditReveal } from '#kit/server/security/reveal.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import type { reportOf } from '../contract/report.ts';
import { type Given, reportPaper } from './paper.ts';
import { type Chosen, choosePeriod, periodsOf, type Span } from './periods.ts';

type AnyApi = ReturnType<typeof reportOf>;

/** What differs between the reports of students and staff. */
export interface Reported<Head> {
  record: 'student' | 'staff';
  /** The head of a day; throws `not_found` for those who may not see the person. */
  readHead: (ctx: UserContext, id: number, chosen: Chosen | undefined) => Promise<Head & { name: string }>;
  /** The cards and events that the user has of this person; throws `not_found` as the head does. */
  seen: (ctx: UserContext, id: number) => Promise<{ cards: ServedCard[]; events: EventSource[] }>;
  spansOf: (ctx: UserContext, id: number) => Promise<Span[]>;
  /** Whether a phone shows a card on request alone. */
  isLater: (card: ServedCard['card']) => boolean;
  /** Below the title of its PDF: "GR 12, Grade 5, B". */
  about: (head: Head) => string;
}

const parts = ['profile', 'now', 'employment', 'school', 'health', 'papers', 'documents', 'history'];
const place = ({ card }: ServedCard) => parts.indexOf(card.part) * 1000 + card.order;

export const inReportOrder = (cards: readonly ServedCard[]) =>
  cards.toSorted((one, other) => place(one) - place(other));

/** Serves the report of students or staff from the cards and events of all features. */
export function serveReport<Api extends AnyApi, Head extends z.output<Api['read']['output']>['head']>(
  api: Api,
  { record, readHead, seen, spansOf, isLater, about }: Reported<Head>,
) {
  const cardsOf = async (ctx: UserContext, id: number) => {
    const { cards, events } = await seen(ctx, id);
    const served = inReportOrder(cards.filter(({ read }) => read));
    return { cards: served, events };
  };
  const find = async (ctx: UserContext, id: number, key: string, isRestricted: boolean) => {
    const { cards } = await cardsOf(ctx, id);
    const found = cards.find(({ card }) => card.key === key && (card.isRestricted ?? false) === isRestricted);
    if (!found?.read) throw new AppError('not_found', notFoundMessage);
    return { title: found.card.title, read: found.read };
  };
  const chosen = async (ctx: UserContext, id: number, period: { from: string; to: string }) =>
    choosePeriod(ctx, await spansOf(ctx, id), period);
  const revealed = (ctx: UserContext, id: number, card: string, reason: string) =>
    auditReveal(ctx, { action: 'report.card-opened', entity: record, entityId: id, details: { Card: card }, reason });
  /** What the paper says of a person. */
  const onPaper = async (ctx: UserContext, id: number, days: { from: string; to: string }, cards: ServedCard[]) => {
    const period = await chosen(ctx, id, days);
    const head = await readHead(ctx, id, period);
    const said: Given['cards'][number][] = [];
    // One after another: a paper takes one connection.
    for (const { card, read } of cards)
      if (read) said.push({ title: card.title, says: await read(ctx, id, period.counted) });
    return { name: head.name, about: about(head), period: period.asked, cards: said } satisfies Given;
  };
  const handlers = {
    read: async (ctx: UserContext, { id, to }: { id: number; to: string }) => {
      const { cards, events } = await cardsOf(ctx, id);
      const spans = await spansOf(ctx, id);
      const head = await readHead(ctx, id, spans.length > 0 ? choosePeriod(ctx, spans, { from: '', to }) : undefined);
      return {
        head,
        periods: await periodsOf(ctx, spans),
        cards: cards.map(({ card }) => ({
          key: card.key,
          title: card.title,
          ...(card.isRestricted && { isRestricted: card.isRestricted }),
          ...(isLater(card) && { isLater: true }),
        })),
        kinds: events.map(({ kind, title }) => ({ kind, title })),
      };
    },
    card: async (ctx: UserContext, { id, key, ...period }: { id: number; key: string; from: string; to: string }) => {
      const { read } = await find(ctx, id, key, false);
      return read(ctx, id, (await chosen(ctx, id, period)).counted);
    },
    timeline: async (
      ctx: UserContext,
      { id, from, to, ...page }: { id: number; from: string; to: string; kind: string; before: string },
    ) => {
      const { events } = await seen(ctx, id);
      const { asked } = await chosen(ctx, id, { from, to });
      return readTimeline(ctx, events, { id, ...asked, ...page });
    },
    open: async (
      ctx: UserContext,
      { id, key, reason, ...period }: { id: number; key: string; from: string; to: string; reason: string },
    ) => {
      const { read } = await find(ctx, id, key, true);
      const { counted } = await chosen(ctx, id, period);
      await revealed(ctx, id, key, reason);
      return read(ctx, id, counted);
    },
    paper: async (
      ctx: UserContext,
      asked: { id: number; from: string; to: string; cards: string[]; reason: string },
    ) => {
      const { id, from, to, reason } = asked;
      const { cards } = await cardsOf(ctx, id);
      const found = cards.filter(({ card }) => asked.cards.includes(card.key));
      if (found.length !== new Set(asked.cards).size) throw new AppError('not_found', notFoundMessage);
      const restricted = found.filter(({ card }) => card.isRestricted).map(({ card }) => card.key);
      if (restricted.length > 0 && reason.trim() === '') throw fieldRefusal('reason', text`Reason is required`);
      if (restricted.length > 0)
        await ctx.db.transaction().execute((db) => revealed({ ...ctx, db }, id, restricted.join(', '), reason.trim()));
      const act = {
        action: 'report.printed',
        entity: record,
        entityId: id,
        details: { cards: found.map(({ card }) => card.key).join(', ') },
        names: 1,
      };
      return takeNames(ctx, act, async () => {
        const given = await onPaper(ctx, id, { from, to }, found);
        return reportPaper(ctx, text`Report: ${{ name: given.name }}`, [given]);
      });
    },
  };
  return { cardsOf, onPaper, routes: routes(api, handlers as never) };
}
