import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { readSetting } from '#kit/server/settings.ts';
import {
  dueAt,
  type Hours,
  minuteOf,
  momentOf,
  type OpenOn,
  openHours,
  type Span,
  sameTimeOn,
  shareOf,
} from '../contract/clock.ts';
import { worksInVacation } from './settings.ts';

type Reading = Pick<Context, 'db'>;

/** As far as the clock looks. */
const daysAhead = 400;

/** The business hours of the school from a day on, and long enough after `until`. */
export async function readOpenHours({ db }: Reading, from: Date, until: Date = from): Promise<OpenOn> {
  const first = toLocalDate(from);
  const last = addDays(toLocalDate(until), daysAhead);
  const { rows: hours } = await sql<Hours>`
    select own.from_day::text as "fromDay", (select json_agg((
        select json_build_object('opens', day.opens, 'closes', day.closes, 'halfDayCloses', day.half_day_closes,
          'breaks', coalesce((select json_agg(json_build_object('from', pause.from_minute, 'to', pause.to_minute)
            order by pause.from_minute) from ticket_hours_break pause
            where pause.hours_id = own.id and pause.weekday = day.weekday), '[]'::json))
        from ticket_hours_day day where day.hours_id = own.id and day.weekday = week.number) order by week.number)
      from generate_series(1, 7) as week(number)) as days
    from ticket_hours own order by own.from_day`.execute(db);
  const { rows: kinds } = await sql<{ day: string; kind: string }>`
    select days.day::text, days.kind from academic_year year
    cross join lateral academic_school_days(year.id, ${first}::date, ${last}::date) as days
    where days.grade_id is null and year.ends_on >= ${first}::date and year.starts_on <= ${last}::date`.execute(db);
  return openHours({
    hours,
    kinds: new Map(kinds.map(({ day, kind }) => [day, kind])),
    worksInVacation: await readSetting({ db }, worksInVacation),
  });
}

interface Pause {
  from: string;
  to: string | null;
}

/** What the due times of a ticket follow from. */
interface Timed {
  id: number;
  raisedAt: Date;
  clockFrom: Date;
  respondedAt: Date | null;
  status: string;
  /** The person who raised the ticket has it too, so nobody is to answer. */
  isOwn: boolean;
  responseMinutes: number | null;
  resolutionMinutes: number | null;
  pausesOnHold: boolean | null;
  pauses: Pause[];
  /** The levels that were told in this round. */
  levels: number[];
}

export interface Rules {
  /** Null while the level is off. */
  percent: number | null;
  isDueActive: boolean;
  workingDays: number | null;
}

export async function readRules({ db }: Reading): Promise<Rules> {
  const rows = await db.selectFrom('ticket_escalation_rule').selectAll().where('is_active', '=', true).execute();
  const of = (level: number) => rows.find((rule) => rule.level === level);
  return {
    percent: of(1)?.percent ?? null,
    isDueActive: of(2) !== undefined,
    workingDays: of(3)?.working_days ?? null,
  };
}

/** The pauses that count since the clock began; an open one has no end. */
export const spansOf = ({ pauses, pausesOnHold }: Pick<Timed, 'pauses' | 'pausesOnHold'>): Span[] =>
  pausesOnHold
    ? pauses.map(({ from, to }) => ({
        from: minuteOf(from),
        to: to === null ? Number.POSITIVE_INFINITY : minuteOf(to),
      }))
    : [];

/** The due times of a ticket; the only place that computes them. */
export function timesOf(open: OpenOn, ticket: Timed, rules: Rules) {
  const { resolutionMinutes, responseMinutes, isOwn, levels } = ticket;
  const start = minuteOf(ticket.clockFrom);
  const pauses = spansOf(ticket);
  const responseDue =
    responseMinutes === null || isOwn ? null : dueAt(open, minuteOf(ticket.raisedAt), responseMinutes);
  const due = resolutionMinutes === null ? null : dueAt(open, start, resolutionMinutes, pauses);
  const warn =
    due === null || resolutionMinutes === null || rules.percent === null
      ? null
      : dueAt(open, start, shareOf(resolutionMinutes, rules.percent), pauses);
  const overdue = due === null || rules.workingDays === null ? null : sameTimeOn(open, due, rules.workingDays);
  const isRunning = ticket.status === 'Open' || ticket.status === 'In progress';
  const waiting = [
    ticket.respondedAt === null && !levels.includes(0) ? responseDue : null,
    levels.includes(1) ? null : warn,
    levels.includes(2) || !rules.isDueActive ? null : due,
    levels.includes(3) ? null : overdue,
  ].filter((minute) => minute !== null);
  const at = (minute: number | null) => (minute === null ? null : momentOf(minute));
  return {
    responseDueAt: at(responseDue),
    resolutionDueAt: at(due),
    warnAt: at(warn),
    overdueAt: at(overdue),
    nextCheckAt: isRunning && waiting.length > 0 ? at(Math.min(...waiting)) : null,
  };
}

/** What the due times of these tickets follow from, with a priority that they do not have yet where one is given. */
export async function readTimed({ db }: Reading, which: RawBuilder<boolean>, priority?: string): Promise<Timed[]> {
  const { rows } = await sql<Timed>`
    select ticket.id, raised_at as "raisedAt", clock_from as "clockFrom", responded_at as "respondedAt", status,
      coalesce(assignee_id = raised_by, false) as "isOwn", target.response_minutes as "responseMinutes",
      target.resolution_minutes as "resolutionMinutes", made.pauses_on_hold as "pausesOnHold",
      coalesce((select json_agg(json_build_object('from', from_at, 'to', to_at) order by from_at) from ticket_pause
        where ticket_id = ticket.id and coalesce(to_at, 'infinity') > ticket.clock_from), '[]'::json) as pauses,
      array(select level::integer from ticket_escalation where ticket_id = ticket.id and round = ticket.reopen_count)
        as levels
    from ticket
    left join ticket_policy_version made on made.id = ticket.policy_version_id
    left join ticket_policy_target target on target.version_id = made.id
      and target.priority = coalesce(${priority ?? null}::text, ticket.priority)
    where ${which} order by ticket.id`.execute(db);
  return rows;
}

/** Computes the due times of tickets that the transaction has locked, and stores those that differ; returns how many do. */
export async function retime(ctx: Reading, which: RawBuilder<boolean>): Promise<number> {
  const tickets = await readTimed(ctx, which);
  const [first] = tickets.map(({ raisedAt }) => raisedAt).toSorted((one, other) => one.getTime() - other.getTime());
  if (!first) return 0;
  const latest = new Date(Math.max(...tickets.map(({ clockFrom }) => clockFrom.getTime())));
  const [open, rules] = [await readOpenHours(ctx, first, latest), await readRules(ctx)];
  const times = tickets.map((ticket) => ({ id: ticket.id, ...timesOf(open, ticket, rules) }));
  const { numAffectedRows } = await sql`
    update ticket set response_due_at = own."responseDueAt", resolution_due_at = own."resolutionDueAt",
      warn_at = own."warnAt", overdue_at = own."overdueAt", next_check_at = own."nextCheckAt"
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as own (id integer, "responseDueAt" timestamptz,
      "resolutionDueAt" timestamptz, "warnAt" timestamptz, "overdueAt" timestamptz, "nextCheckAt" timestamptz)
    where ticket.id = own.id and (response_due_at, resolution_due_at, warn_at, overdue_at, next_check_at)
      is distinct from (own."responseDueAt", own."resolutionDueAt", own."warnAt", own."overdueAt", own."nextCheckAt")`.execute(
    ctx.db,
  );
  return Number(numAffectedRows ?? 0);
}

/** As `retime`, for every ticket that is not solved yet: after a change of calendar, hours, rules or setting. */
export async function retimeAll(ctx: Reading): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from ticket
    where status in ('Open', 'In progress', 'On hold') order by id for update`.execute(ctx.db);
  return rows.length === 0 ? 0 : retime(ctx, sql<boolean>`ticket.id = any(${rows.map(({ id }) => id)}::integer[])`);
}
