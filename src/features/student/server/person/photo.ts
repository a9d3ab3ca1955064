import { studentReaders } from '#access/contract/grants.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { readReferredFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { noPhoto, photoApi, photoKeepers } from '../../contract/photo.ts';
import { requireStudent } from '../visible.ts';

/** A photo's address; '' without one. */
export const photoOf = (fileId: string | null) => (fileId ? `/api/student/photo/${fileId}` : '');

/** A student's documents and photo share one quota. */
export const ownerOf = (studentId: number) => ({
  table: 'student',
  id: studentId,
  tooMany: text`This record has too many files. Remove a document that is out of date.`,
});

const savePhoto: Handler<typeof photoApi.savePhoto> = async (ctx, { id }) => {
  await requireStudent(ctx, id, photoKeepers);
  const { photo } = ctx.uploads;
  if (!photo) throw fieldRefusal('photo', noPhoto);
  const before = await lockPhoto(ctx, id);
  const saved = await saveFile(ctx, ownerOf(id), 'photo', photo);
  await setPhoto(ctx, id, saved);
  await removeFile(ctx, before);
  await audit(ctx, { action: 'student.photo-saved', entity: 'student', entityId: id });
  return { photo: photoOf(saved) };
};

const removePhoto: Handler<typeof photoApi.removePhoto> = async (ctx, { id }) => {
  await requireStudent(ctx, id, photoKeepers);
  const before = await lockPhoto(ctx, id);
  if (!before) throw new AppError('not_found', notFoundMessage);
  await setPhoto(ctx, id, null);
  await removeFile(ctx, before);
  await audit(ctx, { action: 'student.photo-removed', entity: 'student', entityId: id });
  return {};
};

async function lockPhoto({ db }: UserContext, id: number) {
  const { photo_id } = await db
    .selectFrom('student')
    .where('id', '=', id)
    .select('photo_id')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return photo_id;
}

/** Without a new version: a clerk who edits the record beside it loses nothing. */
const setPhoto = ({ db }: UserContext, id: number, photo_id: string | null) =>
  db.updateTable('student').set({ photo_id }).where('id', '=', id).execute();

const photo: Handler<typeof photoApi.photo> = async (ctx, { file }) => {
  const owner = await ctx.db
    .selectFrom('student')
    .where('photo_id', '=', file)
    .select('id')
    .executeTakeFirstOrThrow(notFound);
  await requireStudent(ctx, owner.id, studentReaders);
  return readReferredFile(ctx, file);
};

export const photoRoutes = routes(photoApi, { savePhoto, removePhoto, photo });
