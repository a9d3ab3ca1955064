import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { takenMessage } from '#kit/contract/field.ts';
import type { UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { configMessages, type Targets, targetFields, ticketConfigApi } from '../contract/config.ts';
import type { Priority } from '../contract/masters.ts';
import { applyHandlers } from './apply.ts';
import { clockWords } from './row.ts';
import { retimeAll } from './times.ts';
import { writeHours, writeUsual } from './usual.ts';

const policies: Handler<typeof ticketConfigApi.policies> = async ({ db }) => {
  const { rows } = await sql<{
    id: number;
    version: number;
    name: string;
    isDefault: boolean;
    pausesOnHold: boolean;
    older: number;
    targets: { priority: Priority; response: number; resolution: number }[];
  }>`
    select policy.id, policy.version, policy.name, policy.is_default as "isDefault", made.pauses_on_hold as "pausesOnHold",
      (select count(*)::integer from ticket join ticket_policy_version own on own.id = ticket.policy_version_id
        where own.policy_id = policy.id and own.id <> made.id and ticket.status in ('Open', 'In progress', 'On hold')) as older,
      (select json_agg(json_build_object('priority', priority, 'response', response_minutes, 'resolution', resolution_minutes)
        order by resolution_minutes desc) from ticket_policy_target where version_id = made.id) as targets
    from ticket_policy policy
    join lateral (select * from ticket_policy_version where policy_id = policy.id order by number desc limit 1) as made on true
    order by policy.is_default desc, lower(policy.name)`.execute(db);
  const category = await db.selectFrom('ticket_category').select('id').limit(1).executeTakeFirst();
  return { isEmpty: category === undefined && rows.length === 0, policies: rows };
};

const savePolicy: Handler<typeof ticketConfigApi.savePolicy> = async (ctx, input) => {
  const { policyId, name, isDefault, pausesOnHold } = input;
  await sql`select pg_advisory_xact_lock(hashtext('ticket_policy'))`.execute(ctx.db);
  if (isDefault)
    await sql`update ticket_policy set is_default = false, version = version + 1
      where is_default and id is distinct from ${policyId}`.execute(ctx.db);
  const { id, version } = await writePolicy(ctx, policyId, name, isDefault);
  const made = await ctx.db
    .insertInto('ticket_policy_version')
    .values({
      policy_id: id,
      number: sql<number>`coalesce((select max(number) from ticket_policy_version where policy_id = ${id}), 0) + 1`,
      pauses_on_hold: pausesOnHold,
      made_at: ctx.now(),
      made_by: ctx.user.staffId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const typed = input as unknown as Targets;
  const minutesOf = (priority: Priority, kind: 'response' | 'resolution') =>
    typed[targetFields.find((one) => one.priority === priority && one.kind === kind)?.name as keyof Targets];
  const written = [...new Set(targetFields.map(({ priority }) => priority))].map((priority) => ({
    version_id: made.id,
    priority,
    response_minutes: minutesOf(priority, 'response'),
    resolution_minutes: minutesOf(priority, 'resolution'),
  }));
  await ctx.db.insertInto('ticket_policy_target').values(written).execute();
  await audit(ctx, {
    action: 'ticket-policy.saved',
    entity: 'ticket_policy',
    entityId: id,
    version,
    details: Object.fromEntries(
      written.map(({ priority, response_minutes, resolution_minutes }) => [
        priority,
        `${response_minutes} / ${resolution_minutes}`,
      ]),
    ),
  });
  return { id };
};

async function writePolicy({ db }: UserContext, policyId: number | null, name: string, is_default: boolean) {
  const query =
    policyId === null
      ? db.insertInto('ticket_policy').values({ name, is_default }).returning(['id', 'version'])
      : db
          .updateTable('ticket_policy')
          .set({ name, is_default, version: sql`version + 1` })
          .where('id', '=', policyId)
          .returning(['id', 'version']);
  const written = await query.executeTakeFirst().catch((error: unknown) => {
    if (isDuplicate(error, 'ticket_policy_name_unique')) throw fieldRefusal('name', takenMessage);
    throw error;
  });
  if (!written) throw new AppError('not_found', notFoundMessage);
  return written;
}

const time = (minutes: number | null) => (minutes === null ? '' : clockWords(minutes));
const minutesOf = (words: string) => {
  const [hours = 0, minutes = 0] = words.split(':').map(Number);
  return hours * 60 + minutes;
};

const hours: Handler<typeof ticketConfigApi.hours> = async ({ db }) => {
  const { rows } = await sql<{
    id: number;
    fromDay: string;
    days: { weekday: number; opens: number; closes: number; half: number; from: number | null; to: number | null }[];
  }>`
    select own.id, own.from_day::text as "fromDay", (select json_agg(json_build_object('weekday', day.weekday,
        'opens', day.opens, 'closes', day.closes, 'half', day.half_day_closes,
        'from', pause.from_minute, 'to', pause.to_minute) order by day.weekday)
      from ticket_hours_day day left join lateral (select * from ticket_hours_break one where one.hours_id = day.hours_id
        and one.weekday = day.weekday order by one.from_minute limit 1) as pause on true
      where day.hours_id = own.id) as days
    from ticket_hours own order by own.from_day desc limit 20`.execute(db);
  return rows.map(({ days, ...set }) => ({
    ...set,
    days: (days ?? []).map((day) => ({
      weekday: day.weekday,
      opens: time(day.opens),
      closes: time(day.closes),
      halfDayCloses: time(day.half),
      breakFrom: time(day.from),
      breakTo: time(day.to),
    })),
  }));
};

/** Hours from today on or later: minutes that have passed stay as they were counted. */
const saveHours: Handler<typeof ticketConfigApi.saveHours> = async (ctx, { fromDay, days }) => {
  if (fromDay < toLocalDate(ctx.now())) throw fieldRefusal('fromDay', configMessages.past);
  const worked = days.flatMap((day, place) => {
    if (day.opens === '' && day.closes === '') return [];
    const [opens, closes] = [minutesOf(day.opens), minutesOf(day.closes)];
    const half = day.halfDayCloses === '' ? closes : minutesOf(day.halfDayCloses);
    if (day.opens === '' || opens >= closes) throw fieldRefusal(`days.${place}.closes`, configMessages.closes);
    if (half <= opens || half > closes) throw fieldRefusal(`days.${place}.halfDayCloses`, configMessages.closes);
    const hasBreak = day.breakFrom !== '' || day.breakTo !== '';
    const [from, to] = [minutesOf(day.breakFrom), minutesOf(day.breakTo)];
    if (hasBreak && !(opens < from && from < to && to < closes))
      throw fieldRefusal(`days.${place}.breakFrom`, configMessages.breaks);
    return [{ weekday: day.weekday, opens, closes, halfDayCloses: half, breaks: hasBreak ? [{ from, to }] : [] }];
  });
  if (worked.length === 0) throw fieldRefusal('fromDay', configMessages.noDay);
  const id = await writeHours(ctx, fromDay, worked);
  await audit(ctx, { action: 'ticket-hours.saved', entity: 'ticket_hours', entityId: id, details: { From: fromDay } });
  await retimeAll(ctx);
  return { id };
};

const rules: Handler<typeof ticketConfigApi.rules> = async ({ db }) => {
  const rows = await db.selectFrom('ticket_escalation_rule').selectAll().orderBy('level').execute();
  const of = (level: number) => rows.find((row) => row.level === level);
  return {
    percent: of(1)?.percent ?? 80,
    workingDays: of(3)?.working_days ?? 1,
    warns: of(1)?.is_active ?? false,
    tellsHead: of(2)?.is_active ?? false,
    tellsPrincipal: of(3)?.is_active ?? false,
  };
};

const saveRules: Handler<typeof ticketConfigApi.saveRules> = async (ctx, input) => {
  const levels = [
    { level: 1, percent: input.percent, days: 0, on: input.warns },
    { level: 2, percent: 100, days: 0, on: input.tellsHead },
    { level: 3, percent: 100, days: input.workingDays, on: input.tellsPrincipal },
  ];
  await sql`update ticket_escalation_rule set percent = own.percent, working_days = own.days, is_active = own.on,
      version = version + 1
    from jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) as own (level smallint, percent smallint, days smallint, "on" boolean)
    where ticket_escalation_rule.level = own.level`.execute(ctx.db);
  await audit(ctx, {
    action: 'ticket-escalation.saved',
    entity: 'ticket_escalation_rule',
    entityId: 1,
    details: { Percent: input.percent ?? 0, 'Working days': input.workingDays ?? 0 },
  });
  await retimeAll(ctx);
  return {};
};

const addUsual: Handler<typeof ticketConfigApi.addUsual> = async (ctx) => {
  await sql`select pg_advisory_xact_lock(hashtext('ticket_policy'))`.execute(ctx.db);
  const { isEmpty } = await policies(ctx, {});
  if (!isEmpty) throw new AppError('conflict', configMessages.hasCategories);
  await writeUsual(ctx, toLocalDate(ctx.now()), ctx.user.staffId);
  await audit(ctx, { action: 'ticket-policy.usual-added', entity: 'ticket_policy', entityId: 0 });
  return {};
};

export const configRoutes = routes(ticketConfigApi, {
  policies,
  savePolicy,
  hours,
  saveHours,
  rules,
  saveRules,
  addUsual,
  ...applyHandlers,
});
