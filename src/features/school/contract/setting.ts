import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { because, fieldInfo } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { settingKinds } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const access = [admin()];
const path = '/academic/setting';

const value = z.union([z.boolean(), z.number(), z.string(), z.array(z.number())]);

const row = z.object({
  key: z.string(),
  /** Its number in the audit log; null where it was never changed. */
  id: z.nullable(z.number()),
  group: anyText,
  label: anyText,
  help: anyText,
  kind: z.enum(settingKinds),
  unit: z.optional(anyText),
  least: z.optional(z.number()),
  most: z.optional(z.number()),
  options: z.optional(z.array(z.string())),
  isGuarded: z.optional(z.boolean()),
  default: value,
  value,
  rowVersion: z.number(),
  /** A change that waits for a second person. */
  held: z.optional(z.object({ from: z.string(), to: z.string(), askedBy: z.string(), askedOn: z.string() })),
  changedBy: z.nullable(z.string()),
  changedAt: z.nullable(z.iso.datetime()),
});
export type SettingRow = z.infer<typeof row>;

const isShort = (given: unknown) => typeof given === 'string' && given.length <= 200;
const isWhole = (given: unknown) => Number.isInteger(given) && Math.abs(given as number) <= 1_000_000;
const isValue = (given: unknown) =>
  given === null ||
  typeof given === 'boolean' ||
  isShort(given) ||
  isWhole(given) ||
  (Array.isArray(given) && given.length <= 20 && given.every(isWhole));

/** The value itself, or as typed; the setting decides whether it accepts it. */
const typedValue = z
  .custom<string | number | boolean | readonly number[] | null>(isValue, because(text`This is not valid.`))
  .register(fieldInfo, { label: text`Value`, optional: false });

export const settingApi = {
  /** Every setting with its value, in the order of the areas. */
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['setting', 'approval'],
    input: z.object({}),
    output: z.object({ rows: z.array(row) }),
  }),
  history: historyOf(path, access, ['setting']),
  /** The value null restores the default. Some settings change how people sign in, so each asks for a proof (A24). */
  save: endpoint({
    method: 'PUT',
    path: `${path}/:key`,
    access,
    changes: ['setting'],
    isConfirmed: true,
    isReported: true,
    input: z.object({
      key: z.string().check(z.maxLength(60)),
      value: typedValue,
      /** 0 for a setting that was never changed. */
      rowVersion: z.int().check(z.gte(0), z.lte(2_147_483_647)),
    }),
    /** Whether a second person decides first: nothing is saved until then. */
    output: z.object({ rowVersion: z.number(), isHeld: z.boolean() }),
  }),
};
