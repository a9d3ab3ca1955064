import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { KeyRing } from './keys.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** Keys as Node's crypto objects; cached, since creating one costs more than sealing an answer. */
const prepared = new WeakMap<Buffer, KeyObject>();

function prepare(key: Buffer): KeyObject {
  const known = prepared.get(key);
  if (known) return known;
  const made = createSecretKey(key);
  prepared.set(key, made);
  return made;
}

/**
 * Encrypts with AES-256-GCM under the current data key. `place` is the value's table, column and row: copied to another
 * place it does not open. Layout: length of the key id, key id, nonce, text, tag.
 */
export function seal(ring: KeyRing, place: string, plain: Buffer | string): Buffer {
  const { id, key } = ring.current;
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', prepare(key), nonce).setAAD(Buffer.from(place));
  const head = Buffer.concat([Buffer.from([id.length]), Buffer.from(id), nonce]);
  // Concatenated once: a file has hundreds of kilobytes.
  return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens a value that `seal` made for this place; throws when it was altered, moved or made with an unknown key. */
export function open(ring: KeyRing, place: string, sealed: Buffer): Buffer {
  const id = keyIdOf(sealed);
  const idEnd = 1 + id.length;
  const key = ring.find(id);
  if (!key) throw new Error(`A value at ${place} was sealed with the data key "${id}", which is not configured.`);

  const nonceEnd = idEnd + nonceBytes;
  const textEnd = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', prepare(key), sealed.subarray(idEnd, nonceEnd))
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(textEnd));
  return Buffer.concat([decipher.update(sealed.subarray(nonceEnd, textEnd)), decipher.final()]);
}

/** The id of the key a value was sealed with. */
export const keyIdOf = (sealed: Buffer): string => sealed.subarray(1, 1 + (sealed[0] ?? 0)).toString();

/** A keyed hash that finds equal values without making them readable. */
export const searchHash = (ring: KeyRing, purpose: string, value: string): Buffer =>
  createHmac('sha256', prepare(ring.current.key)).update(`${purpose}|${value}`).digest();
