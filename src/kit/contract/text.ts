import { showDay, showShortDay } from './format.ts';
import { type Language, languages } from './languages.ts';

/** A calendar day in a text, which is shown in the reader's language. */
interface DayValue {
  readonly day: string;
  /** In a text message. */
  readonly isShort?: boolean;
}

/** A value in a text; a nested text is translated with it. */
type Value = string | number | Text | DayValue;
type Values = Readonly<Record<string, Value>>;

/** A translatable text. It travels as key and values, so that the reader's browser can translate it. */
export interface Text {
  /** Its key in the catalogues: the English ICU message, or the key that a page's macro generated. */
  readonly id: string;
  /** The English message, where the key is not it. */
  readonly message?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Its translations, where it comes from the server and the reader's browser has none of its own. */
  readonly words?: Readonly<Partial<Record<Language, string>>>;
}

export const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';

interface Message {
  message: string;
  /**
   * Distinguishes equal English words with different translations, such as the State of an address and of a request.
   */
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

/** A fixed list of words, stored in English and translated for the reader. */
export const options = <const Words extends readonly string[]>(...words: Words): Words => words;

/** User input as a Text, the same in every language. */
export const verbatim = (words: string): Text => ({ id: '{words}', values: { words } });

/** Whether two texts are the same, ignoring their values. */
export const isSame = (one: Text | undefined, other: Text): boolean => one?.id === other.id;

/** A calendar day, YYYY-MM-DD, as a value of a text. */
export const onDay = (day: string, isShort = false): DayValue => ({ day, ...(isShort && { isShort }) });

const isDayValue = (value: unknown): value is DayValue =>
  typeof value === 'object' && value !== null && 'day' in value && typeof value.day === 'string';

const part = /\{(\w+)(?:, plural,((?: (?:=\d+|one|other) \{(?:[^{}]|\{\w+\})*\})+))?\}/g;
const branch = /(=\d+|one|other) \{((?:[^{}]|\{\w+\})*)\}/g;

/** An ICU message with values and plurals inserted. `show` formats a value. */
export function format(
  message: string,
  values: Readonly<Record<string, unknown>>,
  show: (value: unknown) => string,
  language: Language = 'en',
): string {
  return message.replace(part, (whole, name: string, plural: string | undefined) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (!plural) return show(value);
    const branches = Object.fromEntries([...plural.matchAll(branch)].map(([, count, words]) => [count, words]));
    const form = languages[language].plural(Number(value));
    const words = branches[`=${value}`] ?? branches[form] ?? branches.other ?? '';
    return format(words.replaceAll('#', show(value)), values, show, language);
  });
}

/** A message about a field, after the field’s label unless the message names it. */
export function withLabel(message: Text, label: Text | undefined, translate: (text: Text) => string): string {
  const said = translate(message);
  if (!label || english(message).includes(english(label))) return said;
  const words = translate(label);
  // In another language a message may repeat the question as a statement.
  if (said.includes(words.replace(/\?$/, ''))) return said;
  return `${words}${words.endsWith('?') ? '' : ':'} ${said}`;
}

/** Numbers are grouped as in India. */
export const showNumber = (value: number): string => value.toLocaleString('en-IN');

/** A value of a text in a language; `translate` turns a nested text. */
export const showIn =
  (language: Language, translate: (text: Text) => string) =>
  (value: unknown): string => {
    if (isText(value)) return translate(value);
    if (isDayValue(value)) return (value.isShort ? showShortDay : showDay)(value.day, language);
    return typeof value === 'number' ? showNumber(value) : String(value);
  };

/** A text in a language whose patterns `find` knows; one that it does not know is in English. */
export function inLanguage(
  { id, message = id, values = {} }: Text,
  language: Language,
  find: (id: string) => string | undefined,
): string {
  const pattern = language === 'en' ? undefined : find(id);
  // Without a translation values and plurals are English, as the words are.
  const own = pattern === undefined ? 'en' : language;
  const show = showIn(own, (nested) => inLanguage(nested, own, find));
  return format(pattern ?? message, values, show, own);
}

/** A text in English: for answers, mails and logs without a chosen language. */
export const english = (text: Text): string => inLanguage(text, 'en', () => undefined);
