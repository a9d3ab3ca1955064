import { sql } from 'kysely';
import { aadhaarDigits, isAadhaar } from '#kit/contract/aadhaar.ts';
import { cleanCode } from '#kit/contract/typed.ts';
import type { LinkContext } from '#kit/server/context.ts';
import type { DataCorrection } from '#kit/server/job/corrections.ts';
import type { KeyRing } from '#kit/server/security/keys.ts';
import { open, seal, searchHash } from '#kit/server/security/sealed.ts';

const place = (inquiryId: number) => `admission_basic_info.aadhaar:${inquiryId}`;

/** Encrypted for this row, with a search hash only where it is a valid Aadhaar number. */
export const sealAadhaar = ({ keys, inquiry }: LinkContext, value: string) => ({
  aadhaar: seal(keys.data, place(inquiry.id), value),
  aadhaar_hash: aadhaarHash(keys.data, value),
});

/** For finding duplicates; null where the number is not a valid Aadhaar number. */
export const aadhaarHash = (ring: KeyRing, value: string) =>
  isAadhaar(value) ? searchHash(ring, 'aadhaar', aadhaarDigits(value)) : null;

export const openAadhaar = ({ keys }: Pick<LinkContext, 'keys'>, inquiryId: number, sealed: Buffer): string =>
  open(keys.data, place(inquiryId), sealed).toString();

const atOnce = 200;

/** Numbers typed in the digits of another script, or with words around them, were stored without a search hash. */
export const readScriptDigits: DataCorrection = {
  name: '202611261855_aadhaar_digits',
  correct: async ({ db, keys }) => {
    for (let after = 0; ; ) {
      const rows = await db
        .selectFrom('admission_basic_info')
        .where('inquiry_id', '>', after)
        .where('aadhaar_hash', 'is', null)
        .select(['inquiry_id', 'aadhaar'])
        .orderBy('inquiry_id')
        .limit(atOnce)
        .execute();
      const last = rows.at(-1);
      if (!last) return;
      after = last.inquiry_id;
      const found = rows.flatMap(({ inquiry_id, aadhaar }) => {
        const number = cleanCode(openAadhaar({ keys }, inquiry_id, aadhaar));
        const hash = aadhaarHash(keys.data, number);
        return hash ? [{ inquiry_id, before: aadhaar, sealed: seal(keys.data, place(inquiry_id), number), hash }] : [];
      });
      const all = (name: 'before' | 'sealed' | 'hash') => found.map((row) => row[name]);
      // A number that its family has changed in the meantime stays.
      await sql`update admission_basic_info as own set aadhaar = new.sealed, aadhaar_hash = new.hash
        from unnest(${found.map(({ inquiry_id }) => inquiry_id)}::integer[], ${all('before')}::bytea[],
          ${all('sealed')}::bytea[], ${all('hash')}::bytea[]) as new (inquiry_id, before, sealed, hash)
        where own.inquiry_id = new.inquiry_id and own.aadhaar = new.before`.execute(db);
    }
  },
};
