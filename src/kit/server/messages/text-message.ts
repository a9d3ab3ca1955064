import { english, format, isText, type Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';
import { keepsTo, type RegisteredText } from './registered-text.ts';

/** The text of a message; an empty line separates paragraphs. */
export interface Rendered {
  subject: Text;
  paragraphs: readonly Text[];
  /** The shorter words of a text message; by default the paragraphs. */
  sms?: Text;
}

/** What messages say of the school itself: no variables, since it is the same in all of them. */
export interface SchoolWords {
  school: string;
  phone: string;
}

/** A kind of text message as the school registers it with the operators. */
export interface TextMessage {
  /** When it is sent: "When somebody asks for a code to sign in." */
  when: Text;
  /** The message for an example record; its values `school` and `phone` are the school's own. */
  example: (school: SchoolWords, publicUrl: string) => Rendered;
}

/** The words of a text message. */
export const smsOf = ({ paragraphs, sms }: Rendered, write: (text: Text) => string = english): string =>
  sms ? write(sms) : paragraphs.map(write).join('\n\n');

/** The words to register: each value that changes from message to message as a variable, and links as links. */
export const toRegister = (rendered: Rendered): string => smsOf(rendered, withVariables);

function withVariables({ id, message = id, values = {} }: Text): string {
  const own = ['school', 'phone'];
  const named = Object.entries(values).map(([name, value]) => {
    if (own.includes(name)) return [name, value];
    return [name, /^https?:/.test(String(value)) ? '{#url#}' : '{#var#}'];
  });
  return format(message, Object.fromEntries(named), (value) => (isText(value) ? english(value) : String(value)));
}

/** Every registered text, by kind of message. */
export type ReadRegisteredTexts = (services: { db: Database }) => Promise<ReadonlyMap<string, RegisteredText>>;

/** Whether operators would drop a text; without a registered one nobody knows. */
export const differs = (registered: RegisteredText | undefined, text: string): boolean =>
  registered !== undefined && registered.text !== '' && !keepsTo(registered.text, text);
