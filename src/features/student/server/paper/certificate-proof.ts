import { sql } from 'kysely';
import type { FindProof } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { kindOf } from './make-certificates.ts';

/** A certificate by the code on its paper: number, kind and day, and nothing of the student. */
export const findCertificateProof: FindProof = async ({ db, certificates }, code) => {
  const row = await db
    .selectFrom('student_certificate as own')
    .leftJoin('student_certificate as next', 'next.id', 'own.replaced_by_id')
    .where('own.code', '=', code)
    .select(sql<string | null>`own.details->>'language'`.as('language'))
    .select(['own.kind', 'own.number', 'own.issued_on', 'own.voided_at', 'next.number as replaced_by'])
    .executeTakeFirst();
  return (
    row && {
      title: kindOf({ certificates }, row.kind).title,
      number: row.number,
      issuedOn: row.issued_on,
      voidSince: row.voided_at ? toLocalDate(row.voided_at) : '',
      replacedBy: row.replaced_by ?? '',
      ...(row.language && { language: row.language }),
    }
  );
};
