import { sql } from 'kysely';
import { mayOpen } from '#access/contract/may-open.ts';
import type { UserContext } from '#kit/server/context.ts';
import type {
  CountedYear,
  DashboardCard,
  DashboardChart,
  DayCell,
  DayChange,
  DayFigure,
  DayLine,
  PageBadge,
  ReadComingDays,
  ReadOwnSections,
  Todo,
  TodoSource,
} from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';
import { dashboardApi, type FigureToday } from './contract.ts';

const mostOfSource = 8;
const mostRows = 20;
const urgency: readonly Todo['when'][] = ['late', 'today', 'soon'];

/** What a part of the page answers; undefined where it fails, which must not take the others with it. */
async function attempt<Answer>(ctx: UserContext, read: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read();
  } catch (error) {
    ctx.logSurvived(error);
    return undefined;
  }
}

/** What figures depend on besides the account. */
const scopeOf = ({ now, user }: UserContext, yearId?: number) =>
  JSON.stringify([yearId, toLocalDate(now()), user.role, user.sets, user.scope]);

const readFor =
  (all: readonly DashboardCard[], findWarnings: FindWarnings): Handler<typeof dashboardApi.read> =>
  async (ctx, { academicYearId = 0 }) => {
    const year = await ctx.db
      .selectFrom('academic_year')
      .where((on) =>
        on.or([
          on('id', '=', academicYearId),
          on('id', '=', sql<number>`academic_year_on(${toLocalDate(ctx.now())}::date)`),
        ]),
      )
      .orderBy((on) => on('id', '=', academicYearId), 'desc')
      .select(['id', 'name', 'starts_on', 'ends_on'])
      .executeTakeFirst();
    const visible = all.filter((card) => mayOpen(card, ctx.user));
    const cards = [];
    // One after another: an open dashboard takes one connection, not one for each card.
    const scope = scopeOf(ctx, year?.id);
    for (const { title, leads, count, lines } of visible) {
      const found = await attempt(ctx, () =>
        ctx.kept.read(ctx.user.id, `${title.id} ${scope}`, async () => ({
          figures: await count(ctx, year),
          ...(lines && { lines: await lines(ctx) }),
        })),
      );
      if (!found) cards.push({ title, figures: [], hasFailed: true });
      else if (found.figures.length + (found.lines?.length ?? 0) > 0)
        cards.push({ title, ...(leads && { leads }), ...found });
    }
    const warnings = ctx.user.role === 'Admin' ? await findWarnings(ctx) : [];
    return { warnings, year: year?.name ?? null, cards };
  };

const todoFor =
  (all: readonly TodoSource[]): Handler<typeof dashboardApi.todo> =>
  async (ctx) => {
    const found = [];
    let hasFailed = false;
    for (const { kind, title, icon, find } of all.filter((source) => mayOpen(source, ctx.user))) {
      const answer = await attempt(ctx, () => find(ctx, mostOfSource));
      if (!answer) hasFailed = true;
      else found.push({ kind, title, icon, ...answer });
    }
    const rows = found
      .flatMap(({ kind, icon, rows }) => rows.map((row) => ({ ...row, kind, icon })))
      .sort((one, other) => urgency.indexOf(one.when) - urgency.indexOf(other.when))
      .slice(0, mostRows);
    const shown = Map.groupBy(rows, ({ kind }) => kind);
    const more = found
      .map(({ kind, title, total, isMore = false, to }) => ({
        title,
        count: total - (shown.get(kind)?.length ?? 0),
        isMore,
        to,
      }))
      .filter(({ count }) => count > 0);
    return {
      hasFailed,
      total: found.reduce((sum, { total }) => sum + total, 0),
      isMore: found.some(({ isMore }) => isMore),
      rows,
      more,
    };
  };

/** What features say of a teacher's day. */
export interface DaySources {
  cells: readonly DayCell[];
  readOwnSections: readonly ReadOwnSections[];
  readComingDays: readonly ReadComingDays[];
}

const dayFor =
  ({ cells, readOwnSections, readComingDays }: DaySources): Handler<typeof dashboardApi.day> =>
  async (ctx) => {
    const { led, taught } = ctx.user.scope;
    if (led.length + taught.length === 0) return { hasFailed: false, cells: [], sections: [], coming: [] };
    let hasFailed = false;
    const readEach = async <Answer>(reads: readonly ((ctx: UserContext) => Promise<Answer[]>)[]) => {
      const all: Answer[] = [];
      for (const read of reads) {
        const answer = await attempt(ctx, () => read(ctx));
        if (answer) all.push(...answer);
        else hasFailed = true;
      }
      return all;
    };
    const byTitle = new Map<string, { title: DayCell['title']; lines: DayLine[]; act?: DayCell['act'] }>();
    for (const { title, read, act } of cells.filter((cell) => mayOpen(cell, ctx.user))) {
      const lines = await readEach([read]);
      const before = byTitle.get(title.id);
      if (lines.length > 0)
        byTitle.set(title.id, { title, act, ...before, lines: [...(before?.lines ?? []), ...lines] });
    }
    return {
      // What can be done comes first.
      cells: [...byTitle.values()]
        .sort((one, other) => Number(other.act !== undefined) - Number(one.act !== undefined))
        .map(({ act, ...cell }) => ({ ...cell, ...(act && { act }) })),
      sections: await readEach(
        readOwnSections.map(
          (read, place) => (ctx) => ctx.kept.read(ctx.user.id, `sections ${place} ${scopeOf(ctx)}`, () => read(ctx)),
        ),
      ),
      coming: await readEach(readComingDays),
      hasFailed,
    };
  };

/** What features say of today in figures, charts and changes. */
export interface LineSources {
  figures: readonly DayFigure[];
  charts: readonly DashboardChart[];
  changes: readonly DayChange[];
}

const mostFigures = 6;
const mostChanges = 6;

const yearToday = ({ db, now }: UserContext): Promise<CountedYear | undefined> =>
  db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${toLocalDate(now())}::date)`)
    .select(['id', 'name', 'starts_on', 'ends_on'])
    .executeTakeFirst();

/** What those sources say that the user may read, one after another, each kept for a minute; and those that failed. */
async function readToday<Source extends DayFigure | DashboardChart | DayChange, Answer>(
  ctx: UserContext,
  all: readonly Source[],
  read: (source: Source, year: CountedYear | undefined) => Promise<Answer | undefined>,
) {
  const year = await yearToday(ctx);
  const scope = scopeOf(ctx, year?.id);
  const found: { source: Source; answer: Answer }[] = [];
  const failed: Source[] = [];
  const open = all.filter((one) => mayOpen(one, ctx.user)).sort((one, other) => one.place - other.place);
  for (const source of open) {
    const kept = await attempt(ctx, async () => ({
      answer: await ctx.kept.read(ctx.user.id, `today ${source.title.id} ${scope}`, () => read(source, year)),
    }));
    if (!kept) failed.push(source);
    else if (kept.answer !== undefined) found.push({ source, answer: kept.answer });
  }
  return { failed, found };
}

/** What is late or failed comes before the rest; otherwise the places decide, as the sort keeps their order. */
const urgencyOf = ({ figure }: { figure: FigureToday }) =>
  figure.hasFailed || figure.isLate || figure.late !== undefined ? 0 : 1;

const lineFor =
  (all: readonly DayFigure[]): Handler<typeof dashboardApi.line> =>
  async (ctx) => {
    const { failed, found } = await readToday(ctx, all, (source, year) => source.read(ctx, year));
    // One that could not be read keeps its place, with a dash.
    const figures = [
      ...found.map(({ source: { title, place }, answer }) => ({ place, figure: { title, ...answer } })),
      ...failed.map(({ title, place }) => ({
        place,
        figure: { title, value: 0, unit: 'number' as const, hasFailed: true },
      })),
    ].sort((one, other) => one.place - other.place);
    const kept = new Set(figures.toSorted((one, other) => urgencyOf(one) - urgencyOf(other)).slice(0, mostFigures));
    const shown = (isKept: boolean) => figures.filter((one) => kept.has(one) === isKept).map(({ figure }) => figure);
    return { hasFailed: failed.length > 0, figures: shown(true), more: shown(false) };
  };

/** How far the last school day is looked for: longer than any vacation. */
const searchedDays = 120;

/** The last day before today with school for any grade; yesterday where the calendar has none. */
async function lastSchoolDay({ db, now }: UserContext): Promise<string> {
  const today = toLocalDate(now());
  const { rows } = await sql<{ day: string | null }>`
    select max(days.day)::text as day from academic_year year
    cross join lateral academic_school_days(year.id, ${addDays(today, -searchedDays)}::date, ${addDays(today, -1)}::date) as days
    where year.starts_on < ${today}::date and year.ends_on >= ${addDays(today, -searchedDays)}::date and days.work > 0`.execute(
    db,
  );
  return rows[0]?.day ?? addDays(today, -1);
}

const changesFor =
  (all: readonly DayChange[]): Handler<typeof dashboardApi.changes> =>
  async (ctx) => {
    if (!all.some((source) => mayOpen(source, ctx.user))) return { hasFailed: false, since: '', lines: [] };
    const since = await lastSchoolDay(ctx);
    const { failed, found } = await readToday(ctx, all, (source) => source.read(ctx, since));
    return {
      hasFailed: failed.length > 0,
      since,
      lines: found.slice(0, mostChanges).map(({ source: { title }, answer }) => ({ title, ...answer })),
    };
  };

const chartsFor =
  (all: readonly DashboardChart[]): Handler<typeof dashboardApi.charts> =>
  async (ctx) => {
    const { failed, found } = await readToday(ctx, all, (source, year) => source.read(ctx, year));
    return {
      hasFailed: failed.length > 0,
      charts: found.map(({ source: { title, to }, answer }) => ({ title, to, drawing: answer })),
    };
  };

const badgesFor =
  (all: readonly PageBadge[]): Handler<typeof dashboardApi.badges> =>
  async (ctx) => {
    const counts: Record<string, number> = {};
    for (const badge of all.filter((one) => mayOpen(one, ctx.user))) counts[badge.path] = await badge.count(ctx);
    return counts;
  };

/** The dashboard with the cards and the work of all features, and the numbers beside pages in the menu. */
export const dashboardRoutes = (
  cards: readonly DashboardCard[],
  todos: readonly TodoSource[],
  badges: readonly PageBadge[],
  days: DaySources,
  today: LineSources,
  findWarnings: FindWarnings,
) =>
  routes(dashboardApi, {
    read: readFor(cards, findWarnings),
    todo: todoFor(todos),
    day: dayFor(days),
    line: lineFor(today.figures),
    changes: changesFor(today.changes),
    charts: chartsFor(today.charts),
    badges: badgesFor(badges),
  });
