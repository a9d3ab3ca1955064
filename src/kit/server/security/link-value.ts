import { createHash, createHmac, randomInt } from 'node:crypto';
import type { Keys } from './keys.ts';

/** What a link is made of: its text names the record and the link's version. */
export interface LinkText {
  keyId: string;
  text: string;
}

/**
 * The version of a new link. Random, not counted: a school restored from a backup would count again and could send an
 * old link a second time.
 */
export const newVersion = () => randomInt(1, 2 ** 31);

/** The value of a link: the first 32 hex digits of HMAC-SHA-256(link key, text). It cannot be guessed from the text. */
export const signedValue = (keys: Keys, { keyId, text }: LinkText): string =>
  createHmac('sha256', linkKey(keys, keyId)).update(text).digest('hex').slice(0, 32);

/** Letters and digits without 0, O, I and l, which are read as one another. */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const length = 10;

/** The short form of a link, for text messages and paper: ten characters, about 58 bits. */
export function signedCode(keys: Keys, { keyId, text }: LinkText): string {
  let rest = createHmac('sha256', linkKey(keys, keyId)).update(text).digest().readBigUInt64BE();
  let code = '';
  for (let place = 0; place < length; place++) {
    code += alphabet[Number(rest % 58n)];
    rest /= 58n;
  }
  return code;
}

function linkKey(keys: Keys, keyId: string): Buffer {
  const key = keys.link.find(keyId);
  if (!key) throw new Error(`The link key "${keyId}" is not configured.`);
  return key;
}

/** The hash of a link's value or short form that the database stores. */
export const linkHash = (value: string): Buffer => createHash('sha256').update(value).digest();

export const shortAddress = (publicUrl: string, code: string): string => `${publicUrl}/a/${code}`;
