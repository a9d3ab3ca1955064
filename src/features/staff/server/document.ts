import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage, problemMessage, staleMessage } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { needsExpiry, noFile, staffDocumentApi } from '../contract/document.ts';
import { firstReminder, isMissing, isTypeOf } from './due-document.ts';
import { seeKeptStaff, seeWholeStaff } from './visible.ts';

const documents: Handler<typeof staffDocumentApi.documents> = async (ctx, { id }) => {
  await seeWholeStaff(ctx, id);
  const today = toLocalDate(ctx.now());
  const rows = await ctx.db
    .selectFrom('staff_document as own')
    .innerJoin('hris_document_type as type', 'type.id', 'own.document_type_id')
    .innerJoin('file', 'file.id', 'own.file_id')
    .leftJoin('staff as decider', 'decider.id', 'own.decided_by')
    .where('own.staff_id', '=', id)
    .select([
      'own.id',
      'own.version',
      'type.name as type',
      'own.issued_on',
      'own.expires_on',
      sql<number | null>`own.expires_on - ${today}::date`.as('days_left'),
      sql<boolean>`coalesce(own.expires_on - ${today}::date <= ${firstReminder}, false)`.as('is_expiring'),
      'own.status',
      'decider.name as decider',
      'own.remark',
      'file.stored_at',
    ])
    .orderBy('type.name')
    .orderBy('own.id', 'desc')
    .execute();
  const types = await listTypes(ctx, id);
  return {
    documents: rows.map((row) => ({
      id: row.id,
      version: row.version,
      type: row.type,
      issuedOn: row.issued_on ?? '',
      expiresOn: row.expires_on ?? '',
      daysLeft: row.days_left,
      isExpiring: row.is_expiring,
      status: row.status as never,
      decidedBy: row.decider ?? '',
      remark: row.remark,
      addedAt: row.stored_at.toISOString(),
    })),
    types: types.map(({ id, name, hasExpiry }) => ({ id, name, hasExpiry })),
    missing: types.filter(({ isMissing }) => isMissing).map(({ name }) => name),
  };
};

interface DocumentType {
  id: number;
  name: string;
  hasExpiry: boolean;
  /** Mandatory, and without a verified or waiting document. */
  isMissing: boolean;
}

/** The active document types of all staff and of the person's staff category today. */
async function listTypes({ db, now }: UserContext, staffId: number): Promise<DocumentType[]> {
  const today = toLocalDate(now());
  const person = sql<number>`${staffId}::integer`;
  const { rows } = await sql<DocumentType>`
    select type.id, type.name, type.has_expiry as "hasExpiry", ${isMissing(person)} as "isMissing"
    from hris_document_type as type where ${isTypeOf(person, today)} order by lower(type.name)`.execute(db);
  return rows;
}

const addDocument: Handler<typeof staffDocumentApi.addDocument> = async (ctx, input) => {
  const { id, documentTypeId, issuedOn, expiresOn } = input;
  const { user } = ctx;
  const { isKept } = await seeWholeStaff(ctx, id);
  const type = (await listTypes(ctx, id)).find((offered) => offered.id === documentTypeId);
  if (!type) throw fieldRefusal('documentTypeId', inactiveMessage);
  const fields = {
    ...(type.hasExpiry && !expiresOn && { expiresOn: needsExpiry }),
    ...(!ctx.uploads.file && { file: noFile }),
  };
  if (!ctx.uploads.file || Object.keys(fields).length > 0) throw new AppError('invalid', problemMessage, { fields });

  const fileId = await saveFile(ctx, ownerOf(id), 'file', ctx.uploads.file);
  const isVerified = isKept;
  await ctx.db
    .insertInto('staff_document')
    .values({
      staff_id: id,
      document_type_id: type.id,
      file_id: fileId,
      issued_on: issuedOn || null,
      expires_on: expiresOn || null,
      status: isVerified ? 'Verified' : 'Waiting',
      decided_by: isVerified ? user.staffId : null,
      decided_at: isVerified ? ctx.now() : null,
    })
    .execute();
  const action = isVerified ? 'staff.document-added' : 'staff.document-handed-in';
  await audit(ctx, { action, entity: 'staff', entityId: id, details: { document: type.name } });
  return {};
};

/** A person's documents and picture share one quota. */
const ownerOf = (staffId: number) => ({
  table: 'staff',
  id: staffId,
  tooMany: text`This record has too many files. Remove a document that is out of date.`,
});

const viewDocument: Handler<typeof staffDocumentApi.viewDocument> = async (ctx, { id, document }) => {
  await seeWholeStaff(ctx, id);
  const found = await getDocument(ctx, id, document);
  const details = { document: found.type };
  await audit(ctx, { action: 'staff.document-viewed', entity: 'staff', entityId: id, details });
  return readFile(ctx, ownerOf(id), found.file_id);
};

/** A document of this person, locked until the transaction ends if `locks`; throws `not_found`. */
async function getDocument({ db }: UserContext, staffId: number, document: number, locks = false) {
  const found = await db
    .selectFrom('staff_document as own')
    .innerJoin('hris_document_type as type', 'type.id', 'own.document_type_id')
    .where('own.id', '=', document)
    .where('own.staff_id', '=', staffId)
    .select(['own.file_id', 'own.status', 'own.version', 'type.name as type'])
    .$if(locks, (query) => query.forUpdate('own'))
    .executeTakeFirst();
  if (!found) throw new AppError('not_found', notFoundMessage);
  return found;
}

const decideDocument: Handler<typeof staffDocumentApi.decideDocument> = async (ctx, input) => {
  const { id, document, version, isVerified, remark } = input;
  await seeKeptStaff(ctx, id);
  const found = await getDocument(ctx, id, document, true);
  if (found.version !== version || found.status !== 'Waiting') throw new AppError('stale', staleMessage);
  await ctx.db
    .updateTable('staff_document')
    .set({
      status: isVerified ? 'Verified' : 'Rejected',
      remark,
      decided_by: ctx.user.staffId,
      decided_at: ctx.now(),
      version: sql`version + 1`,
    })
    .where('id', '=', document)
    .execute();
  const action = isVerified ? 'staff.document-verified' : 'staff.document-rejected';
  const details = { document: found.type, ...(remark && { remark }) };
  await audit(ctx, { action, entity: 'staff', entityId: id, details });
  return {};
};

const removeDocument: Handler<typeof staffDocumentApi.removeDocument> = async (ctx, { id, document }) => {
  const { isKept } = await seeWholeStaff(ctx, id);
  const found = await getDocument(ctx, id, document, true);
  if (found.status === 'Verified' && !isKept)
    throw new AppError('conflict', text`This document is verified. Ask HR to remove it.`);
  await ctx.db.deleteFrom('staff_document').where('id', '=', document).execute();
  await removeFile(ctx, found.file_id);
  const details = { document: found.type };
  await audit(ctx, { action: 'staff.document-removed', entity: 'staff', entityId: id, details });
  return {};
};

export const documentRoutes = routes(staffDocumentApi, {
  documents,
  addDocument,
  viewDocument,
  decideDocument,
  removeDocument,
});
