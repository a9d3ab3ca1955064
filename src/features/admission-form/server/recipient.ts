import { sql } from 'kysely';
import type { Services } from '#kit/server/context.ts';
import type { Queued } from '#kit/server/messages/outbox.ts';

/** Whether an address is a contact of the family in a query of `inquiry`. */
const isContact = (recipient: string) => sql<boolean>`lower(${recipient}) in
  (lower(inquiry.father_email), lower(inquiry.mother_email), inquiry.father_mobile, inquiry.mother_mobile)`;

/** The recipient is a contact of the family, and the link works that the message was queued with. */
export const isForLinkHolder = async ({ db, now }: Services, { subjectId, recipient, version }: Queued) =>
  (await db
    .selectFrom('admission_inquiry as inquiry')
    .where('inquiry.id', '=', subjectId)
    .where('link_revoked_at', 'is', null)
    .where((where) =>
      where.or([
        where('link_version', '=', version ?? 0).and('link_expires_at', '>', now()),
        where('next_link_version', '=', version ?? 0).and('next_link_expires_at', '>', now()),
      ]),
    )
    .where(isContact(recipient))
    .select('inquiry.id')
    .executeTakeFirst()) !== undefined;

/** The recipient is a contact of the family of an inquiry. */
export const isForFamily = async ({ db }: Services, { subjectId, recipient }: Queued) =>
  (await db
    .selectFrom('admission_inquiry as inquiry')
    .where('inquiry.id', '=', subjectId)
    .where(isContact(recipient))
    .select('inquiry.id')
    .executeTakeFirst()) !== undefined;

/** The recipient is a contact of the family that wrote the message. */
export const isForWriter = async ({ db }: Services, { subjectId, recipient }: Queued) =>
  (await db
    .selectFrom('admission_message as message')
    .innerJoin('admission_inquiry as inquiry', 'inquiry.id', 'message.inquiry_id')
    .where('message.id', '=', subjectId)
    .where(isContact(recipient))
    .select('inquiry.id')
    .executeTakeFirst()) !== undefined;

/** The recipient is the school's own address. */
export const isForSchool = async ({ db }: Services, { recipient }: Queued) =>
  (await db
    .selectFrom('academic_school')
    .where(sql`lower(email)`, '=', recipient.toLowerCase())
    .select('id')
    .executeTakeFirst()) !== undefined;

/** The recipient is the parent's number in the brother's or sister's form whose details the code opens. */
export const isForSibling = async ({ db }: Services, { subjectId, recipient }: Queued) =>
  (await db
    .selectFrom('admission_sibling_code as code')
    .innerJoin('admission_inquiry as own', 'own.id', 'code.inquiry_id')
    .innerJoin('admission_inquiry as sibling', 'sibling.id', 'own.sibling_inquiry_id')
    .where('code.id', '=', subjectId)
    .where(
      sql`case code.parent when 'father' then sibling.father_mobile else sibling.mother_mobile end`,
      '=',
      recipient,
    )
    .select('code.id')
    .executeTakeFirst()) !== undefined;
