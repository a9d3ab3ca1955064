import * as z from 'zod/mini';
import { tag } from '#features/tag/contract/tag.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { noteAccess } from './words.ts';

const path = '/observation-note';
const fileRule: UploadRule = {
  label: text`File`,
  kinds: ['png', 'jpeg', 'pdf'],
  maxBytes: 4 * megabyte,
  wrongType: text`Select a JPG, PNG or PDF file.`,
  tooLarge: text`File size exceeds 4MB`,
};
const ids = z.array(id).check(z.maxLength(50));
const shows = ['observation-attached', 'observation-note', 'tag', 'tag-group'] as const;

export const attachedMessages = {
  tooMany: text`A note has at most five files.`,
  noFile: text`Choose a file.`,
  restricted: text`A restricted note has no tags.`,
};

/** The tags of notes, for the filter of the list. */
export const noteTags = endpoint({
  method: 'GET',
  path: `${path}/tag-option`,
  access: noteAccess,
  shows: ['tag', 'tag-group'],
  input: z.object(optionsInput),
  output: nameOptions,
});

/** Files and tags of a note: for its readers, of a restricted note for its author. */
export const attachedApi = {
  attached: endpoint({
    method: 'GET',
    path: `${path}/:id/attached`,
    access: noteAccess,
    shows,
    opens: 'observation_note',
    input: z.object({ id }),
    output: z.object({
      files: z.array(z.object({ id: z.string(), name: z.string() })),
      tags: z.array(tag),
      /** The tags that the reader may choose from; none for those who may not change them. */
      offered: z.array(tag),
      mayAddFile: z.boolean(),
    }),
  }),
  addFile: endpoint({
    method: 'POST',
    path: `${path}/:id/file`,
    access: noteAccess,
    changes: ['observation-attached'],
    input: z.object({ id }),
    output: z.object({}),
    files: { file: fileRule },
  }),
  file: endpoint({
    method: 'GET',
    path: `${path}/:id/file/:file`,
    access: noteAccess,
    shows,
    opens: 'observation_note',
    input: z.object({ id, file: z.uuid() }),
    output: servedFile,
  }),
  /** Replaces the tags that the user sees; refuses it where they are no longer those of `before`. */
  saveTags: endpoint({
    method: 'PUT',
    path: `${path}/:id/tag`,
    access: noteAccess,
    changes: ['observation-attached', 'observation-note', 'tag'],
    input: z.object({ id, before: ids, tags: ids }),
    output: z.object({}),
  }),
};
