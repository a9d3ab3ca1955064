import type { Language } from '#kit/contract/languages.ts';
import { english, format, showIn, type Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';
import { isTranslated, patternOf, say } from '#kit/server/language/say.ts';
import { keepsTo, type RegisteredText } from './registered-text.ts';

/** The text of a message; an empty line separates paragraphs. */
export interface Rendered {
  subject: Text;
  paragraphs: readonly Text[];
  /** The shorter words of a text message; by default the paragraphs. */
  sms?: Text;
  /** By default the reader's of whom it was queued, and English where nothing is known. */
  language?: Language;
  /** The page that a family opens from it: an email offers it in the other languages. */
  page?: string;
}

/** Who sends the messages; no variables in a registered text, since they are the same in all messages. */
export interface Sender {
  name: string;
  phone: string;
}

/** A kind of text message as it is registered with the operators. */
export interface TextMessage {
  /** When it is sent: "When someone requests a sign-in code." */
  when: Text;
  /** The message for an example record. */
  example: (sender: Sender, publicUrl: string) => Rendered;
}

/** The values of a text message: one sign beyond the letters of GSM would nearly double the parts that are paid for. */
const inGsm = ({ values, ...text }: Text): Text => ({
  ...text,
  ...(values && {
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.replaceAll('₹', 'Rs ').replaceAll('…', '...') : value,
      ]),
    ),
  }),
});

/** What a text message says, each of which is a paragraph. */
export const saidIn = ({ paragraphs, sms }: Rendered): readonly Text[] => (sms ? [sms] : paragraphs).map(inGsm);

/** The words of a text message. */
export const smsOf = (rendered: Rendered, write: (text: Text) => string = english): string =>
  saidIn(rendered).map(write).join('\n\n');

/** The words to register: what changes from message to message as a variable, and links as links. */
export const toRegister = (rendered: Rendered, sender: Sender, language: Language = 'en'): string =>
  smsOf(rendered, (text) => {
    const { values = {} } = text;
    const variableOf = (value: unknown) => (/^https?:/.test(String(value)) ? '{#url#}' : '{#var#}');
    const isFixed = (value: unknown) => value === sender.name || value === sender.phone;
    const show = (value: unknown) => (isFixed(value) ? String(value) : variableOf(value));
    return format(patternOf(text, language), values, show, language);
  });

/** Every registered text, by kind of message and language (`textKey`). */
export type ReadRegisteredTexts = (services: { db: Database }) => Promise<ReadonlyMap<string, RegisteredText>>;

export const textKey = (kind: string, language: Language): string => `${kind} ${language}`;

interface TextServices {
  db: Database;
  namesTemplates: boolean;
  readRegisteredTexts: ReadRegisteredTexts;
  textMessages: Readonly<Record<string, TextMessage>>;
  publicUrl: string;
}

/** A message in the pattern of a registered text; undefined where that has none, or the message has other words or values. */
export function inPattern(
  registered: RegisteredText,
  rendered: Rendered,
  example: Rendered,
  language: Language,
): string | undefined {
  if (registered.pattern === '') return undefined;
  const idsOf = (one: Rendered) => saidIn(one).map(({ id }) => id);
  if (JSON.stringify(idsOf(rendered)) !== JSON.stringify(idsOf(example))) return undefined;
  const values: Record<string, unknown> = Object.assign({}, ...saidIn(rendered).map((one) => one.values));
  const holes = [...registered.pattern.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name);
  if (!holes.every((name) => name in values)) return undefined;
  return format(registered.pattern, values, showIn(language, say(language)), language);
}

/** Writes a text message of a kind in the language that is wanted, or else in English. */
type SmsWriter = (rendered: Rendered, wanted: Language) => { language: Language; text: string };

/**
 * Writes the text messages of a kind as they are sent: in the registered words with the values of the message, or else in
 * ours. In another language than English where the school registers nothing, or a text in it that agrees with what is
 * sent; otherwise operators would drop it without telling anybody.
 */
export async function smsWriter(services: TextServices, kind: string): Promise<SmsWriter> {
  const texts = await services.readRegisteredTexts(services);
  const example = services.textMessages[kind]?.example({ name: '', phone: '' }, services.publicUrl);
  const write = (rendered: Rendered, language: Language) => {
    const registered = texts.get(textKey(kind, language));
    const words = registered && example && inPattern(registered, rendered, example, language);
    return { language, text: words ?? smsOf(rendered, say(language)) };
  };
  return (rendered, wanted) => {
    const isSaid = wanted !== 'en' && saidIn(rendered).some((one) => isTranslated(one, wanted));
    const said = isSaid ? write(rendered, wanted) : undefined;
    const registered = texts.get(textKey(kind, wanted));
    const isFree = texts.size === 0 && !services.namesTemplates;
    const isTaken = said && (isFree || (registered?.text && !differs(registered, said.text)));
    return isTaken ? said : write(rendered, 'en');
  };
}

/** Whether operators would drop a text; without a registered one nobody knows. */
export const differs = (registered: RegisteredText | undefined, text: string): boolean =>
  registered !== undefined && registered.text !== '' && !keepsTo(registered.text, text);
