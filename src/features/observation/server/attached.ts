import { offeredTags, readTags, setTags, tagOptions } from '#features/tag/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { readReferredFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { stale } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { attachedApi, attachedMessages, noteTags } from '../contract/attached.ts';
import { noteMessages } from '../contract/note.ts';
import { mayReadText } from './note.ts';
import { type FoundNote, requireNote } from './readable.ts';

const isRestricted = ({ reach }: FoundNote) => reach === 'Restricted';

const filesOf = ({ db }: UserContext, noteId: number) =>
  db
    .selectFrom('observation_note_file as own')
    .innerJoin('file', 'file.id', 'own.file_id')
    .where('own.note_id', '=', noteId)
    .select(['file.id', 'file.name'])
    .orderBy('file.stored_at')
    .orderBy('file.id')
    .execute();

const tagsOf = async (ctx: UserContext, id: number) => (await readTags(ctx, 'Observation', [id])).get(id) ?? [];

const attached: Handler<typeof attachedApi.attached> = async (ctx, { id }) => {
  const note = await requireNote(ctx, id);
  const isOpen = note.isOwn && !note.isWithdrawn;
  return {
    files: mayReadText(ctx, note) ? await filesOf(ctx, id) : [],
    tags: await tagsOf(ctx, id),
    offered: isOpen && !isRestricted(note) ? await offeredTags(ctx, 'Observation') : [],
    mayAddFile: isOpen,
  };
};

/** A note of the user, locked; others read it and may not add to it. */
async function lockOwn(ctx: UserContext, id: number) {
  const note = await requireNote(ctx, id, true);
  if (!note.isOwn) throw new AppError('not_found', notFoundMessage);
  if (note.isWithdrawn) throw new AppError('conflict', noteMessages.withdrawn);
  return note;
}

/** A file can be added at any time and never removed, like an addendum. */
const addFile: Handler<typeof attachedApi.addFile> = async (ctx, { id }) => {
  await lockOwn(ctx, id);
  const upload = ctx.uploads.file;
  if (!upload) throw fieldRefusal('file', attachedMessages.noFile);
  if ((await filesOf(ctx, id)).length >= 5) throw fieldRefusal('file', attachedMessages.tooMany);
  const owner = { table: 'observation_note', id, tooMany: attachedMessages.tooMany };
  const file_id = await saveFile(ctx, owner, 'file', upload);
  await ctx.db.insertInto('observation_note_file').values({ file_id, note_id: id }).execute();
  await audit(ctx, { action: 'observation.file-added', entity: 'observation_note', entityId: id });
  return {};
};

const file: Handler<typeof attachedApi.file> = async (ctx, { id, file: fileId }) => {
  const note = await requireNote(ctx, id);
  const found = mayReadText(ctx, note) && (await filesOf(ctx, id)).some((one) => one.id === fileId);
  if (!found) throw new AppError('not_found', notFoundMessage);
  return readReferredFile(ctx, fileId);
};

const saveTags: Handler<typeof attachedApi.saveTags> = async (ctx, { id, before, tags }) => {
  const note = await lockOwn(ctx, id);
  if (isRestricted(note)) throw fieldRefusal('tags', attachedMessages.restricted);
  const now = (await tagsOf(ctx, id)).map((tag) => tag.id);
  if (now.length !== before.length || now.some((one) => !before.includes(one))) throw stale();
  await setTags(ctx, 'Observation', id, tags);
  return {};
};

export const attachedRoutes = [
  ...routes(attachedApi, { attached, addFile, file, saveTags }),
  ...routes({ noteTags }, { noteTags: (ctx, input) => tagOptions(ctx, 'Observation', input) }),
];
