import { sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { readFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import {
  documentApi,
  documentFileRequired,
  documentRemoved,
  documentSaved,
  documentTwice,
} from '../contract/document.ts';
import { answer, auditChange, checkOwner, done, endDraft, isClosed, openForChange, submittedAnswer } from './form.ts';

const list = 'resultList';
const page = 5;

const get: Handler<typeof documentApi.list> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  return readDocuments(ctx);
};

const add: Handler<typeof documentApi.add> = async (ctx, input) => {
  await openForChange(ctx, input, page);
  // The specification calls this an upsert: a row number means that this document is replaced.
  const replaced = input.studentAdmissionDocumentsID || (await findRejected(ctx, input.documentName));
  if (replaced) await removeDocument(ctx, replaced);

  const upload = ctx.uploads.DocumentIFormFile;
  if (!upload) {
    throw new AppError('invalid', documentFileRequired, { fields: { DocumentIFormFile: documentFileRequired } });
  }
  const owner = { table: 'admission_inquiry', id: ctx.inquiry.id };
  const fileId = await saveFile(ctx, owner, 'DocumentIFormFile', upload);
  try {
    const { id } = await ctx.db
      .insertInto('admission_document')
      .values({
        inquiry_id: ctx.inquiry.id,
        name: input.documentName,
        other_description: input.documentName === 'Other' ? input.otherDocumentDescription : '',
        file_id: fileId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await auditDocument(ctx, 'added', id, input.documentName);
    await endDraft(ctx, 'documents');
  } catch (error) {
    // The unique index decides, so that two requests at the same moment cannot both pass (D12).
    if (!isDuplicate(error, 'admission_document_inquiry_id_name_key')) throw error;
    throw new AppError('conflict', documentTwice, { fields: { documentName: documentTwice } });
  }
  return done(await readDocuments(ctx), documentSaved);
};

const remove: Handler<typeof documentApi.remove> = async (ctx, { id, ...keys }) => {
  await openForChange(ctx, keys, page);
  await removeDocument(ctx, id);
  return done(await readDocuments(ctx), documentRemoved);
};

/** Serves the files of the link holder's own form until submission, and later those of reopened pages (C9, D9). */
const file: Handler<typeof documentApi.file> = async (ctx, input) => {
  checkOwner(ctx, input);
  const isServed = !ctx.inquiry.submittedAt && (await isFileOpen(ctx, input.id));
  if (!isServed) throw new AppError('not_found', notFoundMessage);
  return readFile(ctx, { table: 'admission_inquiry', id: ctx.inquiry.id }, input.id);
};

/** Whether a file belongs to a page that is open; in a correction a file that no page names is not. */
async function isFileOpen({ db, inquiry: { id, openPages } }: LinkContext, fileId: string) {
  if (openPages.length === 0) return true;
  const { rows } = await sql<{ page: number }>`
    select 1 as page from admission_basic_info where inquiry_id = ${id} and photo_id = ${fileId}::uuid
    union all select 2 from admission_parent_info
      where inquiry_id = ${id} and ${fileId}::uuid in (family_photo_id, divorce_document_id, adoption_document_id)
    union all select 3 from admission_health where inquiry_id = ${id} and vaccination_card_id = ${fileId}::uuid
    union all select 5 from admission_document where inquiry_id = ${id} and file_id = ${fileId}::uuid`.execute(db);
  return rows.some((row) => openPages.includes(row.page));
}

export default routes(documentApi, { list: get, add, remove, file });

/** The uploaded documents of the link holder, as the wire has them. */
export async function readDocuments(ctx: LinkContext) {
  const rows = await ctx.db
    .selectFrom('admission_document as document')
    .innerJoin('file', 'file.id', 'document.file_id')
    .where('document.inquiry_id', '=', ctx.inquiry.id)
    .select([
      'document.id as studentAdmissionDocumentsID',
      'document.name as documentName',
      'document.file_id as documentFilePath',
      'file.media_type as documentFileType',
      'document.other_description as otherDocumentDescription',
    ])
    .select(isRejected(ctx).as('isRejected'))
    .orderBy('document.id')
    .execute();
  return answer(list, rows);
}

/** True of a `document` that the school has rejected, once it has asked the family for another. */
const isRejected = ({ inquiry }: LinkContext) => sql<boolean>`(${inquiry.openPages.length > 0} and exists (
  select from admission_document_verdict where document_id = document.id and result = 'Rejected'))`;

/** The rejected document of a name, which a new upload replaces. */
async function findRejected(ctx: LinkContext, name: string) {
  const found = await ctx.db
    .selectFrom('admission_document as document')
    .where('inquiry_id', '=', ctx.inquiry.id)
    .where('name', '=', name)
    .where(isRejected(ctx))
    .select('id')
    .executeTakeFirst();
  return found?.id;
}

async function removeDocument(ctx: LinkContext, id: number) {
  const removed = await ctx.db
    .deleteFrom('admission_document')
    .where('id', '=', id)
    .where('inquiry_id', '=', ctx.inquiry.id)
    .returning(['file_id', 'name'])
    .executeTakeFirstOrThrow(notFound);
  await removeFile(ctx, removed.file_id);
  await auditDocument(ctx, 'removed', id, removed.name);
}

const auditDocument = (ctx: LinkContext, what: string, rowId: number, name: string) =>
  auditChange(ctx, { action: `admission.document.${what}`, entity: 'admission_document', details: { rowId, name } });
