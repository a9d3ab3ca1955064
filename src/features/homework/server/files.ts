import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { uploadMessages } from '#kit/contract/uploads.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { readReferredFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { fileApi } from '../contract/file.ts';
import { homeworkGivers, homeworkMessages, homeworkReaders, mostFiles } from '../contract/words.ts';
import { isSeen, lockDelivery } from './delivery.ts';

const ownerOf = (homeworkId: number) => ({ table: 'homework', id: homeworkId, tooMany: homeworkMessages.files });

async function lockContent(ctx: UserContext, id: number) {
  const { given, content } = await lockDelivery(ctx, { id }, { access: homeworkGivers });
  if (given.state === 'Cancelled') throw new AppError('conflict', homeworkMessages.cancelled);
  return content;
}

const addFile: Handler<typeof fileApi.addFile> = async (ctx, { id }) => {
  const content = await lockContent(ctx, id);
  const { file } = ctx.uploads;
  if (!file) throw fieldRefusal('file', uploadMessages.empty);
  const own = await ctx.db
    .selectFrom('homework_file')
    .where('homework_id', '=', content.id)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (own.count >= mostFiles) throw fieldRefusal('file', homeworkMessages.files);
  const fileId = await saveFile(ctx, ownerOf(content.id), 'file', file);
  await ctx.db.insertInto('homework_file').values({ homework_id: content.id, file_id: fileId }).execute();
  await audit(ctx, { action: 'homework.file-added', entity: 'homework_section', entityId: id });
  return { id: fileId };
};

const dropFile: Handler<typeof fileApi.dropFile> = async (ctx, { id, file }) => {
  const content = await lockContent(ctx, id);
  await ctx.db
    .deleteFrom('homework_file')
    .where('homework_id', '=', content.id)
    .where('file_id', '=', file)
    .returning('file_id')
    .executeTakeFirstOrThrow(notFound);
  await removeFile(ctx, file);
  await audit(ctx, { action: 'homework.file-removed', entity: 'homework_section', entityId: id });
  return {};
};

/** A file of the content of a delivery, which the caller may see; throws `not_found` for any other. */
export async function readOwnFile(ctx: Pick<Context, 'db' | 'files'>, id: number, file: string) {
  const { rows } = await sql`select from homework_section given
    join homework_file own on own.homework_id = given.homework_id and own.file_id = ${file}::uuid
    where given.id = ${id}`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('not_found', notFoundMessage);
  return readReferredFile(ctx, file);
}

const viewFile: Handler<typeof fileApi.viewFile> = async (ctx, { id, file }) => {
  await ctx.db
    .selectFrom('homework_section as given')
    .where('given.id', '=', id)
    .where(isSeen(ctx, homeworkReaders))
    .select('given.id')
    .executeTakeFirstOrThrow(notFound);
  return readOwnFile(ctx, id, file);
};

export const fileRoutes = routes(fileApi, { addFile, dropFile, viewFile });
