import { sql } from 'kysely';
import { isGranted } from '#kit/contract/endpoint.ts';
import type { TimelineEvent } from '#kit/contract/timeline.ts';
import type { EventSource, EventSpan, UserContext } from './context.ts';

/** The last event of a page: those after it in the timeline are sought. */
interface Cursor {
  day: string;
  kind: string;
  id: number;
}

const usual = 25;

const readCursor = (before: string): Cursor | undefined => {
  const [day, kind, id] = before.split(' ');
  return day && kind && id ? { day, kind, id: Number(id) } : undefined;
};

const keyOf = ({ day, kind }: TimelineEvent) => `${day} ${kind}`;
const byKey = (one: TimelineEvent, other: TimelineEvent) => {
  if (keyOf(one) === keyOf(other)) return other.id - one.id;
  return keyOf(one) < keyOf(other) ? 1 : -1;
};

/** In the order of day, kind and id, all descending. */
const isAfter =
  (cursor: Cursor | undefined, kind: string): EventSpan['isAfter'] =>
  (day, id) => {
    if (!cursor) return sql<boolean>`true`;
    if (kind === cursor.kind) return sql<boolean>`(${day}, ${id}) < (${cursor.day}::date, ${cursor.id}::integer)`;
    return kind < cursor.kind
      ? sql<boolean>`${day} <= ${cursor.day}::date`
      : sql<boolean>`${day} < ${cursor.day}::date`;
  };

interface Asked {
  id: number;
  from: string;
  to: string;
  kind: string;
  before: string;
}

/** A page of a person's timeline, merged from the sources, each of which reads only its own rows. */
export async function readTimeline(
  ctx: UserContext,
  sources: readonly EventSource[],
  { id, from, to, kind, before }: Asked,
) {
  const cursor = readCursor(before);
  const found: TimelineEvent[] = [];
  // One after another: an open page takes one connection.
  for (const source of sources.filter((one) => kind === '' || one.kind === kind)) {
    const span = { from, to, most: usual + 1, isAfter: isAfter(cursor, source.kind) };
    const events = await source.find(ctx, id, span);
    found.push(...events.map((event) => ({ detail: '', enteredOn: '', to: '', ...event, kind: source.kind })));
  }
  const events = found.sort(byKey).slice(0, usual);
  const last = events.at(-1);
  const isMore = found.length > usual;
  return { events, next: isMore && last ? `${last.day} ${last.kind} ${last.id}` : null };
}

/** The sources of a kind of record for which the user has a grant. */
export const grantedEvents = ({ events, user }: UserContext, record: string): EventSource[] =>
  events.filter((source) => source.record === record && isGranted(source.access, user));
