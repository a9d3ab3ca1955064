import { sql } from 'kysely';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import { AppError, type FieldErrors } from '#kit/contract/errors.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { type ImportLine, importRows, twiceMessage } from '#kit/server/import/import-rows.ts';
import { type ImportTarget, readNamesOf } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { type Names, readCell } from '#kit/server/master/cells.ts';
import { audit } from '#kit/server/security/audit.ts';
import { openingFile, openingImportApi, openingMessages } from '../contract/carry.ts';
import { showDays } from './cost.ts';
import { readPeople } from './people-names.ts';

interface Line extends ImportLine {
  staffId: number;
  typeId: number;
  halves: number;
}

/** The leave types by name and by code. */
async function readTypes({ db }: UserContext): Promise<Names> {
  const rows = await db
    .selectFrom('workday_leave_type')
    .select(['id', 'code', 'name', 'is_active as isActive'])
    .execute();
  return {
    typeId: new Map(
      rows.flatMap(({ id, code, name, isActive }) =>
        [code, name].map((word) => [sameText(word), [{ id, isActive, name }]] as const),
      ),
    ),
  };
}

const target: ImportTarget = {
  kind: openingImportApi.import.path,
  name: 'leave-balances',
  fields: openingFile,
  readNames: async (ctx) => ({ ...(await readTypes(ctx)), ...(await readPeople(ctx)) }),
  undo: { table: 'workday_credit' },
};

const importAll = async (ctx: UserContext, input: Omit<ParsedOf<typeof openingImportApi.import>, 'shown'>) => {
  const table = namedRows(ctx.table());
  const { rows } = await sql<{ id: number | null }>`
    select academic_year_on(${toLocalDate(ctx.now())}::date) as id`.execute(ctx.db);
  const yearId = rows[0]?.id;
  if (!yearId) throw new AppError('conflict', openingMessages.noYear);
  return importRows(ctx, {
    input,
    target,
    rules: { table: 'workday_credit', fields: {} },
    lockTable: async () => {
      await sql`select from academic_year where id = ${yearId} for share`.execute(ctx.db);
      await sql`select pg_advisory_xact_lock(hashtext('workday_credit'))`.execute(ctx.db);
    },
    compare: () => compareRows(ctx, table, yearId),
    write: (lines) => write(ctx, lines, yearId),
    audit: async (_, { added, same }) => {
      const act = { action: 'workday.opening', entity: 'workday', entityId: 0 };
      await audit(ctx, { ...act, details: { added, same } });
    },
  });
};

/** Half days of a cell such as 2.5 or -1; undefined for anything else. */
function readHalves(cell: string): number | undefined {
  const typed = cell.trim().replace('−', '-').replace(',', '.');
  if (!/^[+-]?[0-9]{1,3}(?:\.[05]0?)?$/.test(typed)) return undefined;
  const halves = Number(typed) * 2;
  return halves === 0 || Math.abs(halves) > 800 ? undefined : halves;
}

async function compareRows(ctx: UserContext, table: TableRow[], yearId: number): Promise<Line[]> {
  const names = await readNamesOf(ctx, target);
  const { rows: stored } = await sql<{ key: string; halves: number }>`
    select staff_id || ' ' || type_id as key, sum(halves)::integer as halves from workday_credit
    where academic_year_id = ${yearId} and kind = 'Opening' group by staff_id, type_id`.execute(ctx.db);
  const before = new Map(stored.map(({ key, halves }) => [key, halves]));
  const seen = new Map<string, number>();
  return mapRows(table, ({ line, cells }): Line => {
    const messages: FieldErrors = {};
    const person = readCell({ fields: openingFile }, 'staffId', cells.staffId ?? '', names);
    const type = readCell({ fields: openingFile }, 'typeId', cells.typeId ?? '', names);
    const [staffId, typeId] = [Number(person.value) || 0, Number(type.value) || 0];
    if (staffId === 0) messages.staffId = person.problem ?? openingMessages.person;
    else if (staffId === ctx.user.staffId) messages.staffId = openingMessages.own;
    if (typeId === 0) messages.typeId = type.problem ?? openingMessages.type;
    const halves = readHalves(cells.days ?? '') ?? 0;
    if (halves === 0) messages.days = openingMessages.days;
    const key = `${staffId} ${typeId}`;
    const twice = seen.get(key);
    if (twice && staffId > 0 && typeId > 0) messages.staffId ??= twiceMessage(twice);
    else seen.set(key, line);
    const own = before.get(key);
    if (own !== undefined && halves !== 0 && own !== halves) messages.days ??= openingMessages.other(showDays(own));
    const isWrong = Object.keys(messages).length > 0;
    return {
      line,
      displayName: `${cells.staffId ?? ''} ${cells.typeId ?? ''}`.slice(0, 120),
      staffId,
      typeId,
      halves,
      before: undefined,
      status: isWrong ? 'wrong' : own === halves ? 'same' : 'added',
      messages,
    };
  });
}

async function write({ db, user, now }: UserContext, lines: readonly Line[], yearId: number) {
  const made = await insertTogether(
    db,
    'workday_credit',
    lines.map(({ staffId, typeId, halves }) => ({
      staff_id: staffId,
      academic_year_id: yearId,
      type_id: typeId,
      kind: 'Opening',
      halves,
      reason: '',
      entered_by: user.staffId,
      entered_at: now(),
    })),
    ['id'],
  );
  for (const [at, line] of lines.entries()) {
    const row = made[at];
    if (row) line.id = Number(row.id);
  }
}

export const openingRoutes = routes(openingImportApi, importHandlers(target, importAll));
