import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { AppError } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';
import { slots } from '#kit/server/http/slots.ts';
import { commonPassword, namedPassword, plainPassword } from '../contract/password.ts';

/** Few hashes run at a time, so that many simultaneous sign-ins do not block other requests (J12). */
const inSlot = slots(2, 200);

/** Argon2id with 19 MiB and two passes (A10): 14 ms each where it was measured. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => inSlot(() => hash(password, cost));

/** Compared where there is no hash, so that an unknown username takes as long as a wrong password (A9). */
const nobodys = '$argon2id$v=19$m=19456,t=2,p=1$c29tZWJvZHkgbm90IGhlcmU$Zg1z9yqsm8x9dMmCnZHCZqNPGc5vcmbVB8uAdVyjGUM';

/** Whether a password matches this hash; without a hash it takes as long and does not match. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await inSlot(() => verify(stored ?? nobodys, password));
  return Boolean(isRight) && Boolean(stored);
}

const common = new Set(dictionary['passwords-common']);

const localDigits = /[\u0966-\u096f\u0ae6-\u0aef]/g;

/** Normalises spelling: capitals, accents, full-width letters, and Hindi and Gujarati digits. */
const plainText = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(localDigits, (digit) => String((digit.charCodeAt(0) & 15) - 6))
    .toLowerCase();

/** Words of at least four letters. Vowel marks belong to their word. */
const wordsOf = (names: readonly string[]) =>
  names.flatMap((name) => plainText(name).split(/[^\p{L}\p{M}\p{N}]+/u)).filter((word) => word.length >= 4);

const leastDifferent = 5;

/**
 * Refuses a new password that is blank, repeats a few characters, is among the fifty thousand most used, or consists of
 * the person's names or the school's name and city (A11). `field` is its field.
 */
export async function refuseWeakPassword(db: Database, field: string, password: string, ownNames: readonly string[]) {
  const schools = await db.selectFrom('academic_school').select(['name', 'city']).execute();
  const names = [...ownNames, ...schools.flatMap(({ name, city }) => [name, city])];
  const plain = plainText(password);
  const refuse = (message: Text) => new AppError('invalid', message, { fields: { [field]: message } });
  if (password.trim() === '' || new Set(password).size < leastDifferent) throw refuse(plainPassword);
  if (common.has(plain) || common.has(plain.replace(/(?<![^a-z])[^a-z]+$/, ''))) throw refuse(commonPassword);
  if (wordsOf(names).some((word) => plain.includes(word))) throw refuse(namedPassword);
}
