import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { email, freeText, id, oneOf, optionalFreeText } from '#kit/contract/fields.ts';
import { colours } from '#kit/contract/palette.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';

const access = [admin()];

const pictureRule = (label: Text): UploadRule => ({
  label,
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PNG, JPG or JPEG picture.`,
  tooLarge: text`File size exceeds 2MB`,
  longestSide: 600,
});

/** Facts of the school that the form, messages and documents show. */
const profile = {
  name: freeText(text`Name`, 200),
  nameLocal: optionalFreeText(text`Name in local script`, 200),
  trustName: optionalFreeText(text`Trust or society`, 200),
  udiseCode: optionalFreeText(text`UDISE code`, 11, { like: /^[0-9]{11}$/, unlike: text`Enter 11 digits.` }),
  affiliationNo: optionalFreeText(text`Affiliation numbers`, 60),
  address: optionalFreeText(text`Address`, 300),
  addressLocal: optionalFreeText(text`Address in local script`, 300),
  city: freeText(text`City`, 60),
  phone: freeText(text`Phone`, 60),
  email: email(text`Email address`),
  website: optionalFreeText(text`Website`, 100),
  principal: optionalFreeText(text({ message: 'Principal', context: 'name' }), 100),
  hours: freeText(text`Office hours`, 100),
  hospitalText: freeText(text`Emergency treatment statement`, 1000),
  colour: oneOf(text`Colour of the school`, colours),
  financialYearMonth: wholeNumber(text`First month of the financial year`, { least: 1, most: 12 }),
};

/** The refusal of a save without a picture. */
export const noPicture = text`Choose a file.`;

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
    changes: ['school'],
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
    files: { logo: pictureRule(text`Logo`) },
  }),
  /** Whether documents carry the principal's signature. */
  paper: endpoint({
    method: 'GET',
    path: `${path}/paper`,
    access,
    shows: ['school'],
    input: z.object({}),
    output: z.object({ hasSignature: z.boolean() }),
  }),
  /** The picture of the principal's signature. */
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
    files: { signature: pictureRule(text`Signature`) },
  }),
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
};

export const profileNames = Object.keys(profile) as (keyof typeof profile)[];
