import { sql } from 'kysely';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { lockImport } from '#kit/server/import/import-journal.ts';
import { type ImportLine, importRows } from '#kit/server/import/import-rows.ts';
import { type ImportTarget, readNamesOf } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { readCell } from '#kit/server/master/cells.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { atWorkHook } from '../contract/hooks.ts';
import { monthMessages } from '../contract/month.ts';
import { punchFile, punchImportApi, punchMessages } from '../contract/punch.ts';
import { readMoment, readPunchDay, readTimes } from '../contract/read-punch.ts';
import { closedMonthOf } from './closed-month.ts';
import { derive } from './derive.ts';
import { readPeople } from './people-names.ts';

interface Line extends ImportLine {
  staffId: number;
  /** Local moments, as 2026-12-02T09:05. */
  moments: string[];
  device: string;
}

/** Its rows have no ids: punches name their import, and undoing one is an act of its own. */
const target: ImportTarget = {
  kind: punchImportApi.import.path,
  name: 'punches',
  fields: punchFile,
  readNames: readPeople,
  undo: { table: 'workday_punch' },
};

const lockPunches = ({ db }: UserContext) => sql`select pg_advisory_xact_lock(hashtext('workday_punch'))`.execute(db);

const importAll = async (ctx: UserContext, input: Omit<ParsedOf<typeof punchImportApi.import>, 'shown'>) => {
  const table = namedRows(ctx.table());
  const outcome = await importRows(ctx, {
    input,
    target,
    rules: { table: 'workday_punch', fields: {} },
    lockTable: () => lockPunches(ctx),
    compare: () => compareRows(ctx, table),
    write: (lines) => write(ctx, lines),
    audit: async (_, { added, same }) => {
      const details = { added, same };
      await audit(ctx, { action: 'workday.punches', entity: 'workday', entityId: 0, details });
    },
  });
  if (outcome.importId)
    await ctx.db.updateTable('workday_punch').set({ import_id: outcome.importId }).where('import_id', '=', 0).execute();
  return outcome;
};

interface Moments {
  moments: string[];
  /** Times of a day that do not follow each other: those of a night, or in any order. */
  day?: string;
  refusal?: [string, Text];
}

/** The time that devices write where there was no punch. */
const noPunch = '00:00';

/** The moments of a row; times of one day are in the order of the file. */
function readMoments(cells: Record<string, string>): Moments {
  const refuse = (field: string, message: Text) => ({ moments: [], refusal: [field, message] as [string, Text] });
  const single = (cells.moment ?? '').trim();
  if (single) {
    const moment = readMoment(single);
    return moment ? { moments: [`${moment.day}T${moment.time}`] } : refuse('moment', punchMessages.moment);
  }
  const day = readPunchDay(cells.day ?? '');
  if (!day) return refuse('day', punchMessages.day);
  const times = readTimes(cells.times ?? '');
  if (!times) return refuse('times', punchMessages.times);
  const out = readTimes(cells.out ?? '');
  if (!out) return refuse('out', punchMessages.times);
  const all = [...times, ...out].filter((time) => time !== noPunch);
  if (all.length === 0) return refuse('times', punchMessages.none);
  const isMixed = all.some((time, index) => index > 0 && time < (all[index - 1] ?? ''));
  return { moments: all.map((time) => `${day}T${time}`), ...(isMixed && { day }) };
}

/** Moments of a day: in a night a time that is earlier than the one before it is of the next day; else they are sorted. */
function inOrder(moments: readonly string[], isNight: boolean): string[] {
  if (!isNight) return moments.toSorted();
  let later = 0;
  return moments.map((moment, index) => {
    if (index > 0 && moment < (moments[index - 1] ?? '')) later += 1;
    return `${addDays(moment.slice(0, 10), later)}${moment.slice(10)}`;
  });
}

interface Shift {
  starts: string;
  ends: string;
}

/** The shifts of people on some days, by person and day. */
async function readShifts({ db }: UserContext, of: readonly { staffId: number; day: string }[]) {
  const days = of.map(({ day }) => day).toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return new Map<string, Shift>();
  const people = [...new Set(of.map(({ staffId }) => staffId))];
  const { rows } = await sql<Shift & { key: string }>`select staff_id || ' ' || day as key, starts, ends
    from workday_on(${people}::integer[], ${first}::date, ${last}::date)`.execute(db);
  return new Map(rows.map(({ key, ...shift }) => [key, shift]));
}

/** The hour at which a day with this shift begins, as `workday_derive` has it. */
function dayBegins({ starts }: Shift): string {
  const hour = Number(starts.slice(0, 2)) - 4;
  return starts === '' || hour < 0 ? noPunch : `${String(hour).padStart(2, '0')}${starts.slice(2)}`;
}

async function compareRows(ctx: UserContext, table: TableRow[]): Promise<Line[]> {
  const names = await readNamesOf(ctx, target);
  const typed = await mapRows(table, ({ line, cells }) => {
    const person = readCell({ fields: punchFile }, 'staffId', cells.staffId ?? '', names);
    return { line, cells, person, staffId: Number(person.value) || 0, ...readMoments(cells) };
  });
  const shifts = await readShifts(
    ctx,
    typed.flatMap(({ staffId, day }) => (day ? [{ staffId, day }] : [])),
  );
  const read = await mapRows(typed, ({ day, moments, ...row }) => {
    const shift = day ? shifts.get(`${row.staffId} ${day}`) : undefined;
    return { ...row, moments: day ? inOrder(moments, shift !== undefined && shift.ends < shift.starts) : moments };
  });
  const { stored, employed, closed } = await readStored(ctx, read);
  const now = `${toLocalDate(ctx.now())}T${localTime(ctx.now())}`;
  return mapRows(read, ({ line, cells, person, staffId, moments, refusal }): Line => {
    const messages: FieldErrors = {};
    if (person.problem || staffId === 0) messages.staffId = person.problem ?? punchMessages.person;
    const field = (cells.moment ?? '').trim() ? 'moment' : 'day';
    if (refusal) messages[refusal[0]] = refusal[1];
    else if (moments.some((moment) => moment > now)) messages[field] = punchMessages.later;
    else if (staffId > 0 && moments.some((moment) => !employed(staffId, moment)))
      messages[field] = punchMessages.notEmployed;
    const shut = moments.map((moment) => closed.get(moment.slice(0, 7))).find((message) => message);
    if (shut) messages[field] ??= shut;
    const added = moments.filter((moment) => !stored.has(`${staffId} ${moment}`));
    for (const moment of added) stored.add(`${staffId} ${moment}`);
    const isWrong = Object.keys(messages).length > 0;
    return {
      line,
      displayName: `${cells.staffId ?? ''} ${moments[0]?.replace('T', ' ') ?? ''}`.slice(0, 120),
      staffId,
      moments: added,
      device: (cells.device ?? '').slice(0, 60),
      before: undefined,
      status: isWrong ? 'wrong' : added.length > 0 ? 'added' : 'same',
      messages,
    };
  });
}

const localTime = (moment: Date) => new Date(moment.getTime() + 5.5 * 3_600_000).toISOString().slice(11, 16);

/** The punches that are there, who is employed when, and the closed months among the moments of a file. */
async function readStored(ctx: UserContext, read: readonly { staffId: number; moments: string[] }[]) {
  const people = [...new Set(read.map(({ staffId }) => staffId))];
  const moments = read.flatMap((row) => row.moments).toSorted();
  const [from = '2000-01-01T00:00', to = from] = [moments[0], moments.at(-1)];
  const { rows: punches } = await sql<{ key: string }>`
    select staff_id || ' ' || to_char(at at time zone 'Asia/Kolkata', 'YYYY-MM-DD"T"HH24:MI') as key from workday_punch
    where staff_id = any(${people}::integer[]) and at between ${`${from}:00+05:30`}::timestamptz and ${`${to}:00+05:30`}::timestamptz`.execute(
    ctx.db,
  );
  const { rows: spells } = await sql<{ staffId: number; joinedOn: string; lastDay: string | null }>`
    select staff_id as "staffId", joined_on::text as "joinedOn", last_day::text as "lastDay" from staff_employment
    where staff_id = any(${people}::integer[])`.execute(ctx.db);
  const byPerson = Map.groupBy(spells, ({ staffId }) => staffId);
  const isEmployed = (staffId: number, day: string) =>
    (byPerson.get(staffId) ?? []).some(({ joinedOn, lastDay }) => joinedOn <= day && (lastDay ?? day) >= day);
  // The last night of an employment ends on the day after it.
  const nights = await readShifts(
    ctx,
    read.flatMap(({ staffId, moments: own }) =>
      own
        .map((moment) => moment.slice(0, 10))
        .filter((day) => !isEmployed(staffId, day) && isEmployed(staffId, addDays(day, -1)))
        .map((day) => ({ staffId, day: addDays(day, -1) })),
    ),
  );
  const first = await closedMonthOf(ctx, from.slice(0, 10), to.slice(0, 10));
  const closed = new Map<string, Text>();
  if (first) {
    const months = await ctx.db
      .selectFrom('workday_month')
      .where('reopened_at', 'is', null)
      .where('month', '<=', to.slice(0, 10))
      .select('month')
      .execute();
    for (const { month } of months) {
      const words = monthMessages.closed(month);
      closed.set(month.slice(0, 7), words);
    }
  }
  return {
    stored: new Set(punches.map(({ key }) => key)),
    employed: (staffId: number, moment: string) => {
      const day = moment.slice(0, 10);
      const night = nights.get(`${staffId} ${addDays(day, -1)}`);
      return isEmployed(staffId, day) || (night !== undefined && moment.slice(11) < dayBegins(night));
    },
    closed,
  };
}

async function write(ctx: UserContext, lines: readonly Line[]) {
  const rows = lines.flatMap(({ staffId, moments, device }) =>
    moments.map((moment) => ({ staff: staffId, at: `${moment}:00+05:30`, device })),
  );
  await sql`insert into workday_punch (staff_id, at, device)
    select staff, at, device from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input (staff integer, at timestamptz, device text)
    on conflict do nothing`.execute(ctx.db);
  await deriveAround(
    ctx,
    lines.flatMap(({ staffId, moments }) => moments.map((moment) => ({ staffId, moment }))),
  );
}

/** Marks the days again to which punches belong: before its day begins, one is of the night before. */
async function deriveAround(ctx: UserContext, punches: readonly { staffId: number; moment: string }[]) {
  const dated = punches.map(({ staffId, moment }) => ({ staffId, day: moment.slice(0, 10), time: moment.slice(11) }));
  const shifts = await readShifts(
    ctx,
    dated.flatMap(({ staffId, day }) => [
      { staffId, day: addDays(day, -1) },
      { staffId, day },
    ]),
  );
  const days = dated
    .map(({ staffId, day, time }) => {
      const before = addDays(day, -1);
      const shift = shifts.get(`${staffId} ${day}`) ?? shifts.get(`${staffId} ${before}`);
      return shift && time < dayBegins(shift) ? before : day;
    })
    .toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return;
  const people = dated.map(({ staffId }) => staffId);
  await derive(ctx, people, first, last);
  await ask(ctx, atWorkHook, { staffIds: [...new Set(people)].sort((one, other) => one - other) });
}

/** Removes the punches of an import and marks their days again. */
const undo = (ctx: UserContext, { importId, confirmToken }: { importId: number; confirmToken?: string | undefined }) =>
  previewOrApply(ctx, confirmToken, async () => {
    await lockImport(ctx, target.kind, importId);
    await lockPunches(ctx);
    const { rows } = await sql<{ staffId: number; moment: string }>`
      delete from workday_punch where import_id = ${importId}
      returning staff_id as "staffId", to_char(at at time zone 'Asia/Kolkata', 'YYYY-MM-DD"T"HH24:MI') as moment`.execute(
      ctx.db,
    );
    // A mark of a closed month that would change refuses it.
    await deriveAround(ctx, rows);
    await ctx.db.updateTable('file_import').set({ undone_at: ctx.now() }).where('id', '=', importId).execute();
    const details = { Records: target.name, Added: rows.length };
    await audit(ctx, { action: 'import.undone', entity: 'file_import', entityId: importId, details });
    return { answer: { added: rows.length, changed: 0, kept: [] }, basis: [importId, rows.length] };
  });

export const punchRoutes = routes(punchImportApi, { ...importHandlers(target, importAll), importUndo: undo });
