import { sql } from 'kysely';
import { lockYears } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { daysBetween, toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { yearEndApi } from '../contract/year-end.ts';
import { byId, countedFor, type FoundYear, findYear, firstEnded } from './ending-year.ts';
import { isOpen, readLines } from './lines.ts';

const read: Handler<typeof yearEndApi.read> = async (ctx, { yearId }) => {
  const today = toLocalDate(ctx.now());
  const year = await findYear(ctx, yearId ? byId(yearId) : firstEnded(today));
  if (!year && yearId) throw notFound();
  if (!year) return { year: null, endedFor: 0, next: null, lines: [] };
  const lines =
    year.phase === 'Closed'
      ? []
      : await ctx.db.transaction().execute((db) => readLines({ ...ctx, db }, countedFor(ctx, year)));
  const next = year.next ? { id: year.next.id, name: year.next.name } : null;
  return { year, endedFor: Math.max(daysBetween(year.endsOn, today), 0), next, lines };
};

const close: Handler<typeof yearEndApi.close> = (ctx, { id, seen, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    await lockYears(ctx);
    const year = await findYear(ctx, byId(id));
    if (!year) throw notFound();
    const { name } = year;
    if (year.phase === 'Closed') throw new AppError('conflict', text`${{ name }} is closed already.`);
    if (year.endsOn >= toLocalDate(ctx.now()))
      throw new AppError('conflict', text`${{ name }} can be closed after ${{ day: showDate(year.endsOn) }}.`);
    const lines = await readLines(ctx, countedFor(ctx, year));
    const open = lines.filter(isOpen);
    const isKept = ({ at, key }: (typeof open)[number]) => at === 'blocks' || (at === 'warns' && !seen.includes(key));
    const [kept, left] = [open.filter(isKept), open.filter((line) => !isKept(line))];
    if (kept.length === 0) await writeClosing(ctx, year, left);
    const figures = lines.map(({ key, open, of, names }) => [key, open, of, names]);
    return { answer: { kept, left }, basis: [id, seen.toSorted(), figures], isRefused: kept.length > 0 };
  });

async function writeClosing(
  ctx: UserContext,
  { id, name }: FoundYear,
  left: readonly { key: string; open: number | null }[],
) {
  const { db, user, now } = ctx;
  const open = Object.fromEntries(left.map((line) => [line.key, line.open]));
  await db
    .updateTable('academic_year')
    .set({ status: 'Closed', closed_at: now(), closed_by: user.name, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  await db
    .insertInto('year_event')
    .values({ academic_year_id: id, kind: 'Closed', open: JSON.stringify(open), made_by: user.name, made_at: now() })
    .execute();
  await audit(ctx, {
    action: 'academic-year.closed',
    entity: 'academic_year',
    entityId: id,
    details: { Name: name, ...open },
  });
}

const reopen: Handler<typeof yearEndApi.reopen> = async (ctx, { id, reason }) => {
  const { db, user, now } = ctx;
  const years = await lockYears(ctx);
  const year = years.find((one) => one.id === id);
  if (!year) throw notFound();
  const { name } = year;
  if (year.status !== 'Closed') throw new AppError('conflict', text`${{ name }} is open already.`);
  const last = lastClosed(years);
  if (last?.id !== id)
    throw new AppError('conflict', text`Only the last closed year can be reopened: ${{ year: last?.name ?? '' }}.`);
  await db
    .updateTable('academic_year')
    .set({ status: 'Open', version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  await db
    .insertInto('year_event')
    .values({ academic_year_id: id, kind: 'Reopened', reason, made_by: user.name, made_at: now() })
    .execute();
  await audit(ctx, {
    action: 'academic-year.reopened',
    entity: 'academic_year',
    entityId: id,
    details: { Name: name, Reason: reason },
  });
  return {};
};

const lastClosed = <Year extends { status: string; starts_on: string }>(years: readonly Year[]): Year | undefined =>
  years
    .filter(({ status }) => status === 'Closed')
    .toSorted((one, other) => one.starts_on.localeCompare(other.starts_on))
    .at(-1);

const closed: Handler<typeof yearEndApi.closed> = async ({ db, yearEnd }) => {
  const { rows } = await sql<{
    id: number;
    year: string;
    kind: 'Closed' | 'Reopened';
    reason: string;
    by: string;
    at: Date;
    open: Record<string, number | null>;
  }>`
    select own.id, year.name as year, own.kind, own.reason, own.made_by as by, own.made_at as at, own.open
    from year_event own join academic_year year on year.id = own.academic_year_id
    order by own.id desc limit 100`.execute(db);
  const years = await db
    .selectFrom('academic_year')
    .where('status', '=', 'Closed')
    .select(['id', 'name', 'status', 'starts_on'])
    .execute();
  const last = lastClosed(years);
  return {
    events: rows.map(({ at, open, ...event }) => ({
      ...event,
      at: at.toISOString(),
      open: yearEnd.flatMap(({ key, title }) => (open[key] ? [{ title, open: open[key] }] : [])),
    })),
    last: last ? { id: last.id, name: last.name } : null,
  };
};

export const yearEndRoutes = routes(yearEndApi, { read, closed, close, reopen });
