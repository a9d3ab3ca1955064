import type { Keys } from '#kit/server/security/keys.ts';
import { signedCode, signedValue } from '#kit/server/security/link-value.ts';

interface LinkOf {
  guardianId: number;
  version: number;
  keyId: string;
}

/** The value of a guardian's link. */
export const familyValue = (keys: Keys, { guardianId, version, keyId }: LinkOf): string =>
  signedValue(keys, { keyId, text: `family|${guardianId}|${version}` });

/** The short form of a guardian's link. */
export const familyCode = (keys: Keys, { guardianId, version, keyId }: LinkOf): string =>
  signedCode(keys, { keyId, text: `family-short|${guardianId}|${version}` });

/** The address that a guardian opens. */
export const familyAddress = (publicUrl: string, value: string): string => `${publicUrl}/family?family=${value}`;
