import type { Language } from '#kit/contract/languages.ts';
import { english, format, type Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';
import { keepsTo, type RegisteredText } from './registered-text.ts';

/** The text of a message; an empty line separates paragraphs. */
export interface Rendered {
  subject: Text;
  paragraphs: readonly Text[];
  /** The shorter words of a text message; by default the paragraphs. */
  sms?: Text;
  /** The receiver's; English by default. */
  language?: Language;
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

/** The words of a text message. */
export const smsOf = ({ paragraphs, sms }: Rendered, write: (text: Text) => string = english): string =>
  sms ? write(sms) : paragraphs.map(write).join('\n\n');

/** The words to register: what changes from message to message as a variable, and links as links. */
export const toRegister = (rendered: Rendered, sender: Sender): string =>
  smsOf(rendered, ({ id, message = id, values = {} }) => {
    const variableOf = (value: unknown) => (/^https?:/.test(String(value)) ? '{#url#}' : '{#var#}');
    const isFixed = (value: unknown) => value === sender.name || value === sender.phone;
    return format(message, values, (value) => (isFixed(value) ? String(value) : variableOf(value)));
  });

/** Every registered text, by kind of message. */
export type ReadRegisteredTexts = (services: { db: Database }) => Promise<ReadonlyMap<string, RegisteredText>>;

/**
 * Whether text messages are in English alone: once a school registers texts, operators drop any other without telling
 * anybody, and only English is registered so far.
 */
export const textsAreEnglish = async (services: {
  db: Database;
  namesTemplates: boolean;
  readRegisteredTexts: ReadRegisteredTexts;
}): Promise<boolean> => services.namesTemplates || (await services.readRegisteredTexts(services)).size > 0;

/** Whether operators would drop a text; without a registered one nobody knows. */
export const differs = (registered: RegisteredText | undefined, text: string): boolean =>
  registered !== undefined && registered.text !== '' && !keepsTo(registered.text, text);
