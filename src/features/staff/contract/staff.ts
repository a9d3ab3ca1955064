import * as z from 'zod/mini';
import { admin, permissionSets, roles, signedIn } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { field, nameOptions, optionsInput } from '#kit/contract/master.ts';
import type { Page } from '#kit/contract/page.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';

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

/** A member of staff: a short card for colleagues, every field for themselves and for Admins. */
const profile = z.object({
  userID: z.number(),
  name: z.string(),
  picture: z.string(),
  email: z.string(),
  isOwn: z.boolean(),
  /** The reader may change the account. */
  isEditable: z.boolean(),
  account: z.nullable(
    z.object({
      mobile: z.string(),
      userName: z.string(),
      roles: z.array(z.enum(roles)),
      sets: z.array(z.enum(permissionSets)),
      hasPassword: z.boolean(),
      /** Of the user's own page: changing email and mobile needs a sign-in with the password, as for an Admin. */
      needsPassword: z.boolean(),
    }),
  ),
});
export type Profile = z.infer<typeof profile>;

const path = '/staff';
const nothing = z.object({});

export const staffApi = {
  /** All staff, for the fields that point to a member of staff. */
  options: endpoint({
    method: 'GET',
    path: `${path}/option`,
    access: [admin()],
    shows: ['staff'],
    input: z.object(optionsInput),
    output: nameOptions,
  }),
  profile: endpoint({
    method: 'GET',
    path: `${path}/:userID/profile`,
    access: signedIn,
    shows: ['staff', 'account'],
    input: z.object({ userID: id }),
    output: profile,
  }),
  /** The user's own picture. */
  savePicture: endpoint({
    method: 'POST',
    path: `${path}/picture`,
    access: signedIn,
    changes: ['staff'],
    input: nothing,
    output: z.object({ picture: z.string() }),
    files: { picture: staffPicture },
  }),
  picture: endpoint({
    method: 'GET',
    path: `${path}/picture/:id`,
    access: signedIn,
    input: z.object({ id: z.uuid() }),
    output: servedFile,
  }),
};

/** The staff, as a target of other records' fields. */
export const staffNames = {
  table: 'staff',
  labelFields: ['name'],
  isPeople: true,
  fields: { name: field.text(text`Name`, { max: 100 }) },
  options: staffApi.options,
};

export const staffPages = [
  { path: 'staff/view-staff/$userID', title: text`Profile` },
  {
    path: 'staff/staff-list',
    title: text`Staff List`,
    sets: ['hr', 'principal', 'office', 'accountant'],
    search: ['tab', 'search'],
  },
] as const satisfies readonly Page[];
