import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { notFound } from '#kit/server/record/version.ts';
import type { CheckedUpload } from './inspect.ts';

export interface FileOwner {
  table: string;
  id: number;
  /** The refusal beyond the quota, where the owner is no form of a family. */
  tooMany?: Text;
}

/** The most files and bytes that one owner may store (D11). */
const quota = { files: 20, bytes: 60 * 1024 * 1024 };

/**
 * Stores a checked file: first the bytes, then the row in the business transaction; a rollback deletes the bytes.
 * Returns the id. Throws `too_large` when the owner's quota is exceeded.
 */
export async function saveFile(ctx: Context, owner: FileOwner, field: string, upload: CheckedUpload): Promise<string> {
  const { held, bytes } = await ctx.db
    .selectFrom('file')
    .where('owner', '=', owner.table)
    .where('owner_id', '=', owner.id)
    .select(({ fn, val }) => [
      fn.countAll<number>().as('held'),
      fn.coalesce(fn.sum<number>('bytes'), val(0)).as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  if (held >= quota.files || Number(bytes) + upload.bytes.length > quota.bytes) {
    const message = owner.tooMany ?? text`This form has too many files. Remove one, or call the school.`;
    throw new AppError('too_large', message, { fields: { [field]: message } });
  }

  const id = randomUUID();
  ctx.onRollback(() => ctx.files.remove(id));
  await ctx.files.put(id, upload.bytes);
  await ctx.db
    .insertInto('file')
    .values({
      id,
      owner: owner.table,
      owner_id: owner.id,
      media_type: upload.mediaType,
      name: upload.name,
      bytes: upload.bytes.length,
      sha256: upload.sha256,
    })
    .execute();
  return id;
}

/**
 * Deletes a file's row now and its bytes after the commit, unless another record still refers to it. Does nothing for null,
 * so that an absent file needs no `if`.
 */
export async function removeFile(ctx: Context, id: string | null | undefined) {
  if (!id) return;
  const { rows } = await sql<{ isRemoved: boolean }>`select file_remove(${id}::uuid) as "isRemoved"`.execute(ctx.db);
  if (rows[0]?.isRemoved) ctx.afterCommit(() => ctx.files.remove(id));
}

/** The file with this id if this owner has it; `not_found` for another owner's file exactly as for none. */
export async function readFile(ctx: Pick<Context, 'db' | 'files'>, owner: FileOwner, id: string) {
  const row = await ctx.db
    .selectFrom('file')
    .where('id', '=', id)
    .where('owner', '=', owner.table)
    .where('owner_id', '=', owner.id)
    .select(['media_type', 'name'])
    .executeTakeFirstOrThrow(notFound);
  return { mediaType: row.media_type, name: row.name, bytes: await ctx.files.get(id) };
}

/** A file whose reference the caller has read from a record that the user may see; it may have been stored for another record. */
export async function readReferredFile(ctx: Pick<Context, 'db' | 'files'>, id: string) {
  const row = await ctx.db
    .selectFrom('file')
    .where('id', '=', id)
    .select(['media_type', 'name'])
    .executeTakeFirstOrThrow();
  return { mediaType: row.media_type, name: row.name, bytes: await ctx.files.get(id) };
}
