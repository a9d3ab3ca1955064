import { sql } from 'kysely';
import pg from 'pg';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { importAnswerOf, isWritten } from '#kit/server/import/import-rows.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { requireRowVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { lockOpenYear, readYear } from '../api.ts';
import {
  type Calendar,
  type CalendarDay,
  calendarApi,
  calendarMessages,
  keptNames,
  usualWeeklyOff,
  type WeeklyOff,
  weekdays,
} from '../contract/calendar.ts';
import { daysBetween, isWeeklyOff, type Span, spansOf } from '../contract/working-days.ts';
import { compareLines, readLines } from './calendar-import.ts';
import { askAndChange, changeDays } from './change-days.ts';

type Act = Pick<Context, 'db'>;

const findCalendar = ({ db }: Act, id: number) =>
  db
    .selectFrom('academic_calendar')
    .where('academic_year_id', '=', id)
    .select([...weekdays, 'version', 'updated_at'])
    .executeTakeFirst();

const readDays = ({ db }: Act, id: number): Promise<CalendarDay[]> =>
  db
    .selectFrom('academic_calendar_day')
    .where('academic_year_id', '=', id)
    .select(['day', 'kind', 'name', 'grade_id as gradeId'])
    .orderBy('day')
    .orderBy('grade_id')
    .execute() as Promise<CalendarDay[]>;

const weeklyOffOf = (row: WeeklyOff) => Object.fromEntries(weekdays.map((name) => [name, row[name]])) as WeeklyOff;

const read: Handler<typeof calendarApi.read> = async (ctx, { academicYearId }): Promise<Calendar> => {
  const year = await readYear(ctx, academicYearId);
  const [stored, days] = await Promise.all([findCalendar(ctx, academicYearId), readDays(ctx, academicYearId)]);
  return {
    startsOn: year.starts_on,
    endsOn: year.ends_on,
    isClosed: year.status === 'Closed',
    rowVersion: stored?.version ?? 1,
    weeklyOff: weeklyOffOf(stored ?? usualWeeklyOff),
    days,
  };
};

interface Seen {
  academicYearId: number;
  rowVersion: number;
}

/** Locks a year's calendar, so that changes run one after the other; throws if the year is closed. */
async function lockCalendar(ctx: UserContext, academicYearId: number) {
  const year = await lockOpenYear(ctx, academicYearId);
  const stored = await findCalendar(ctx, academicYearId);
  return { id: academicYearId, year, stored, weeklyOff: weeklyOffOf(stored ?? usualWeeklyOff) };
}
type LockedCalendar = Awaited<ReturnType<typeof lockCalendar>>;

/** As `lockCalendar`; throws `stale` when the given version is not the current one. */
async function lockSeenCalendar(ctx: UserContext, { academicYearId, rowVersion }: Seen): Promise<LockedCalendar> {
  const held = await lockCalendar(ctx, academicYearId);
  if (held.stored) requireRowVersion(held.stored, rowVersion);
  return held;
}

/** Raises the version and audits the change. */
async function note(
  ctx: UserContext,
  { id, year }: LockedCalendar,
  action: string,
  details: Record<string, string | number>,
) {
  const { version } = await ctx.db
    .insertInto('academic_calendar')
    .values({ academic_year_id: id, version: 2 })
    .onConflict((conflict) =>
      conflict
        .column('academic_year_id')
        .doUpdateSet({ version: sql`academic_calendar.version + 1`, updated_at: sql`school_now()` }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  const act = { action: `calendar.${action}`, entity: 'academic_calendar', entityId: id, version };
  await audit(ctx, { ...act, details: { Year: year.name, ...details } });
  return { rowVersion: version };
}

const saveWeeklyOff: Handler<typeof calendarApi.saveWeeklyOff> = async (
  ctx,
  { weeklyOff, keepsPast, warned, ...seen },
) => {
  const held = await lockSeenCalendar(ctx, seen);
  const { starts_on: from, ends_on: to } = held.year;
  return askAndChange(ctx, { yearId: held.id, from, to, warned }, async () => {
    if (keepsPast) await keepPastDays(ctx, held, weeklyOffOf(weeklyOff));
    return changeWeeklyOff(ctx, held, weeklyOff);
  });
};

/** Keeps past days as they were: those that new weekly offs would change get an entry of their own. */
async function keepPastDays(ctx: UserContext, held: LockedCalendar, wanted: WeeklyOff) {
  const today = toLocalDate(ctx.now());
  const { starts_on: first, ends_on: last } = held.year;
  const set = new Set((await readDays(ctx, held.id)).flatMap(({ day, gradeId }) => (gradeId === null ? [day] : [])));
  const kept = daysBetween(first, last).flatMap((day) => {
    const wasOff = isWeeklyOff(day, held.weeklyOff);
    if (day >= today || set.has(day) || wasOff === isWeeklyOff(day, wanted)) return [];
    const [kind, name] = wasOff ? ['Holiday', english(keptNames.off)] : ['Working day', english(keptNames.work)];
    return [{ academic_year_id: held.id, day, kind, name }];
  });
  await insertRows(ctx.db, 'academic_calendar_day', kept);
}

async function changeWeeklyOff(ctx: UserContext, held: LockedCalendar, weeklyOff: WeeklyOff) {
  const wanted = weeklyOffOf(weeklyOff);
  for (const name of weekdays) wanted[name] = [...new Set(wanted[name])].sort();
  await ctx.db
    .insertInto('academic_calendar')
    .values({ academic_year_id: held.id, ...wanted })
    .onConflict((conflict) => conflict.column('academic_year_id').doUpdateSet(wanted))
    .execute();
  const changed = weekdays.filter((name) => String(held.weeklyOff[name]) !== String(wanted[name]));
  const words = (weeks: readonly number[]) => weeks.join(', ') || '–';
  const details = changed.map((name) => [
    `${name[0]?.toUpperCase()}${name.slice(1)}`,
    `${words(held.weeklyOff[name])} → ${words(wanted[name])}`,
  ]);
  return note(ctx, held, 'weekly-off-changed', Object.fromEntries(details));
}

type DaysOfGrade = Pick<Span, 'from' | 'to' | 'gradeId'>;

const ofPlace = (ctx: UserContext, { id }: LockedCalendar, { from, to, gradeId }: DaysOfGrade) =>
  ctx.db
    .deleteFrom('academic_calendar_day')
    .where('academic_year_id', '=', id)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('grade_id', 'is not distinct from', gradeId);

/** Removes days; returns their description for the audit log. */
async function remove(ctx: UserContext, held: LockedCalendar, place: DaysOfGrade) {
  const rows = await ofPlace(ctx, held, place).returning(['day', 'kind', 'name', 'grade_id as gradeId']).execute();
  const spans = spansOf(rows as CalendarDay[], held.weeklyOff);
  return spans.map(({ from, to, kind, name }) => `${kind} ${name} ${daysWords(from, to)}`).join('; ');
}

const daysWords = (from: string, to: string) => (from === to ? showDate(from) : `${showDate(from)} – ${showDate(to)}`);

const kindsOfWork = ['Half day', 'Exam day'];

const setDays: Handler<typeof calendarApi.setDays> = async (
  ctx,
  { from, to, kind, name, gradeId, instead, warned, ...seen },
) => {
  const held = await lockSeenCalendar(ctx, seen);
  const { starts_on: first, ends_on: last } = held.year;
  if (from < first || from > last) throw fieldRefusal('from', calendarMessages.outsideYear);
  if (to > last) throw fieldRefusal('to', calendarMessages.outsideYear);
  // Exams over two weeks skip the Sunday between them; a single day is taken as chosen.
  const isMeant = (day: string) => from === to || !kindsOfWork.includes(kind) || !isWeeklyOff(day, held.weeklyOff);
  const days = daysBetween(from, to).filter(isMeant);
  if (days.length === 0) throw fieldRefusal('to', calendarMessages.nothingButOff);

  const set = { from, to, kind, name, gradeId };
  const change = {
    yearId: held.id,
    from: instead && instead.from < from ? instead.from : from,
    to: instead && instead.to > to ? instead.to : to,
    warned,
  };
  return askAndChange(ctx, change, () => writeDays(ctx, held, set, days, instead));
};

async function writeDays(
  ctx: UserContext,
  held: LockedCalendar,
  { from, to, kind, name, gradeId }: DaysOfGrade & { kind: string; name: string },
  days: readonly string[],
  instead: DaysOfGrade | undefined,
) {
  const before = [instead && (await remove(ctx, held, instead)), await remove(ctx, held, { from, to, gradeId })];
  const rows = days.map((day) => ({ academic_year_id: held.id, day, kind, name, grade_id: gradeId }));
  try {
    await ctx.db.insertInto('academic_calendar_day').values(rows).execute();
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '23503')
      throw fieldRefusal('gradeId', calendarMessages.gradeIsGone);
    throw error;
  }
  const was = before.filter(Boolean).join('; ');
  return note(ctx, held, 'days-set', {
    Days: daysWords(from, to),
    Kind: kind,
    Name: name,
    ...(gradeId && { Grade: await gradeCalled(ctx, gradeId) }),
    ...(was && { Before: was }),
  });
}

const removeDays: Handler<typeof calendarApi.removeDays> = async (ctx, { from, to, gradeId, warned, ...seen }) => {
  const held = await lockSeenCalendar(ctx, seen);
  return askAndChange(ctx, { yearId: held.id, from, to, warned }, () => takeDays(ctx, held, { from, to, gradeId }));
};

async function takeDays(ctx: UserContext, held: LockedCalendar, { from, to, gradeId }: DaysOfGrade) {
  const before = await remove(ctx, held, { from, to, gradeId });
  if (!before) throw new AppError('not_found', calendarMessages.nothingThere);
  const details = {
    Days: daysWords(from, to),
    ...(gradeId && { Grade: await gradeCalled(ctx, gradeId) }),
    Before: before,
  };
  return note(ctx, held, 'days-removed', details);
}

async function gradeCalled({ db }: Act, id: number) {
  const grade = await db.selectFrom('academic_grade').where('id', '=', id).select('name').executeTakeFirst();
  return grade?.name ?? '';
}

const importDays: Handler<typeof calendarApi.importDays> = (ctx, { confirmToken, weeklyOff, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const held = await lockCalendar(ctx, input.academicYearId);
    const { starts_on: first, ends_on: last } = held.year;
    const there = (await readDays(ctx, held.id)).filter(({ gradeId }) => gradeId === null);
    const lines = compareLines(readLines(input.text), { first, last }, there);
    const answer = importAnswerOf(lines);
    const isRefused = answer.counts.wrong > 0;
    const written = isRefused ? [] : lines.filter(isWritten);
    const days = written.map(({ day }) => day).sort();
    const [from, to] = weeklyOff ? [first, last] : [days[0] ?? last, days.at(-1) ?? last];
    const { texts: warnings, basis } = await changeDays(ctx, { yearId: held.id, from, to }, async () => {
      if (weeklyOff && !isRefused) await changeWeeklyOff(ctx, held, weeklyOff);
      await writeHolidays(ctx, held, written);
    });
    const seen = [input, weeklyOff, held.stored?.version, answer, basis];
    return { answer: { ...answer, warnings }, basis: seen, isRefused };
  });

async function writeHolidays(ctx: UserContext, held: LockedCalendar, lines: ReturnType<typeof compareLines>) {
  if (lines.length === 0) return;
  await ctx.db
    .insertInto('academic_calendar_day')
    .values(lines.map(({ day, name }) => ({ academic_year_id: held.id, day, kind: 'Holiday', name })))
    .onConflict((conflict) =>
      conflict
        .constraint('academic_calendar_day_unique')
        .doUpdateSet((row) => ({ kind: row.ref('excluded.kind'), name: row.ref('excluded.name') })),
    )
    .execute();
  const count = (status: string) => lines.filter((line) => line.status === status).length;
  const days = lines.map(({ day, name }) => `${showDate(day)} ${name}`).join('; ');
  await note(ctx, held, 'imported', { Added: count('added'), Changed: count('changed'), Days: days });
}

const history: Handler<typeof calendarApi.history> = async (ctx, asked) => {
  await readYear(ctx, asked.id);
  return readHistory(ctx, 'academic_calendar', asked);
};

export default routes(calendarApi, { history, read, saveWeeklyOff, setDays, removeDays, importDays });
