import type { KeyRing } from './keys.ts';

/** A column of encrypted values. One that no manifest lists keeps the old data key from being removed. */
export interface SealedColumn {
  /**
   * Selects `key` (which identifies the row), `place` (which the value is sealed to) and `sealed`, for rows not under
   * key $1.
   */
  select: string;
  /** Puts the newly sealed value $1 into the row $2, if it still holds $3. */
  update: string;
  /** Computes a further value from the decrypted one, as $4. */
  further?: (ring: KeyRing, plain: Buffer) => unknown;
}

/** The condition of `select`: rows that are not under key $1, some at a time. */
export const notUnder = (column: string) =>
  `convert_from(substring(${column} from 2 for get_byte(${column}, 0)), 'UTF8') <> $1 limit 200`;
