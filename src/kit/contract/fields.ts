import * as z from 'zod/mini';
import { isStorable } from './storable.ts';

/** What a screen needs to know of a field to draw it; the contract is the only place that says it. */
export interface FieldInfo {
  label: string;
  /** Most characters, counted as Unicode code points. */
  max?: number;
  optional: boolean;
  options?: readonly string[];
  /** Every message the field can give, for the catalogues. */
  messages: readonly string[];
}

/** Field facts by schema; `fieldInfo.get(schema)` gives undefined for a schema that is no form field. */
export const fieldInfo = z.registry<FieldInfo>();

interface Shape {
  /** How it must look, and what is said where it does not. */
  like?: Pick<RegExp, 'test'>;
  unlike?: string;
}

export interface Words {
  /** Said when nothing was entered. `'{label} is required.'` unless the specification has its own words. */
  required?: string;
  invalid?: string;
}

export const requiredWords = (label: string, { required }: Words) =>
  required ?? (label.endsWith('?') ? `Please answer: ${label}` : `${label} is required.`);
export const invalidWords = (label: string, { invalid }: Words) => invalid ?? `${label} is not valid.`;
const tooLongWords = (label: string, max: number) => `${label} can have at most ${max} characters.`;
const unstorable = (label: string) => `${label} has a sign that cannot be stored. Please type it again.`;

/** One line of text, up to `max` code points; blanks at the ends do not count. */
export const text = (label: string, max: number, words: Words & Shape = {}) =>
  line(label, max, false, requiredWords(label, words), words);

/** As `text`, but may be left empty. */
export const optionalText = (label: string, max: number, shape: Shape = {}) =>
  line(label, max, true, `${label} is required.`, shape);

function line(label: string, max: number, optional: boolean, required: string, { like, unlike }: Shape) {
  const tooLong = tooLongWords(label, max);
  const unlikely = unlike ?? invalidWords(label, {});
  const fits = (value: string) => [...value].length <= max;
  const schema = z.pipe(
    z.transform(asText),
    z.string({ error: invalidWords(label, {}) }).check(
      z.refine((value) => optional || value !== '', { error: required }),
      z.refine(fits, { error: tooLong }),
      z.refine(isStorable, { error: unstorable(label) }),
      // Without `abort`: with it zod would skip the rules across fields too.
      z.refine((value) => value === '' || !like || !fits(value) || like.test(value), { error: unlikely }),
    ),
  );
  const messages = [...(optional ? [] : [required]), tooLong, ...(like ? [unlikely] : [])];
  return schema.register(fieldInfo, { label, max, optional, messages });
}

/** A mobile number of exactly 10 digits, once blanks, dashes and a leading +91 or 0 are taken off (A15). */
export const mobile = (label: string, words: Words = {}) => numberField(label, false, words);
export const optionalMobile = (label: string, words: Words = {}) => numberField(label, true, words);

function numberField(label: string, optional: boolean, words: Words) {
  const [required, invalid] = [requiredWords(label, words), invalidWords(label, words)];
  const schema = z.pipe(
    z.transform((values) => (typeof values === 'string' ? normalMobile(values) : asText(values))),
    z.string({ error: invalid }).check(
      z.refine((value) => optional || value !== '', { error: required }),
      z.refine((value) => value === '' || /^[0-9]{10}$/.test(value), { error: invalid }),
    ),
  );
  return schema.register(fieldInfo, { label, optional, messages: [required, invalid] });
}

/** "+91 98765-43210" and "098765 43210" as 9876543210; anything else without its blanks, dashes, dots and brackets. */
export function normalMobile(value: string): string {
  const bare = value.replace(/[\s\-.()\u2010-\u2015]/g, '');
  const local = bare.replace(/^(\+91|91|0)(?=[0-9]{10}$)/, '');
  return local;
}

const emailMax = 100;
// Deliberately loose: one @, something on both sides, a dot in the domain. Only a message sent there proves more.
const emailShape = /^[^\s@<>()[\],;:"]{1,64}@[^\s@<>()[\],;:"]+\.[^\s@<>()[\],;:".]{2,}$/;

/** An e-mail address of at most 100 characters. */
export const email = (label: string, words: Words = {}) => emailField(label, false, words);
/** As `email`, or nothing. */
export const optionalEmail = (label: string, words: Words = {}) => emailField(label, true, words);

function emailField(label: string, optional: boolean, words: Words) {
  const [required, invalid] = [requiredWords(label, words), invalidWords(label, words)];
  const schema = z.pipe(
    z.transform(asText),
    z.string({ error: invalid }).check(
      z.refine((value) => optional || value !== '', { error: required }),
      // It is kept in small letters, and a few signs become two by that.
      z.refine((value) => [...value.toLowerCase()].length <= emailMax, { error: tooLongWords(label, emailMax) }),
      z.refine((value) => value === '' || [...value].length > emailMax || emailShape.test(value), { error: invalid }),
      z.refine(isStorable, { error: unstorable(label) }),
    ),
  );
  return schema.register(fieldInfo, {
    label,
    max: emailMax,
    optional,
    messages: [required, invalid, tooLongWords(label, emailMax)],
  });
}

/** A password as it was typed, blanks at its ends included. Of `least` to `most` characters. */
export function password(label: string, { least, most, words }: { least: number; most: number; words: Words }) {
  const [required, invalid] = [requiredWords(label, words), invalidWords(label, words)];
  const schema = z.pipe(
    z.transform((values) => values ?? ''),
    z.string({ error: invalid }).check(
      z.refine((value) => value !== '', { error: required }),
      z.refine((value) => value === '' || ([...value].length >= least && [...value].length <= most), {
        error: invalid,
      }),
      z.refine(isStorable, { error: invalid }),
    ),
  );
  return schema.register(fieldInfo, { label, max: most, optional: false, messages: [required, invalid] });
}

/** One of a fixed list of words. */
export const oneOf = <const Options extends readonly string[]>(label: string, options: Options, words: Words = {}) =>
  choice(label, options, false, words);
/** As `oneOf`, but may be left unanswered (`''`). */
export const optionalOneOf = <const Options extends readonly string[]>(
  label: string,
  options: Options,
  words: Words = {},
) => choice(label, options, true, words);

function choice<const Options extends readonly string[]>(
  label: string,
  options: Options,
  optional: boolean,
  words: Words,
) {
  const [required, invalid] = [requiredWords(label, words), invalidWords(label, words)];
  const schema = z.pipe(
    z.transform(asText),
    z.string({ error: invalid }).check(
      z.refine((value) => optional || value !== '', { error: required }),
      z.refine((value) => value === '' || options.includes(value), { error: invalid }),
    ),
  );
  return schema.register(fieldInfo, { label, optional, options, messages: [required, invalid] });
}

/** A question that must be answered Yes or No; unanswered is null, which the type lets through and the rule refuses. */
export function yesNo(label: string, words: Words = {}) {
  const [required, invalid] = [requiredWords(label, words), invalidWords(label, words)];
  const answered = z.pipe(
    z.transform(asAnswer),
    z.nullable(z.boolean({ error: invalid })).check(z.refine((value) => value !== null, { error: required })),
  );
  // Past the rule above it is answered.
  const schema = z.pipe(
    answered,
    z.transform((answer) => answer as boolean),
  );
  return schema.register(fieldInfo, { label, optional: false, messages: [required, invalid] });
}

/** A question that may stay unanswered (null). */
export function optionalYesNo(label: string, words: Words = {}) {
  const invalid = invalidWords(label, words);
  const schema = z.pipe(z.transform(asAnswer), z.nullable(z.boolean({ error: invalid })));
  return schema.register(fieldInfo, { label, optional: true, messages: [requiredWords(label, words), invalid] });
}

/** A box that is ticked or not; nothing sent is not ticked. */
export function tick(label: string) {
  const invalid = invalidWords(label, {});
  const schema = z.pipe(
    z.transform((value) => asAnswer(value) ?? false),
    z.boolean({ error: invalid }),
  );
  return schema.register(fieldInfo, { label, optional: true, messages: [invalid] });
}

/** A birth date, YYYY-MM-DD; while typing some of the three parts may still be missing ("1988--"). */
export const birthDate = (label: string, owner: string, words: Words = {}) =>
  birthDateField(label, owner, false, words);
export const optionalBirthDate = (label: string, owner: string, words: Words = {}) =>
  birthDateField(label, owner, true, words);

function birthDateField(label: string, owner: string, optional: boolean, words: Words) {
  const required = requiredWords(label, words);
  const lacks = {
    day: `${owner} must include a day`,
    month: `${owner} must include a month`,
    year: `${owner} must include a year`,
  };
  const unreal = `${owner} must be a real date`;
  const future = `${owner} must be in the past`;
  const schema = z.pipe(
    z.transform((value) => (value === '--' ? '' : asText(value))),
    z.string({ error: unreal }).check((payload) => {
      const say = (message: string) => {
        payload.issues.push({ code: 'custom', message, input: payload.value, continue: true });
      };
      if (payload.value === '') {
        if (!optional) say(required);
        return;
      }
      const [year = '', month, day = '', more] = payload.value.split('-');
      if (month === undefined || more !== undefined) return say(unreal);
      if (day === '') return say(lacks.day);
      if (month === '') return say(lacks.month);
      if (year === '') return say(lacks.year);
      if (!isRealDate(payload.value) || payload.value < '1900-01-01') return say(unreal);
      if (payload.value >= tomorrow()) return say(future);
    }),
  );
  const messages = [required, ...Object.values(lacks), unreal, future];
  return schema.register(fieldInfo, { label, optional, messages });
}

/** Whether YYYY-MM-DD names a day of the calendar. No time zone is involved, so no day can shift. */
export function isRealDate(value: string): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(value);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The first day that is nowhere in the past yet: a birth date typed in India just after midnight is still accepted. */
const tomorrow = () => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

const notANumber = 'This number is not valid.';
const rowNumber = z
  .int({ error: notANumber })
  .check(z.gte(1, { error: notANumber }), z.lte(2_147_483_647, { error: notANumber }));

const asNumber = (value: unknown) => (typeof value === 'string' && /^[0-9]{1,10}$/.test(value) ? Number(value) : value);
const isAbsent = (value: unknown) => [undefined, null, '', 0, '0'].includes(value as string);

/** The number of a row: a whole number that PostgreSQL's integer can hold, sent as a number or as digits. */
export const id = z.pipe(z.transform(asNumber), rowNumber);

/** A row number or null, which a field's own rule may refuse; empty text, null and 0 count as absent. */
export const idOrNull = z.pipe(
  z.transform((value: unknown) => (isAbsent(value) ? null : value)),
  z.nullable(z.pipe(z.transform(asNumber), rowNumber)),
);

/** A row number that may be absent, also in the types of a call. */
export const optionalId = z._default(idOrNull, null);

/** A row picked from a list, or null. Whether it must be picked depends on other answers, so a `rule` says `required`. */
export function chosenId(label: string, required: string) {
  return z
    .pipe(optionalId, z.nullable(z.number()))
    .register(fieldInfo, { label, optional: true, messages: [required] });
}

type Say<Field extends string> = (field: Field, message: string) => void;

/** A value in which every part that its own schema refused is undefined. */
export type Accepted<Value> = Value extends readonly (infer Item)[]
  ? (Accepted<Item> | undefined)[]
  : Value extends object
    ? { [Name in keyof Value]: Accepted<Value[Name]> | undefined }
    : Value;

/**
 * A rule across fields. It runs also when single fields are refused (zod would skip it then, and a person would see one
 * message at a time); a refused field reaches it as undefined.
 */
export function rule<Value extends object>(
  judge: (value: Accepted<Value>, say: Say<Extract<keyof Value, string>>) => void,
) {
  const check = z.check<Value>(({ value, issues }) => {
    for (const { path = [] } of issues) {
      const last = path.at(-1);
      if (last === undefined) return; // All of it was refused.
      // zod has made these objects and lists itself: nothing the caller holds is changed.
      const holder = path.slice(0, -1).reduce<unknown>((outer, name) => outer?.[name as never], value);
      if (holder) (holder as Record<PropertyKey, unknown>)[last] = undefined;
    }
    judge(value as Accepted<Value>, (field, message) => {
      issues.push({ code: 'custom', message, path: [field], input: value, continue: true });
    });
  });
  check._zod.def.when = () => true;
  return check;
}

/** Messages by field, the first one of each, in the order of the fields; within a list as `bands.2.grade`. */
export function fieldErrors(error: z.core.$ZodError): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const field = path.map(String).join('.');
    found[field] ??= message;
  }
  return found;
}

export function asText(value: unknown): unknown {
  if (value === undefined || value === null) return '';
  // CRLF is one sign on both sides; no other change is made to what was typed but blanks at the ends.
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : value;
}

function asAnswer(value: unknown): unknown {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return null;
  if (value === 'true') return true;
  if (value === 'false') return false;
  return value;
}

type Prefixed<Prefix extends string, Shape> = { [Name in keyof Shape & string as `${Prefix}${Name}`]: Shape[Name] };

/** The same fields under another beginning: `prefixed('father', { FirstName })` holds `fatherFirstName`. */
export function prefixed<const Prefix extends string, Shape extends Record<string, unknown>>(
  prefix: Prefix,
  shape: Shape,
) {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [`${prefix}${name}`, field])) as Prefixed<
    Prefix,
    Shape
  >;
}
