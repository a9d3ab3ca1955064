import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { KeyEntry, KeyRing } from '#kit/server/security/keys.ts';

// An archive is a header and frames. The header has the backup key's id and a salt, from which the archive's own key is
// derived. Each frame is sealed with its number and whether it is the last, so changes and cuts are detected.
const magic = 'SHALA BACKUP ';
const formatLine = Buffer.from(`${magic}1\n`);
const saltBytes = 16;
const tagBytes = 16;
const cipherName = 'aes-256-gcm';

/** The most bytes of a frame: with smaller ones a gigabyte took twice as long. A frame that claims more is refused. */
export const frameBytes = 512 * 1024;
const longestSealed = frameBytes + 1 + tagBytes;

/** One frame: a letter for its kind, and its content. */
export interface Frame {
  kind: string;
  bytes: Buffer;
}

function keyOf(key: Buffer, salt: Buffer, header: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, header, 32));
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Writes the header and returns a function that seals and writes one frame. */
export async function startFrames(file: FileHandle, { id, key }: KeyEntry) {
  const salt = randomBytes(saltBytes);
  const header = Buffer.concat([formatLine, Buffer.from([id.length]), Buffer.from(id), salt]);
  const ownKey = keyOf(key, salt, header);
  await file.appendFile(header);
  let number = 0;
  return async ({ kind, bytes }: Frame, isLast = false) => {
    const cipher = createCipheriv(cipherName, ownKey, nonceOf(number++, isLast));
    const sealed = [cipher.update(kind), cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
    const length = Buffer.alloc(4);
    length.writeUInt32BE(sealed.reduce((sum, part) => sum + part.length, 0));
    await file.appendFile(Buffer.concat([length, ...sealed]));
  };
}

/** Opens frame after frame; throws a plain sentence at the first altered one. */
export async function* readFrames(file: FileHandle, name: string, ring: KeyRing): AsyncGenerator<Frame> {
  const take = takerOf(file);
  const cutOff = new Error(`${name} is cut off: its end is missing. Take another copy of it.`);
  const ownKey = await readHeader(take, name, ring);
  for (let number = 0; ; number++) {
    const altered = new Error(
      number > 0
        ? `${name} was altered after it was written. Take another copy of it.`
        : `${name} does not open: the backup key here is another one of the same name, or the archive was altered. ` +
            'Put the key in place that was kept for it, or take another copy.',
    );
    const length = (await take(4))?.readUInt32BE();
    if (length === undefined) throw cutOff;
    if (length <= tagBytes || length > longestSealed) throw altered;
    const sealed = await take(length);
    if (!sealed) throw cutOff;

    const isLast = await take.isAtEnd();
    const frame = openFrame(ownKey, nonceOf(number, isLast), sealed);
    if (frame) yield frame;
    else throw isLast && openFrame(ownKey, nonceOf(number, false), sealed) ? cutOff : altered;
    if (isLast) return;
  }
}

function openFrame(key: Buffer, nonce: Buffer, sealed: Buffer): Frame | undefined {
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv(cipherName, key, nonce).setAuthTag(sealed.subarray(end));
  try {
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
    return { kind: plain.subarray(0, 1).toString('latin1'), bytes: plain.subarray(1) };
  } catch {
    return undefined; // Not what was sealed under this number.
  }
}

type Take = ReturnType<typeof takerOf>;

async function readHeader(take: Take, name: string, ring: KeyRing): Promise<Buffer> {
  const format = await take(formatLine.length);
  if (!format?.toString('latin1').startsWith(magic)) throw new Error(`${name} is not a backup of Shala.`);
  if (!format.equals(formatLine)) throw new Error(`${name} was made by a newer Shala. Restore it with that one.`);
  const idLength = await take(1);
  const id = idLength && (await take(idLength.readUInt8()));
  const salt = id && (await take(saltBytes));
  if (!salt) throw new Error(`${name} is cut off: its end is missing. Take another copy of it.`);

  const key = ring.find(id.toString('latin1'));
  if (!key) {
    throw new Error(
      `${name} was made with the backup key "${id.toString('latin1').replace(/[^A-Za-z0-9]/g, '?')}", which is not here. ` +
        'Put it back (SHALA_BACKUP_KEY or var/keys/backup) and try again.',
    );
  }
  return keyOf(key, salt, Buffer.concat([format, idLength, id, salt]));
}

/** Reads this many bytes forward, or returns undefined when there are fewer. */
function takerOf(file: FileHandle) {
  let at = 0;
  const take = async (length: number): Promise<Buffer | undefined> => {
    const bytes = Buffer.alloc(length);
    for (let got = 0; got < length; ) {
      const { bytesRead } = await file.read(bytes, got, length - got, at + got);
      if (bytesRead === 0) return undefined;
      got += bytesRead;
    }
    at += length;
    return bytes;
  };
  const isAtEnd = async () => (await file.read(Buffer.alloc(1), 0, 1, at)).bytesRead === 0;
  return Object.assign(take, { isAtEnd });
}
