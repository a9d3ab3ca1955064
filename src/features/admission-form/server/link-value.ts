import type { Keys } from '#kit/server/security/keys.ts';
import { signedCode, signedValue } from '#kit/server/security/link-value.ts';

export interface LinkOf {
  inquiryNo: string;
  version: number;
  keyId: string;
}

/** The value of an inquiry's link. It looks like the MD5 of the number. */
export const linkValue = (keys: Keys, { inquiryNo, version, keyId }: LinkOf): string =>
  signedValue(keys, { keyId, text: `${inquiryNo}|${version}` });

/** The address a parent opens. */
export const linkAddress = (publicUrl: string, value: string): string => `${publicUrl}/admission?inquiryNo=${value}`;

/** The short form of an inquiry's link. */
export const shortCode = (keys: Keys, { inquiryNo, version, keyId }: LinkOf): string =>
  signedCode(keys, { keyId, text: `short|${inquiryNo}|${version}` });
