import * as z from 'zod/mini';
import { admin, staff, studentReaders } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { changes, path } from './record.ts';

/** The class teacher of the day takes the photos of the own section. */
export const photoKeepers = [admin(), staff('office', 'classTeacher')] as const;

export const noPhoto = text`Choose a file.`;
const photoRule: UploadRule = {
  label: text`Photo`,
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PNG, JPG or JPEG picture.`,
  tooLarge: text`File size exceeds 2MB`,
  longestSide: 600,
};

export const photoApi = {
  savePhoto: endpoint({
    method: 'POST',
    path: `${path}/:id/photo`,
    access: photoKeepers,
    opens: 'student',
    changes,
    input: z.object({ id }),
    output: z.object({ photo: z.string() }),
    files: { photo: photoRule },
  }),
  removePhoto: endpoint({
    method: 'DELETE',
    path: `${path}/:id/photo`,
    access: photoKeepers,
    changes,
    input: z.object({ id }),
    output: z.object({}),
  }),
  photo: endpoint({
    method: 'GET',
    path: `${path}/photo/:file`,
    access: studentReaders,
    input: z.object({ file: z.uuid() }),
    output: servedFile,
  }),
};
