import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { type DocumentType, documentHandlers } from '#kit/server/record/documents.ts';
import { staffDocumentApi } from '../contract/document.ts';
import { firstReminder, isMissing, isTypeOf } from './due-document.ts';
import { seeWholeStaff } from './visible.ts';

/** The active document types of all staff and of the person's staff category today. */
async function listTypes({ db, now }: UserContext, staffId: number): Promise<DocumentType[]> {
  const today = toLocalDate(now());
  const person = sql<number>`${staffId}::integer`;
  const { rows } = await sql<DocumentType>`
    select type.id, type.name, type.has_expiry as "hasExpiry", ${isMissing(person)} as "isMissing"
    from hris_document_type as type where ${isTypeOf(person, today)} order by lower(type.name)`.execute(db);
  return rows;
}

/** A person's documents and picture share one quota. */
const fileOwner = (staffId: number) => ({
  table: 'staff',
  id: staffId,
  tooMany: text`This record has too many files. Remove a document that is out of date.`,
});

export const documentRoutes = routes(
  staffDocumentApi,
  documentHandlers({
    entity: 'staff',
    fileOwner,
    see: seeWholeStaff,
    types: listTypes,
    list: ({ db, now }, id) => {
      const today = toLocalDate(now());
      return db
        .selectFrom('staff_document as own')
        .innerJoin('hris_document_type as type', 'type.id', 'own.document_type_id')
        .innerJoin('file', 'file.id', 'own.file_id')
        .leftJoin('staff as decider', 'decider.id', 'own.decided_by')
        .where('own.staff_id', '=', id)
        .select(['own.id', 'own.version', 'type.name as type', 'own.issued_on', 'own.expires_on'])
        .select(sql<number | null>`own.expires_on - ${today}::date`.as('days_left'))
        .select(sql<boolean>`coalesce(own.expires_on - ${today}::date <= ${firstReminder}, false)`.as('is_expiring'))
        .select(['own.status', 'decider.name as decider', 'own.remark', 'file.stored_at'])
        .orderBy('type.name')
        .orderBy('own.id', 'desc')
        .execute();
    },
    find: ({ db }, id, document, locks) =>
      db
        .selectFrom('staff_document as own')
        .innerJoin('hris_document_type as type', 'type.id', 'own.document_type_id')
        .where('own.id', '=', document)
        .where('own.staff_id', '=', id)
        .select(['own.file_id', 'own.status', 'own.version', 'type.name as type'])
        .$if(locks, (query) => query.forUpdate('own'))
        .executeTakeFirst(),
    insert: ({ db }, id, { typeId, ...row }) =>
      db
        .insertInto('staff_document')
        .values({ ...row, staff_id: id, document_type_id: typeId })
        .execute(),
    decide: ({ db }, document, row) =>
      db
        .updateTable('staff_document')
        .set({ ...row, version: sql`version + 1` })
        .where('id', '=', document)
        .execute(),
    remove: ({ db }, document) => db.deleteFrom('staff_document').where('id', '=', document).execute(),
    isVerified: text`This document is verified. Ask HR to remove it.`,
  }),
);
