import * as z from 'zod/mini';

/** A value within a text; a text within a text is translated with it. */
type Value = string | number | Text;
type Values = Readonly<Record<string, Value>>;

/** Words that a person may read. They travel as key and values, so that the reader's browser can translate them. */
export interface Text {
  /** Its key in the catalogues: the English words as an ICU message, or the key that a page's macro made. */
  readonly id: string;
  /** The English words where the key does not say them. */
  readonly message?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

export const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';

/** A text as part of an answer. */
export const anyText = z.custom<Text>(isText);

interface Message {
  message: string;
  /** Tells apart what is one word in English and two elsewhere, such as the State of an address and of a request. */
  context?: string;
}

/**
 * A text: ``text`${{ free }} seats are free` `` with labelled values, or `text({ message: '{n, plural, one {…} other {…}}' }, { n })`.
 * `scripts/text-extractor.ts` collects both for the catalogues, so the words stand in the call itself.
 */
export function text(words: TemplateStringsArray, ...labelled: Values[]): Text;
export function text(words: Message, values?: Values): Text;
export function text(words: TemplateStringsArray | Message, ...given: (Values | undefined)[]): Text {
  const values = Object.assign({}, ...given) as Values;
  const of = Object.keys(values).length > 0 ? { values } : {};
  if (!('raw' in words)) {
    const { message, context } = words;
    return context ? { id: `${context}: ${message}`, message, ...of } : { id: message, ...of };
  }
  const names = given.map((value = {}) => `{${Object.keys(value).join()}}`);
  return { id: words.map((part, place) => `${part}${names[place] ?? ''}`).join(''), ...of };
}

/** A fixed list of words that are stored as they are and shown in the reader's language. */
export const options = <const Words extends readonly string[]>(...words: Words): Words => words;

/** What somebody wrote, where a text is asked for: it reads the same in every language. */
export const verbatim = (words: string): Text => ({ id: '{words}', values: { words } });

/** Whether two texts say the same, whatever their values. */
export const isSame = (one: Text | undefined, other: Text): boolean => one?.id === other.id;

const part = /\{(\w+)(?:, plural,((?: (?:=\d+|one|other) \{(?:[^{}]|\{\w+\})*\})+))?\}/g;
const branch = /(=\d+|one|other) \{((?:[^{}]|\{\w+\})*)\}/g;

/** The words of an ICU message with values and plurals in place. `show` says how a value reads. */
export function format(
  message: string,
  values: Readonly<Record<string, unknown>>,
  show: (value: unknown) => string,
): string {
  return message.replace(part, (whole, name: string, plural: string | undefined) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (!plural) return show(value);
    const branches = Object.fromEntries([...plural.matchAll(branch)].map(([, count, words]) => [count, words]));
    const words = branches[`=${value}`] ?? (value === 1 ? branches.one : undefined) ?? branches.other ?? '';
    return format(words.replaceAll('#', show(value)), values, show);
  });
}

/** Numbers are grouped as in India. */
export const showNumber = (value: number): string => value.toLocaleString('en-IN');

/** A text in English: what answers, mails and logs say where no language was chosen. */
export const english = ({ id, message = id, values = {} }: Text): string =>
  format(message, values, (value) =>
    isText(value) ? english(value) : typeof value === 'number' ? showNumber(value) : String(value),
  );
