import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verbatim } from '#kit/contract/text.ts';
import { openSchool, type School } from '#testing/school.ts';
import type { EventSource, UserContext } from './context.ts';
import { readTimeline } from './events.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

/** A source of 60 events, several a day. */
const source = (kind: string, step: number): EventSource => ({
  record: 'tree',
  kind,
  title: verbatim(kind),
  access: [],
  find: async ({ db }, _, { from, to, most, isAfter }) => {
    const { rows } = await sql<{ day: string; id: number }>`
      select day::text, id from (select '2026-01-01'::date + n / ${step}::integer as day, n as id
        from generate_series(1, 60) n) as event
      where day between ${from}::date and ${to}::date and ${isAfter(sql`day`, sql`id`)}
      order by event.day desc, id desc limit ${most}`.execute(db);
    return rows.map((row) => ({ ...row, what: verbatim(kind) }));
  },
});
const sources = [source('leaf', 1), source('apple', 3), source('branch', 7)];

test('D1.6 pages of a timeline together are one order by day, kind and id, and nothing is missing or twice', async () => {
  const ctx = school.context() as UserContext;
  const seen: string[] = [];
  let before: string | null = '';
  for (let pages = 0; before !== null && pages < 20; pages += 1) {
    const page: Awaited<ReturnType<typeof readTimeline>> = await readTimeline(ctx, sources, {
      id: 1,
      from: '2026-01-05',
      to: '2026-12-31',
      kind: '',
      before,
    });
    seen.push(...page.events.map(({ day, kind, id }) => `${day} ${kind} ${String(id).padStart(3, '0')}`));
    before = page.next;
  }
  expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
  expect(seen.length).toBe(57 + 49 + 33);
});
