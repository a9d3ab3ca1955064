import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { columnsIn, toWire } from '#kit/server/database/row-map.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { aadhaarKey, isMask, maskAadhaar } from '#kit/server/security/aadhaar.ts';
import { auditReveal } from '#kit/server/security/reveal.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { aadhaarReaders, identityFields, type studentRecordApi } from '../../contract/record.ts';
import { requireStudent } from '../visible.ts';

export const aadhaarPlace = (id: number) => `student.aadhaar:${id}`;

/** The columns of a number; both are empty without one. The database refuses a number that another student has. */
export function sealAadhaar({ keys }: Pick<UserContext, 'keys'>, id: number, value: string) {
  if (value === '') return { aadhaar: null, aadhaar_hash: null };
  if (isMask(value)) throw fieldRefusal('aadhaar', text`Enter the whole number.`);
  return { aadhaar: seal(keys.data, aadhaarPlace(id), value), aadhaar_hash: aadhaarKey(keys, value) };
}

/** Seals the numbers of students in one statement; one who has none here keeps the stored number. */
export async function saveAadhaars(
  { db, keys }: Pick<UserContext, 'db' | 'keys'>,
  given: readonly { id: number; aadhaar: string }[],
) {
  const rows = given
    .filter(({ aadhaar }) => aadhaar !== '')
    .map(({ id, aadhaar }) => ({
      id,
      sealed: seal(keys.data, aadhaarPlace(id), aadhaar).toString('hex'),
      hash: aadhaarKey(keys, aadhaar)?.toString('hex') ?? null,
    }));
  if (rows.length === 0) return;
  await sql`update student set aadhaar = decode(given.sealed, 'hex'), aadhaar_hash = decode(given.hash, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id integer, sealed text, hash text)
    where student.id = given.id`.execute(db);
}

/** The mask of a student's sealed number; '' without one. */
export const maskOf = ({ keys }: Pick<UserContext, 'keys'>, id: number, sealed: Buffer | null) =>
  sealed ? maskAadhaar(open(keys.data, aadhaarPlace(id), sealed).toString()) : '';

/** The numbers of a student, the Aadhaar number masked. */
export async function readIdentity(ctx: UserContext, id: number) {
  const { db } = ctx;
  const { version, aadhaar, ...row } = await db
    .selectFrom('student')
    .where('id', '=', id)
    .select([...columnsIn('student', identityFields), 'version', 'aadhaar'])
    .executeTakeFirstOrThrow();
  return { version, saved: { ...toWire(identityFields, row), aadhaar: maskOf(ctx, id, aadhaar) } };
}

export const revealAadhaar: Handler<typeof studentRecordApi.revealAadhaar> = async (ctx, { id, reason }) => {
  await requireStudent(ctx, id, aadhaarReaders);
  const { aadhaar } = await ctx.db
    .selectFrom('student')
    .where('id', '=', id)
    .select('aadhaar')
    .executeTakeFirstOrThrow();
  if (!aadhaar) throw new AppError('not_found', notFoundMessage);
  await auditReveal(ctx, { action: 'student.aadhaar-revealed', entity: 'student', entityId: id, reason });
  return { aadhaar: open(ctx.keys.data, aadhaarPlace(id), aadhaar).toString() };
};
