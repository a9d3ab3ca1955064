import * as z from 'zod/mini';
import { permissionSets, roles, signedIn } from '#access/contract/grants.ts';
import { staffOptions } from '#access/contract/staff-names.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { changes } from './record.ts';

/** The refusal of a save without a picture. */
export const noPicture = text`Choose a file.`;

export const staffPicture: UploadRule = {
  label: text`Picture`,
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PNG, JPG or JPEG picture.`,
  tooLarge: text`File size exceeds 2MB`,
  longestSide: 600,
};

/** What a person's own page says of their account. */
const ownAccount = z.object({
  userName: z.string(),
  roles: z.array(z.enum(roles)),
  sets: z.array(z.enum(permissionSets)),
  hasPassword: z.boolean(),
  /** Changing email and mobile needs a sign-in with the password, as for an Admin. */
  needsPassword: z.boolean(),
});
export type OwnAccount = z.infer<typeof ownAccount>;

const path = '/staff';
const nothing = z.object({});

export const staffApi = {
  options: staffOptions,
  ownAccount: endpoint({
    method: 'GET',
    path: `${path}/own-account`,
    access: signedIn,
    shows: ['account'],
    input: nothing,
    output: ownAccount,
  }),
  /** One's own picture, or that of a person whose record the user keeps. */
  savePicture: endpoint({
    method: 'POST',
    path: `${path}/:id/picture`,
    access: signedIn,
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
