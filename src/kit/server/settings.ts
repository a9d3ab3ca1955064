import { type RawBuilder, sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import {
  type Setting,
  type SettingChange,
  type SettingKind,
  type SettingShape,
  type SettingValue,
  type SettingValues,
  settingProblem,
  settingSchema,
  settingWords,
  showHour,
} from '#kit/contract/setting.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { Context, Services, UserContext } from './context.ts';
import { audit } from './security/audit.ts';
import type { AuditWords } from './security/audit-words.ts';

type Db = Pick<Context, 'db'>;
type ValueOf<One> = One extends Setting<infer Kind> ? SettingValues[Kind] : never;

/** The values of several settings, in one query. */
export async function readSettings<Asked extends Record<string, Setting>>(
  { db }: Db,
  asked: Asked,
): Promise<{ [Name in keyof Asked]: ValueOf<Asked[Name]> }> {
  const keys = Object.values(asked).map(({ key }) => key);
  const rows = await db
    .selectFrom('setting')
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .select(['key', 'value'])
    .execute();
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  const values = Object.entries(asked).map(([name, one]) => [name, stored.get(one.key) ?? one.default]);
  return Object.fromEntries(values) as { [Name in keyof Asked]: ValueOf<Asked[Name]> };
}

/** The value of a setting. */
export const readSetting = async <Kind extends SettingKind>(
  ctx: Db,
  one: Setting<Kind>,
): Promise<SettingValues[Kind]> => (await readSettings(ctx, { one })).one as SettingValues[Kind];

const casts = {
  number: sql`integer`,
  hour: sql`integer`,
  yesNo: sql`boolean`,
  days: sql`integer[]`,
  choice: sql`text`,
  words: sql`text`,
};

/** The value of a setting within a statement, so that a busy path needs no query of its own. */
export function settingValue<Kind extends SettingKind>(one: Setting<Kind>): RawBuilder<SettingValues[Kind]> {
  const cast = casts[one.kind];
  const stored =
    one.kind === 'days' ? sql`array(select jsonb_array_elements_text(value)::integer)` : sql`(value #>> '{}')::${cast}`;
  return sql`coalesce((select ${stored} from setting where key = ${one.key} and value is not null),
    ${one.default}::${cast})`;
}

/** All settings with their values, and the author and time of the last change. */
export async function listSettings({ db, settings }: Pick<Context, 'db' | 'settings'>) {
  const rows = await db
    .selectFrom('setting')
    .leftJoin('staff', 'staff.id', 'setting.updated_by')
    .select(['setting.id', 'key', 'value', 'setting.version', 'setting.updated_at', 'staff.name'])
    .execute();
  const stored = new Map(rows.map((row) => [row.key, row]));
  return settings.map(({ isBefore: _, ...one }) => {
    const row = stored.get(one.key);
    return {
      ...one,
      id: row?.id ?? null,
      value: (row?.value ?? one.default) as SettingValue,
      rowVersion: row?.version ?? 0,
      changedBy: row?.name ?? null,
      changedAt: row?.name ? row.updated_at.toISOString() : null,
    };
  });
}

interface Wanted {
  key: string;
  /** As typed; null restores the default. */
  value: unknown;
  /** The version that was shown; 0 where the setting was never changed. */
  rowVersion: number;
}

/**
 * Saves a setting and audits the change in words. Throws `not_found` for an unknown key, `invalid` for a value that the
 * setting refuses, and `stale` with the saved value if someone else changed it. A change of a guarded setting is not saved
 * where `hold` keeps it for a decision.
 */
export async function saveSetting(
  ctx: UserContext,
  { key, value, rowVersion }: Wanted,
  hold?: (change: SettingChange) => Promise<boolean>,
) {
  const { db, settings, user } = ctx;
  const one = settings.find((candidate) => candidate.key === key);
  if (!one) throw new AppError('not_found', notFoundMessage);
  const wanted = value === null ? one.default : parse(one, value);
  // Settings are changed in turn: some are compared with others.
  await sql`select pg_advisory_xact_lock(hashtext('setting'))`.execute(db);
  const rows = await db
    .selectFrom('setting')
    .leftJoin('staff', 'staff.id', 'setting.updated_by')
    .select(['key', 'value', 'setting.version', 'setting.updated_at', 'staff.name'])
    .execute();
  const currentValue = (setting: Setting) =>
    (rows.find((row) => row.key === setting.key)?.value ?? setting.default) as SettingValue;
  const row = rows.find((row) => row.key === key);
  const before = currentValue(one);
  if ((row?.version ?? 0) !== rowVersion)
    throw new AppError('stale', staleMessage, {
      data: {
        rowVersion: row?.version ?? 0,
        savedDateTime: row?.updated_at.toISOString(),
        value: before,
        changedBy: row?.name ?? null,
      },
    });
  const problem = orderProblem(settings, one, wanted as number, currentValue);
  if (problem) throw fieldRefusal('value', problem);
  if (isSameValue(before, wanted)) return { rowVersion, isHeld: false };
  const words = (shown: SettingValue) => settingWords(one, shown);
  if (one.isGuarded && hold) {
    const change = { key, label: one.label, before, wanted, words: { before: words(before), wanted: words(wanted) } };
    if (await hold({ ...change, rowVersion })) return { rowVersion, isHeld: true };
  }

  const isDefault = isSameValue(wanted, one.default);
  const saved = isDefault ? null : JSON.stringify(wanted);
  const { id, version } = await db
    .insertInto('setting')
    .values({ key, value: saved, updated_by: user.staffId })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        value: saved,
        updated_by: user.staffId,
        updated_at: sql`school_now()`,
        version: sql`setting.version + 1`,
      }),
    )
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: isDefault ? 'setting.reset' : 'setting.changed',
    entity: 'setting',
    entityId: id,
    version,
    details: { [english(one.label)]: `${english(words(before))} → ${english(words(wanted))}` },
  });
  return { rowVersion: version, isHeld: false };
}

function parse(one: SettingShape, value: unknown): SettingValue {
  const problem = settingProblem(one, value);
  if (problem) throw fieldRefusal('value', problem);
  return settingSchema(one).parse(value);
}

const isSameValue = (one: SettingValue, other: SettingValue) => JSON.stringify(one) === JSON.stringify(other);

/** Why an hour does not fit another one; undefined where it does. */
function orderProblem(
  settings: readonly Setting[],
  one: Setting,
  hour: number,
  currentValue: (setting: Setting) => SettingValue,
): Text | undefined {
  for (const other of settings) {
    const limit = currentValue(other) as number;
    if (one.isBefore === other.key && hour >= limit)
      return text`Choose an hour before ${{ hour: showHour(limit) }} (${{ label: other.label }}).`;
    if (other.isBefore === one.key && hour <= limit)
      return text`Choose an hour after ${{ hour: showHour(limit) }} (${{ label: other.label }}).`;
  }
  return undefined;
}

/** The audit log's words for settings; a record is named by its label. */
export function settingAuditWords(settings: Services['settings']): AuditWords {
  const labels = new Map(settings.map(({ key, label }) => [key, english(label)]));
  return {
    actions: {
      'setting.changed': { verb: 'Changed', words: text`Changed the setting` },
      'setting.reset': { verb: 'Restored', words: text`Restored the default of the setting` },
    },
    records: {
      setting: {
        kind: text`Setting`,
        findNames: async (db, ids) => {
          const rows = await db.selectFrom('setting').where('id', 'in', ids).select(['id', 'key']).execute();
          return rows.map(({ id, key }) => ({ id, name: labels.get(key) ?? key }));
        },
      },
    },
  };
}
