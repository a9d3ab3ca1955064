import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { email, id, optionalText, text, tick } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';

const access = [admin()];

const pictureRule = (label: string): UploadRule => ({
  label,
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: 'Select a PNG, JPG or JPEG picture.',
  tooLarge: 'File size exceeds 2MB',
  longestSide: 600,
});

/** What the school says of itself, on the form, in messages and on paper. */
const profile = {
  name: text('Name', 200),
  trustName: optionalText('Trust or society', 200),
  udiseCode: optionalText('UDISE code', 11, { like: /^[0-9]{11}$/, unlike: 'A UDISE code has 11 digits.' }),
  affiliationNo: optionalText('Affiliation numbers', 60),
  address: optionalText('Address', 300),
  city: text('City', 60),
  phone: text('Phone', 60),
  email: email('E-mail address'),
  website: optionalText('Website', 100),
  principal: optionalText('Principal', 100),
  hours: text('Office hours', 100),
  hospitalText: text('What the school does in an emergency', 1000),
  financialYearMonth: wholeNumber('First month of the financial year', { least: 1, most: 12 }),
};

/** What the school may choose of how the system works. */
const settings = {
  linkDays: wholeNumber('Days for which a form’s link is open', { least: 1, most: 365 }),
  asksConsent: tick('Ask parents for their consent before the form'),
  asksAdminCode: tick('Ask Admins for a code after the password'),
  showsDashboardWords: tick('Show “dashboard works!” in place of the dashboard'),
};

const version = { rowVersion: id };
const saved = z.object({ rowVersion: z.number() });
const stored = z.looseObject({ rowVersion: z.number() });
const path = '/academic/school';

export const profileApi = {
  profile: endpoint({ method: 'GET', path, access, shows: ['school'], input: z.object({}), output: stored }),
  /** Families' messages and withdrawn consents go to the email address, and the name is on every certificate. */
  saveProfile: endpoint({
    method: 'PUT',
    path,
    access,
    changes: ['school', 'settings'],
    isConfirmed: true,
    isReported: true,
    input: z.object({ ...profile, ...version }),
    output: saved,
  }),
  saveLogo: endpoint({
    method: 'POST',
    path: `${path}/logo`,
    access,
    changes: ['school'],
    input: z.object({}),
    output: z.object({}),
    files: { logo: pictureRule('Logo') },
  }),
  /** What stands on papers beside the profile and the logo. */
  paper: endpoint({
    method: 'GET',
    path: `${path}/paper`,
    access,
    shows: ['school'],
    input: z.object({}),
    output: z.object({ hasSignature: z.boolean() }),
  }),
  /** The principal's signature; nobody but an Admin sees it apart from a paper. */
  signature: endpoint({
    method: 'GET',
    path: `${path}/signature`,
    access,
    input: z.object({}),
    output: servedFile,
  }),
  saveSignature: endpoint({
    method: 'POST',
    path: `${path}/signature`,
    access,
    changes: ['school'],
    isConfirmed: true,
    isReported: true,
    input: z.object({}),
    output: z.object({}),
    files: { signature: pictureRule('Signature') },
  }),
  /** From then on papers have an empty line. */
  removeSignature: endpoint({
    method: 'DELETE',
    path: `${path}/signature`,
    access,
    changes: ['school'],
    isConfirmed: true,
    isReported: true,
    input: z.object({}),
    output: z.object({}),
  }),
  settings: endpoint({
    method: 'GET',
    path: `${path}/settings`,
    access,
    shows: ['settings'],
    input: z.object({}),
    output: stored,
  }),
  /** How people sign in is among them, so it asks for a fresh proof (A24). */
  saveSettings: endpoint({
    method: 'PUT',
    path: `${path}/settings`,
    access,
    changes: ['school', 'settings'],
    isConfirmed: true,
    isReported: true,
    input: z.object({ ...settings, ...version }),
    output: saved,
  }),
};

export const profileNames = Object.keys(profile) as (keyof typeof profile)[];
export const settingNames = Object.keys(settings) as (keyof typeof settings)[];
