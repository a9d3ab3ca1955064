import * as z from 'zod/mini';
import { type FieldKind, schemaOf } from './field.ts';
import { because, isRequired } from './fields.ts';
import { wholeNumber } from './shell-fields.ts';
import { type Text, text, verbatim } from './text.ts';

/** Two kinds of fields, and four that only settings have. */
export const settingKinds = ['number', 'yesNo', 'hour', 'days', 'choice', 'words'] as const satisfies (
  | FieldKind
  | 'hour'
  | 'days'
  | 'choice'
  | 'words'
)[];
export type SettingKind = (typeof settingKinds)[number];

/** The value of each kind; `days` are a short increasing list, `words` may be empty. */
export interface SettingValues {
  number: number;
  yesNo: boolean;
  hour: number;
  days: readonly number[];
  choice: string;
  words: string;
}
export type SettingValue = SettingValues[SettingKind];

/** The parts of a setting by which its values are checked and shown. */
export interface SettingShape {
  kind: SettingKind;
  label: Text;
  /** The unit of a number or of days, as `{n, plural, one {day} other {days}}`. */
  unit?: Text | undefined;
  least?: number | undefined;
  /** The longest words, where they are such. */
  most?: number | undefined;
  /** What is chosen from, declared by `options`. */
  options?: readonly string[] | undefined;
  /** A second person decides on its changes, where a feature answers the hook `guardedSetting`. */
  isGuarded?: boolean | undefined;
}

/** A choice of the whole installation. A definition is data: a condition belongs to the code that reads the value. */
export interface Setting<Kind extends SettingKind = SettingKind> extends SettingShape {
  /** Its name in the database and in addresses, such as `admission.link-days`; it never changes. */
  key: string;
  kind: Kind;
  /** The heading it stands below. */
  group: Text;
  help: Text;
  default: SettingValues[Kind];
  /** The key of an hour that must be later than this one. */
  isBefore?: string;
}

/** A wanted change of a setting, with its values in words; it fits the setting and the version that was shown. */
export interface SettingChange {
  key: string;
  label: Text;
  before: SettingValue;
  wanted: SettingValue;
  words: { before: Text; wanted: Text };
  rowVersion: number;
}

interface Common extends Omit<Setting, 'kind' | 'default' | 'isBefore' | 'options'> {
  unit?: Text;
}
type Limits = { least: number; most: number };
type Given =
  | (Common & Limits & { kind: 'number'; default: number })
  | (Common & Limits & { kind: 'hour'; default: number; isBefore?: string })
  | (Common & Limits & { kind: 'days'; unit: Text; default: readonly number[] })
  | (Common & { kind: 'yesNo'; default: boolean })
  | (Common & { kind: 'choice'; options: readonly string[]; default: string })
  | (Common & { kind: 'words'; most: number; default: string });

/** Declares a setting. Its manifest lists it, and `readSetting` reads it. */
export const setting = <const Kind extends SettingKind>(given: Given & { kind: Kind }): Setting<Kind> =>
  given as unknown as Setting<Kind>;

const mostInList = 10;

/** What a setting accepts: its value, or what a person types for it. */
export function settingSchema({
  kind,
  label,
  least = 0,
  most = 0,
  options = [],
}: SettingShape): z.ZodMiniType<SettingValue> {
  switch (kind) {
    case 'number':
      return schemaOf({ kind, label, least, most });
    case 'yesNo':
      return schemaOf({ kind, label });
    case 'hour':
      return z.pipe(
        wholeNumber(label, { least, most, invalid: text`Choose an hour from the list.` }),
        z.transform((value) => value as number),
      );
    case 'days':
      return dayList({ least, most });
    case 'choice':
      return schemaOf({ kind: 'oneOf', label, options });
    case 'words':
      return schemaOf({ kind: 'text', label, max: most, optional: true });
  }
}

const dayList = ({ least, most }: Limits) =>
  z.pipe(
    z.transform((value) =>
      typeof value === 'string'
        ? value
            .slice(0, 200)
            .split(/[\s,]/)
            .filter(Boolean)
            .map((day) => (/^[0-9]{1,4}$/.test(day) ? Number(day) : Number.NaN))
        : value,
    ),
    z.custom<readonly number[]>(
      (value) =>
        Array.isArray(value) &&
        value.length <= mostInList &&
        value.every(
          (day, place) =>
            Number.isInteger(day) && day >= least && day <= most && (place === 0 || day > value[place - 1]),
        ),
      because(
        text`Enter at most ${{ number: mostInList }} increasing days from ${{ least }} to ${{ most }}, such as 2, 5, 10.`,
      ),
    ),
  );

/** Why a typed value is refused; undefined where it is accepted. */
export function settingProblem(shape: SettingShape, typed: unknown): Text | undefined {
  const { error } = settingSchema(shape).safeParse(typed);
  const [issue] = (error?.issues ?? []) as { params?: { text?: Text } }[];
  return error && (issue?.params?.text ?? isRequired(shape.label));
}

/** The label with the unit, above a box in which only the number is typed. */
export const settingLabel = ({ label, unit }: SettingShape): Text =>
  unit ? text`${{ label }} (${{ unit: { ...unit, values: { n: 2 } } }})` : label;

export const showHour = (hour: number): string => `${hour}:00`;

/** A value with its unit, for people. */
export function settingWords({ kind, unit }: SettingShape, value: SettingValue): Text {
  if (kind === 'yesNo') return value ? text`On` : text`Off`;
  if (kind === 'hour') return verbatim(showHour(value as number));
  if (kind === 'choice') return { id: String(value) };
  const days = Array.isArray(value) ? value : undefined;
  if (days?.length === 0 || value === '') return text`None`;
  if (kind === 'words') return verbatim(String(value));
  const words = days ? days.join(', ') : (value as number);
  const n = days ? (days.at(-1) ?? 0) : (value as number);
  return unit ? text`${{ value: words }} ${{ unit: { ...unit, values: { n } } }}` : verbatim(String(words));
}
