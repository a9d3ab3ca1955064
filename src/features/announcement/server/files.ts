import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { removeFile as deleteFile, saveFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type announcementApi, announcementMessages as messages, mostFiles } from '../contract/announcement.ts';
import { reachOf } from './reach.ts';
import { lockOwn, mayEdit } from './save.ts';

/** Refuses our own lists of people in what families read: a class list is for staff. */
export async function refuseLists({ db }: Pick<UserContext, 'db'>, id: number, { guardians }: { guardians: number }) {
  if (guardians === 0) return;
  const { rows } = await sql<{ name: string; names: number }>`
    select file.name, list.names from announcement_file own join file on file.id = own.file_id
    join taken_list list on list.sha256 = file.sha256
    where own.announcement_id = ${id} and own.to_version is null order by own.file_id limit 1`.execute(db);
  const [found] = rows;
  if (!found) return;
  const message = text`“${{ name: found.name }}” names ${{ n: found.names }} people, and families would read it. Remove the file, or choose staff only.`;
  throw new AppError('conflict', message, { fields: { file: message } });
}

export const addFile: Handler<typeof announcementApi.addFile> = async (ctx, { id }) => {
  const { db, uploads } = ctx;
  const notice = await lockOwn(ctx, id);
  if (!(await mayEdit(ctx, notice))) throw new AppError('conflict', messages.noChange);
  const upload = uploads.file;
  if (!upload) throw fieldRefusal('file', text`Choose a file.`);
  const { rows } = await sql<{ number: number }>`select count(*)::integer as number from announcement_file
    where announcement_id = ${id} and to_version is null`.execute(db);
  if ((rows[0]?.number ?? 0) >= mostFiles) throw fieldRefusal('file', messages.files);
  const fileId = await saveFile(ctx, { table: 'announcement', id, tooMany: messages.files }, 'file', upload);
  await db
    .insertInto('announcement_file')
    .values({ announcement_id: id, file_id: fileId, from_version: notice.current_version })
    .execute();
  await refuseLists(ctx, id, await reachOf(ctx, id));
  await audit(ctx, {
    action: 'announcement.file-added',
    entity: 'announcement',
    entityId: id,
    details: { File: upload.name },
  });
  return { id: fileId };
};

/** Removes a file: from a draft for ever, else from its current text, so that earlier readers’ proof keeps it. */
export const removeFile: Handler<typeof announcementApi.removeFile> = async (ctx, { id, file }) => {
  const { db } = ctx;
  const notice = await lockOwn(ctx, id);
  if (!(await mayEdit(ctx, notice))) throw new AppError('conflict', messages.noChange);
  const own = db
    .selectFrom('announcement_file')
    .where('announcement_id', '=', id)
    .where('file_id', '=', file)
    .where('to_version', 'is', null);
  if (!(await own.select('file_id').executeTakeFirst())) throw new AppError('not_found', notFoundMessage);
  if (notice.state === 'Draft') {
    await db.deleteFrom('announcement_file').where('announcement_id', '=', id).where('file_id', '=', file).execute();
    await deleteFile(ctx, file);
  } else
    await db
      .updateTable('announcement_file')
      .set({ to_version: notice.current_version })
      .where('announcement_id', '=', id)
      .where('file_id', '=', file)
      .execute();
  await audit(ctx, { action: 'announcement.file-removed', entity: 'announcement', entityId: id });
  return {};
};
