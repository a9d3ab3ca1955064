// The fields of records: one vocabulary for forms, masters, imports, lists and files.
import * as z from 'zod/mini';
import type { Access, Endpoint } from './endpoint.ts';
import {
  birthDate,
  chosenId,
  fieldInfo,
  freeText,
  id,
  mobile,
  email as neededEmail,
  oneOf,
  optionalBirthDate,
  optionalEmail,
  optionalFreeText,
  optionalId,
  optionalMobile,
  optionalOneOf,
} from './fields.ts';
import { someOf } from './list.ts';
import { money, percent } from './money.ts';
import { paging } from './paging.ts';
import { calendarDay, clockTime, neededId, wholeNumber } from './shell-fields.ts';
import { type Text, text } from './text.ts';

/** A table whose rows have names, and the operation that lists them as choices. */
export type Named = NamedPeople | NamedThings;

/** The rows are people: an export that names them is counted, and each choice has what tells it from a namesake. */
interface NamedPeople extends NamedRows {
  isPeople: true;
  options: PeopleEndpoint;
}
export interface NamedThings extends NamedRows {
  isPeople?: false;
  options: OptionsEndpoint;
}

interface NamedRows {
  table: string;
  /** The fields that form a row's name, in this order: "Grade 1, A". */
  labelFields: readonly string[];
  fields: Fields;
  isOrdered?: boolean;
  /** Of a table with several lists, the one whose rows are meant: the word in its column `kind`. */
  kind?: string;
  /** The field by which a file may name a row too, such as a number that each person has. */
  codeField?: string;
}

interface Common {
  label: Text;
  /** A hint below the label, for the person who fills in the field. */
  hint?: Text;
  /** Hidden in the list unless the user shows it. */
  isAside?: boolean;
  optional?: boolean;
  /** What a new row has until another value is typed. */
  initial?: string;
  /** Visible, but set by another operation; with several options a new row has the first. */
  isReadOnly?: boolean;
  /** Other usual headings of this column in an imported file; case and punctuation don’t matter. */
  alsoNamed?: readonly string[];
  /** The column, where it is not the field's name in snake case. */
  column?: string;
  /** Its column may be null: an empty text is stored so. Columns of optional dates, numbers and references always may. */
  isNullable?: boolean;
  /** The audit log says that it changed, and never its values. */
  isUnlogged?: boolean;
  /** It leaves the system in a file only with a reason. */
  needsReason?: boolean;
  /** A choice with consequences in law, such as a caste category: an import reads no word of a file as one by its letters. */
  isLegal?: boolean;
}

/** A field of a record. A declaration is data: a condition needs an ordinary form or handler. */
export type Field = Common &
  (
    | {
        kind: 'text';
        max: number;
        like?: RegExp;
        /** The refusal of a text that is not `like` this. */
        message?: Text;
        width?: 'short' | 'medium';
        inputMode?: 'numeric';
      }
    | { kind: 'longText'; max: number }
    | { kind: 'mobile' }
    | { kind: 'email' }
    /** Months that are shown and entered as years and months have the label `inYears` there; files have the months. */
    | { kind: 'number'; least: number; most: number; inYears?: Text }
    /** Paise. */
    | { kind: 'money'; least?: number; most?: number }
    /** Hundredths of a percent. */
    | { kind: 'percent'; least?: number; most?: number }
    /** `toward` is the day that is meant where the year is not typed, by default the nearest. */
    | { kind: 'date'; toward?: 'future' | 'past'; hasQuickDays?: boolean }
    /** Hours and minutes of a day: 06:45. */
    | { kind: 'time' }
    /** A day in the past. */
    | { kind: 'birthDate' }
    | { kind: 'yesNo' }
    /** `codes` are the words that the column has in place of the options; `isRadio` shows all options at once. */
    | {
        kind: 'oneOf';
        options: readonly string[];
        codes?: Readonly<Record<string, string>>;
        isRadio?: boolean;
      }
    /** Of choices in a sequence, such as weekdays, three or more in a row are shown as "Monday to Friday". */
    | { kind: 'someOf'; options: readonly string[]; isSequence?: boolean }
    /** A row of another table, or of the same one. */
    | { kind: 'ref'; to: Named | 'self' }
  );

export type Fields = Readonly<Record<string, Field>>;
export type FieldKind = Field['kind'];
type FieldOf<Kind extends FieldKind> = Extract<Field, { kind: Kind }>;
export type RefField = FieldOf<'ref'>;

type Given<Kind extends FieldKind> = Omit<FieldOf<Kind>, 'kind' | 'label'>;
/** Options that differ from field to field stay literal in the type, so that the types of values follow from them. */
type Declared<Kind extends FieldKind, More> = { kind: Kind; label: Text } & More;

type NoMore = Record<never, never>;

/** Declares a field of each kind. */
export const field = {
  text: <const More extends Given<'text'>>(label: Text, more: More) => declare('text', label, more),
  longText: <const More extends Given<'longText'>>(label: Text, more: More) =>
    declare('longText', label, { isAside: true, ...more }),
  mobile: <const More extends Given<'mobile'> = NoMore>(label: Text, more?: More) => declare('mobile', label, more),
  email: <const More extends Given<'email'> = NoMore>(label: Text, more?: More) => declare('email', label, more),
  number: <const More extends Given<'number'>>(label: Text, more: More) => declare('number', label, more),
  money: <const More extends Given<'money'> = NoMore>(label: Text, more?: More) => declare('money', label, more),
  percent: <const More extends Given<'percent'> = NoMore>(label: Text, more?: More) => declare('percent', label, more),
  date: <const More extends Given<'date'> = NoMore>(label: Text, more?: More) => declare('date', label, more),
  time: <const More extends Given<'time'> = NoMore>(label: Text, more?: More) => declare('time', label, more),
  birthDate: <const More extends Given<'birthDate'> = NoMore>(label: Text, more?: More) =>
    declare('birthDate', label, more),
  yesNo: <const More extends Given<'yesNo'> = NoMore>(label: Text, more?: More) => declare('yesNo', label, more),
  oneOf: <const More extends Given<'oneOf'>>(label: Text, more: More) => declare('oneOf', label, more),
  someOf: <const More extends Given<'someOf'>>(label: Text, more: More) => declare('someOf', label, more),
  ref: <const More extends Given<'ref'>>(label: Text, more: More) => declare('ref', label, more),
};

const declare = <Kind extends FieldKind, More>(kind: Kind, label: Text, more?: More) =>
  ({ kind, label, ...more }) as Declared<Kind, More>;

type WordOf<One> = One extends { options: readonly (infer Word extends string)[] } ? Word : string;
type IsOptional<One> = One extends { optional: true } ? true : false;
type MayBeNull<One> = One extends { optional: true } | { isNullable: true } ? true : false;
type Empty<Is, What> = Is extends true ? What : never;

/** The kinds whose values are numbers. */
export type NumberKind = 'number' | 'money' | 'percent' | 'ref';

type TypeOf<One extends Field, IsEmpty> = One['kind'] extends NumberKind
  ? number | Empty<IsEmpty, null>
  : One['kind'] extends 'yesNo'
    ? boolean
    : One['kind'] extends 'oneOf'
      ? WordOf<One> | Empty<IsEmpty, ''>
      : string;

/** A field's value once a form or file is accepted. An empty text or date is ''. */
export type EnteredOf<One extends Field> = TypeOf<One, IsOptional<One>>;
/** A field's value in a record, where a required one may be missing if its column may be null. */
export type StoredOf<One extends Field> = TypeOf<One, MayBeNull<One>>;

/** The accepted values of some fields. */
export type Entered<Some extends Fields> = { -readonly [Name in keyof Some]: EnteredOf<Some[Name]> };
/** The values of some fields in a record. */
export type Stored<Some extends Fields> = { -readonly [Name in keyof Some]: StoredOf<Some[Name]> };

/** The schema of what is entered in a field, with its messages. */
export function schemaOf<One extends Field>(field: One): z.ZodMiniType<EnteredOf<One>, unknown> {
  return inputSchema(field) as unknown as z.ZodMiniType<EnteredOf<One>, unknown>;
}

function inputSchema(field: Field): z.ZodMiniType {
  const { label, optional = false } = field;
  switch (field.kind) {
    case 'text': {
      const shape = { like: field.like, unlike: field.message };
      return optional ? optionalFreeText(label, field.max, shape) : freeText(label, field.max, shape);
    }
    case 'longText':
      return optional ? optionalFreeText(label, field.max) : freeText(label, field.max);
    case 'mobile':
      return optional ? optionalMobile(label) : mobile(label);
    case 'email':
      return optional ? optionalEmail(label) : neededEmail(label);
    case 'number':
      return wholeNumber(label, field.inYears ? { ...field, invalid: outsideYears(field) } : field);
    case 'money':
      return money(label, field);
    case 'percent':
      return percent(label, field);
    case 'date':
      return calendarDay(label, optional);
    case 'time':
      return clockTime(label, optional);
    case 'birthDate':
      return optional ? optionalBirthDate(label) : birthDate(label);
    case 'yesNo':
      return z._default(z.boolean(), false).register(fieldInfo, { label, optional: true });
    case 'oneOf':
      return optional ? optionalOneOf(label, field.options) : oneOf(label, field.options);
    case 'someOf':
      return someOf(label, field.options, { optional });
    case 'ref':
      return optional ? chosenId(label) : neededId(label);
  }
}

function outsideYears({ least, most }: { least: number; most: number }): Text {
  const [from, to] = [Math.ceil(least / 12), Math.floor(most / 12)];
  return text`Enter from ${{ from }} to ${{ to }} years (${{ least }} to ${{ most }} months).`;
}

function outputSchema(field: Field): z.ZodMiniType {
  const { optional, isNullable } = field;
  const mayBeEmpty = optional || isNullable;
  switch (field.kind) {
    case 'number':
    case 'money':
    case 'percent':
    case 'ref':
      return mayBeEmpty ? z.nullable(z.number()) : z.number();
    case 'yesNo':
      return z.boolean();
    case 'oneOf':
      return z.enum(mayBeEmpty ? ['', ...field.options] : field.options);
    default:
      return z.string();
  }
}

type InputShape<Some extends Fields> = {
  -readonly [Name in keyof Some]: z.ZodMiniType<EnteredOf<Some[Name]>, unknown>;
};
type OutputShape<Some extends Fields> = { -readonly [Name in keyof Some]: z.ZodMiniType<StoredOf<Some[Name]>> };

const mapFields = <Result>(fields: Fields, map: (field: Field) => Result) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]));

/** The shape of an operation's input in which these fields are entered. */
export const inputOf = <Some extends Fields>(fields: Some) => mapFields(fields, inputSchema) as InputShape<Some>;

/** The shape of an operation's output with these fields of a record. */
export const outputOf = <Some extends Fields>(fields: Some) => mapFields(fields, outputSchema) as OutputShape<Some>;

/** The initial values of a form with these fields. */
export const emptyValuesOf = (fields: Fields): Record<string, unknown> =>
  mapFields(fields, ({ kind, initial = '' }) => (kind === 'yesNo' ? false : kind === 'ref' ? null : initial));

/** The names of some fields. */
export const namesOf = <Some extends Fields>(fields: Some) => Object.keys(fields) as (keyof Some & string)[];

/** The same field, which may be left empty. */
export const asOptional = <One extends Field>(field: One) =>
  ({ ...field, optional: true }) as unknown as One & { optional: true };

/** Some of the fields, in this order. */
export const pick = <Some extends object, Name extends keyof Some & string>(fields: Some, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Some, Name>;

/** The other fields. */
export const omit = <Some extends object, Name extends keyof Some & string>(fields: Some, ...names: Name[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name as Name))) as Omit<Some, Name>;

/** The fields that point to other rows. */
export const refsOf = ({ fields }: Pick<Named, 'fields'>) =>
  Object.entries(fields).filter((entry): entry is [string, RefField] => entry[1].kind === 'ref');

/** Whether a new row of a file needs a value for this field. */
export const isNeeded = ({ kind, optional, isReadOnly }: Field): boolean =>
  !optional && !isReadOnly && kind !== 'yesNo';

const nameOption = { id: z.number(), name: z.string(), isActive: z.boolean() };
/** The choices of a field that points to another record; at most a thousand. */
export const nameOptions = z.array(
  z.object({
    ...nameOption,
    /** What tells it from others of its name, such as a branch. It is shown after the name. */
    detail: z.optional(z.string()),
  }),
);
/** The choices of a field that points to a person: "Aarav Shah" with "GR 1722 · Grade 5 A". */
export const peopleOptions = z.array(z.object({ ...nameOption, detail: z.string() }));
export const mostOptions = 1000;
const states = ['', 'active', 'inactive'] as const;
export const activeState = z._default(z.enum(states), '');

/** The first rows whose names match, and always the row `chosenId`. */
export const optionsInput = {
  search: z._default(paging.search, ''),
  state: activeState,
  limit: z._default(id, mostOptions),
  chosenId: optionalId,
};
/** The name of a choice, with what tells it from others of that name: "Aarav Shah · GR 1722 · Grade 5 A". */
export const withDetail = ({ name, detail }: { name: string; detail?: string | undefined }) =>
  detail ? `${name} · ${detail}` : name;
type OptionsOf<Output extends z.ZodMiniType> = Endpoint<z.ZodMiniObject<typeof optionsInput>, Output, Access, 'GET'>;
export type PeopleEndpoint = OptionsOf<typeof peopleOptions>;
export type OptionsEndpoint = OptionsOf<typeof nameOptions> | PeopleEndpoint;

/** The message for a value that a unique index already has. */
export const takenMessage = text`Already in use. Enter a different one.`;

/** The message for a choice that was deactivated. */
export const inactiveMessage = text`This entry is inactive. Choose another one.`;
