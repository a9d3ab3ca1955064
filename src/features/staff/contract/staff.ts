import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { staffOptions } from '#access/contract/staff-names.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { changes } from './record.ts';

/** The refusal of a save without a picture. */
export const noPicture = text`Choose a file.`;

const staffPicture: UploadRule = {
  label: text`Picture`,
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PNG, JPG or JPEG picture.`,
  tooLarge: text`File size exceeds 2MB`,
  longestSide: 600,
};

const path = '/staff';
const nothing = z.object({});

export const staffApi = {
  options: staffOptions,
  /** One's own picture, or that of a person whose record the user keeps. */
  savePicture: endpoint({
    method: 'POST',
    path: `${path}/:id/picture`,
    access: signedIn,
    opens: 'staff',
    changes,
    input: z.object({ id }),
    output: z.object({ picture: z.string() }),
    files: { picture: staffPicture },
  }),
  removePicture: endpoint({
    method: 'DELETE',
    path: `${path}/:id/picture`,
    access: signedIn,
    changes,
    input: z.object({ id }),
    output: nothing,
  }),
  picture: endpoint({
    method: 'GET',
    path: `${path}/picture/:id`,
    access: signedIn,
    input: z.object({ id: z.uuid() }),
    output: servedFile,
  }),
};
