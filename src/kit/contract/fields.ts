import * as z from 'zod/mini';
import { isStorable } from './storable.ts';
import { type Text, text } from './text.ts';
import { cleanCode, cleanLine, cleanLines } from './typed.ts';

/** The facts a screen needs to draw a field; only the contract defines them. */
export interface FieldInfo {
  label: Text;
  /** Most characters, counted as Unicode code points. */
  max?: number;
  optional: boolean;
  options?: readonly string[];
}

/** Field facts by schema; `fieldInfo.get(schema)` returns undefined for a schema that is not a form field. */
export const fieldInfo = z.registry<FieldInfo>();

interface Shape {
  /** The required pattern, and the message where the value does not match. */
  like?: Pick<RegExp, 'test'>;
  unlike?: Text;
  /** A number or code without a pattern: digits of every script are read as 0 to 9, as in a text with a pattern. */
  isCode?: boolean;
}

export interface Words {
  /** The message for an empty field. `'{label} is required.'` unless the specification has its own words. */
  required?: Text;
  invalid?: Text;
}

export const isRequired = (label: Text): Text =>
  label.id.endsWith('?') ? text`Answer this question.` : text`${{ label }} is required.`;
export const isNotValid = (label: Text): Text => text`${{ label }} is not valid.`;
const tooLong = (max: number) => text`Use at most ${{ max }} characters.`;
const unstorable = text`This contains a character that can’t be stored. Type it again.`;

/**
 * Adds a schema's reason of refusal, which `fieldErrors` reads. Without `abort: false` a `z.custom` would skip every
 * `rule`.
 */
export const because = (reason: Text) => ({ params: { text: reason }, abort: false });

/** A text of one line. */
const typed = z.pipe(z.transform(asText), z.string());
const typedLines = z.pipe(
  z.transform((value) => cleaned(value, cleanLines)),
  z.string(),
);
const typedCode = z.pipe(z.transform(asCode), z.string());
/** Texts that may be as long as this have several lines. */
const leastOfLines = 250;

/** A text up to `max` code points: of one line, or of several from 250 on. What cannot be seen does not count. */
export const freeText = (label: Text, max: number, words: Words & Shape = {}) => typedText(label, max, false, words);

/** As `freeText`, but may be empty. */
export const optionalFreeText = (label: Text, max: number, shape: Shape = {}) => typedText(label, max, true, shape);

function typedText(label: Text, max: number, optional: boolean, { required, like, unlike, isCode }: Words & Shape) {
  const fits = (value: string) => [...value].length <= max;
  const schema = like || isCode ? typedCode : max < leastOfLines ? typed : typedLines;
  return schema
    .check(
      z.refine((value) => optional || value !== '', because(required ?? isRequired(label))),
      z.refine(fits, because(tooLong(max))),
      z.refine(isStorable, because(unstorable)),
      // Without `abort`: it would make zod skip the rules across fields.
      z.refine(
        (value) => value === '' || !like || !fits(value) || like.test(value),
        because(unlike ?? isNotValid(label)),
      ),
    )
    .register(fieldInfo, { label, max, optional });
}

/** A mobile number of exactly 10 digits, as `normalMobile` reads it (A15). */
export const mobile = (label: Text, words: Words = {}) => numberField(label, false, words);
export const optionalMobile = (label: Text, words: Words = {}) => numberField(label, true, words);

const mobileNumber = z.pipe(
  z.transform((value) => (typeof value === 'string' ? normalMobile(value) : asText(value))),
  z.string(),
);

function numberField(label: Text, optional: boolean, { required, invalid }: Words) {
  return mobileNumber
    .check(
      z.refine((value) => optional || value !== '', because(required ?? isRequired(label))),
      z.refine((value) => value === '' || /^[0-9]{10}$/.test(value), because(invalid ?? isNotValid(label))),
    )
    .register(fieldInfo, { label, optional });
}

/**
 * "+91 98765-43210", "0091 98765 43210" and "૯૮૭૬૫૪૩૨૧૦" as 9876543210; other text without its spaces, dashes, dots and
 * brackets.
 */
export function normalMobile(value: string): string {
  const bare = cleanCode(value)
    .replace(/^tel:/i, '')
    .replace(/[\s\-.()]/g, '');
  return bare.replace(/^(?:(?:\+|00)?91)?0?(?=[0-9]{10}$)/, '');
}

const emailMax = 100;
// Deliberately loose: one @, text on both sides, a dot in the domain. Only a message sent there proves more.
const emailShape = /^[^\s@<>()[\],;:"]{1,64}@[^\s@<>()[\],;:"]+\.[^\s@<>()[\],;:".]{2,}$/;

/** An email address of at most 100 characters. */
export const email = (label: Text, words: Words = {}) => emailField(label, false, words);
/** As `email`, but may be empty. */
export const optionalEmail = (label: Text, words: Words = {}) => emailField(label, true, words);

function emailField(label: Text, optional: boolean, { required, invalid }: Words) {
  const isShort = (value: string) => [...value].length <= emailMax;
  return typed
    .check(
      z.refine((value) => optional || value !== '', because(required ?? isRequired(label))),
      // Stored in small letters, in which a few characters become two.
      z.refine((value) => isShort(value.toLowerCase()), because(tooLong(emailMax))),
      z.refine(
        (value) => value === '' || !isShort(value) || emailShape.test(value),
        because(invalid ?? isNotValid(label)),
      ),
      z.refine(isStorable, because(unstorable)),
    )
    .register(fieldInfo, { label, max: emailMax, optional });
}

const asTyped = z.pipe(
  z.transform((value) => value ?? ''),
  z.string(),
);

/** A password as typed, including spaces at its ends, of `least` to `most` characters. */
export function password(label: Text, { least, most, words }: { least: number; most: number; words: Words }) {
  const { required = isRequired(label), invalid = isNotValid(label) } = words;
  return asTyped
    .check(
      z.refine((value) => value !== '', because(required)),
      z.refine((value) => value === '' || ([...value].length >= least && [...value].length <= most), because(invalid)),
      z.refine(isStorable, because(invalid)),
    )
    .register(fieldInfo, { label, max: most, optional: false });
}

/** One of a fixed list of words. */
export const oneOf = <const Options extends readonly string[]>(label: Text, options: Options, words: Words = {}) =>
  choice(label, options, false, words);
/** As `oneOf`, but may be left unanswered (`''`). */
export const optionalOneOf = <const Options extends readonly string[]>(
  label: Text,
  options: Options,
  words: Words = {},
) => choice(label, options, true, words);

function choice<const Options extends readonly string[]>(
  label: Text,
  options: Options,
  optional: boolean,
  { required, invalid }: Words,
) {
  return typed
    .check(
      z.refine((value) => optional || value !== '', because(required ?? isRequired(label))),
      z.refine((value) => value === '' || options.includes(value), because(invalid ?? isNotValid(label))),
    )
    .register(fieldInfo, { label, optional, options });
}

const answer = z.pipe(z.transform(asAnswer), z.nullable(z.boolean()));

/** A question that must be answered Yes or No; unanswered is null, which the type allows and the rule refuses. */
export function yesNo(label: Text, { required }: Words = {}) {
  const answered = answer.check(z.refine((value) => value !== null, because(required ?? isRequired(label))));
  // The rule above has refused null.
  const schema = z.pipe(
    answered,
    z.transform((value) => value as boolean),
  );
  return schema.register(fieldInfo, { label, optional: false });
}

/** A question that may stay unanswered (null). */
export const optionalYesNo = (label: Text) => answer.check().register(fieldInfo, { label, optional: true });

/** A checkbox; a missing value means not ticked. */
export function tick(label: Text) {
  const schema = z.pipe(
    z.transform((value) => asAnswer(value) ?? false),
    z.boolean(),
  );
  return schema.register(fieldInfo, { label, optional: true });
}

/** A birth date, YYYY-MM-DD; while typing some of the three parts may still be missing ("1988--"). */
export const birthDate = (label: Text, words: Words = {}) => birthDateField(label, false, words);
export const optionalBirthDate = (label: Text, words: Words = {}) => birthDateField(label, true, words);

const incomplete = text`Enter the day, month and year.`;
export const unreal = text`Enter a valid date, such as 21-11-2026.`;
const inFuture = text`Enter a date in the past.`;

function birthDateField(label: Text, optional: boolean, { required }: Words) {
  const schema = z.pipe(
    z.transform((value) => (value === '--' ? '' : asCode(value))),
    z.string().check((payload) => {
      const say = (reason: Text) => {
        payload.issues.push({ code: 'custom', ...because(reason), input: payload.value, continue: true });
      };
      if (payload.value === '') {
        if (!optional) say(required ?? isRequired(label));
        return;
      }
      const [year = '', month, day = '', more] = payload.value.split('-');
      if (month === undefined || more !== undefined) return say(unreal);
      if (day === '' || month === '' || year === '') return say(incomplete);
      if (!isRealDate(payload.value) || payload.value < '1900-01-01') return say(unreal);
      if (payload.value >= tomorrow()) return say(inFuture);
    }),
  );
  return schema.register(fieldInfo, { label, optional });
}

/** Whether YYYY-MM-DD names a day of the calendar. No time zone is involved, so no day can shift. */
export function isRealDate(value: string): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(value);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** No earlier than today in any time zone: a birth date entered in India just after midnight is accepted. */
const tomorrow = () => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

const rowNumber = z.int().check(z.gte(1), z.lte(2_147_483_647));

const asNumber = (value: unknown) => (typeof value === 'string' && /^[0-9]{1,10}$/.test(value) ? Number(value) : value);
const isAbsent = (value: unknown) => [undefined, null, '', 0, '0'].includes(value as string);

/** The number of a row: a whole number that PostgreSQL's integer can hold, sent as a number or as digits. */
export const id = z.pipe(z.transform(asNumber), rowNumber);
/** A row, and its version as the user has read it. */
export const idAndVersion = { id, version: id };

/** A row number or null, which a field's rule may refuse; empty text, null and 0 mean none. */
export const idOrNull = z.pipe(
  z.transform((value: unknown) => (isAbsent(value) ? null : value)),
  z.nullable(z.pipe(z.transform(asNumber), rowNumber)),
);

/** A row number that may be absent, also in the type of a call. */
export const optionalId = z._default(idOrNull, null);

/** A row chosen from a list, or null. Whether it is required depends on other answers, so a `rule` decides. */
export const chosenId = (label: Text) =>
  z.pipe(optionalId, z.nullable(z.number())).register(fieldInfo, { label, optional: true });

type Say<Field extends string> = (field: Field, message: Text) => void;

/** A value in which every part that its schema refused is undefined. */
export type Accepted<Value> = Value extends readonly (infer Item)[]
  ? (Accepted<Item> | undefined)[]
  : Value extends object
    ? { [Name in keyof Value]: Accepted<Value[Name]> | undefined }
    : Value;

/**
 * A rule across fields. It also runs when single fields are refused, in contrast to zod, so that a user sees every
 * message at once; a refused field is undefined in it.
 */
export function rule<Value extends object>(
  validate: (value: Accepted<Value>, say: Say<Extract<keyof Value, string>>) => void,
) {
  const check = z.check<Value>(({ value, issues }) => {
    for (const { path = [] } of issues) {
      const last = path.at(-1);
      if (last === undefined) return; // The whole value was refused.
      // zod has created these objects and lists itself, so the caller's data is unchanged.
      const holder = path.slice(0, -1).reduce<unknown>((outer, name) => outer?.[name as never], value);
      if (holder) (holder as Record<PropertyKey, unknown>)[last] = undefined;
    }
    validate(value as Accepted<Value>, (field, message) => {
      issues.push({ code: 'custom', ...because(message), path: [field], input: value, continue: true });
    });
  });
  check._zod.def.when = () => true;
  return check;
}

const notValid = text`This is not valid.`;

/** Why each field was refused, the first reason of each, in the order of the fields; within a list as `bands.2.grade`. */
export function fieldErrors({ issues }: z.core.$ZodError): Record<string, Text> {
  const found: Record<string, Text> = {};
  for (const { path, params } of issues as (z.core.$ZodIssueCustom & { params?: { text?: Text } })[]) {
    const field = path.map(String).join('.');
    found[field] ??= params?.text ?? notValid;
  }
  return found;
}

function cleaned(value: unknown, clean: (value: string) => string): unknown {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? clean(value) : value;
}

function asText(value: unknown): unknown {
  return cleaned(value, cleanLine);
}

/** A number or a code as it is read; a value that is no text stays. */
export function asCode(value: unknown): unknown {
  return cleaned(value, cleanCode);
}

function asAnswer(value: unknown): unknown {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return null;
  if (value === 'true') return true;
  if (value === 'false') return false;
  return value;
}

type Prefixed<Prefix extends string, Shape> = { [Name in keyof Shape & string as `${Prefix}${Name}`]: Shape[Name] };

/** The same fields with another prefix: `prefixed('father', { FirstName })` has `fatherFirstName`. */
export function prefixed<const Prefix extends string, Shape extends Record<string, unknown>>(
  prefix: Prefix,
  shape: Shape,
) {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [`${prefix}${name}`, field])) as Prefixed<
    Prefix,
    Shape
  >;
}
