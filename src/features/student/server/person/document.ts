import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { documentHandlers } from '#kit/server/record/documents.ts';
import { notFound } from '#kit/server/record/version.ts';
import { studentDocumentApi } from '../../contract/document.ts';
import { timelineReaders } from '../../contract/record.ts';
import { isSeen, studentsSeen } from '../visible.ts';
import { isRequiredDocument, lacksDocument } from './lacks.ts';
import { ownerOf } from './photo.ts';

/** A document is expiring in the last days before it ends. */
const expiringDays = 30;

export const documentRoutes = routes(
  studentDocumentApi,
  documentHandlers({
    entity: 'student',
    fileOwner: ownerOf,
    see: async (ctx, id) => {
      return studentsSeen(ctx, timelineReaders)
        .where('student.id', '=', id)
        .select(isSeen(ctx.user, studentKeepers).as('isKept'))
        .executeTakeFirstOrThrow(notFound);
    },
    types: async ({ db }, id) => {
      const rows = await db
        .selectFrom('academic_lookup as type')
        .where('kind', '=', 'Document')
        .where('is_active', '=', true)
        .select(['type.id', 'type.name'])
        .select(sql<boolean>`(${isRequiredDocument} and ${lacksDocument(sql`${id}::integer`)})`.as('isMissing'))
        .orderBy(sql`lower(type.name)`)
        .execute();
      return rows.map((row) => ({ ...row, hasExpiry: false }));
    },
    list: ({ db, now }, id) => {
      const today = toLocalDate(now());
      return db
        .selectFrom('student_document as own')
        .innerJoin('academic_lookup as type', 'type.id', 'own.document_id')
        .innerJoin('file', 'file.id', 'own.file_id')
        .leftJoin('staff as decider', 'decider.id', 'own.decided_by')
        .where('own.student_id', '=', id)
        .select(['own.id', 'own.version', 'type.name as type', 'own.issued_on', 'own.expires_on'])
        .select(sql<number | null>`own.expires_on - ${today}::date`.as('days_left'))
        .select(sql<boolean>`coalesce(own.expires_on - ${today}::date <= ${expiringDays}, false)`.as('is_expiring'))
        .select(['own.status', 'decider.name as decider', 'own.remark', 'file.stored_at'])
        .orderBy('type.name')
        .orderBy('own.id', 'desc')
        .execute();
    },
    find: ({ db }, id, document, locks) =>
      db
        .selectFrom('student_document as own')
        .innerJoin('academic_lookup as type', 'type.id', 'own.document_id')
        .where('own.id', '=', document)
        .where('own.student_id', '=', id)
        .select(['own.file_id', 'own.status', 'own.version', 'type.name as type'])
        .$if(locks, (query) => query.forUpdate('own'))
        .executeTakeFirst(),
    insert: ({ db }, id, { typeId, ...row }) =>
      db
        .insertInto('student_document')
        .values({ ...row, student_id: id, document_id: typeId })
        .execute(),
    decide: ({ db }, document, row) =>
      db
        .updateTable('student_document')
        .set({ ...row, version: sql`version + 1` })
        .where('id', '=', document)
        .execute(),
    remove: ({ db }, document) => db.deleteFrom('student_document').where('id', '=', document).execute(),
    isVerified: text`This document is verified. Ask the office to remove it.`,
  }),
);
