import { createHash, createHmac } from 'node:crypto';
import type { Keys } from '#kit/server/security/keys.ts';

export interface LinkOf {
  inquiryNo: string;
  version: number;
  keyId: string;
}

/**
 * The value of an inquiry's link: the first 32 hex digits of HMAC-SHA-256(link key, number + "|" + version). It looks
 * like the MD5 of the number and cannot be guessed from it.
 */
export function linkValue(keys: Keys, { inquiryNo, version, keyId }: LinkOf): string {
  return createHmac('sha256', keyOf(keys, keyId)).update(`${inquiryNo}|${version}`).digest('hex').slice(0, 32);
}

export function keyOf(keys: Keys, keyId: string): Buffer {
  const key = keys.link.find(keyId);
  if (!key) throw new Error(`The link key "${keyId}" is not configured.`);
  return key;
}

/** The hash of a link that the database stores. */
export const linkHash = (value: string): Buffer => createHash('sha256').update(value).digest();

/** The address a parent opens. */
export const linkAddress = (publicUrl: string, value: string): string => `${publicUrl}/admission?inquiryNo=${value}`;

/** Letters and digits without 0, O, I and l, which are read as one another. */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const length = 10;

/** The short form of an inquiry's link, for text messages and paper: ten characters, about 58 bits. */
export function shortCode(keys: Keys, { inquiryNo, version, keyId }: LinkOf): string {
  const hash = createHmac('sha256', keyOf(keys, keyId)).update(`short|${inquiryNo}|${version}`).digest();
  let rest = hash.readBigUInt64BE();
  let code = '';
  for (let place = 0; place < length; place++) {
    code += alphabet[Number(rest % 58n)];
    rest /= 58n;
  }
  return code;
}

/** The hash of a short form that the database stores. */
export const shortHash = (code: string): Buffer => createHash('sha256').update(code).digest();

export const shortAddress = (publicUrl: string, code: string): string => `${publicUrl}/a/${code}`;
