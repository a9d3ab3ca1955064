import * as z from 'zod/mini';
import { oneNameInput } from '#features/school/contract/one-name.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { asOptional, inputOf, pick } from '#kit/contract/field.ts';
import { freeText, id, oneOf, optionalFreeText, rule, tick } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { changes, path, personalForm, shows, timelineReaders } from './record.ts';

/** The entries of the general register, in the order of the form. */
export const registerNames = [
  'firstName',
  'middleName',
  'lastName',
  'firstNameLocal',
  'middleNameLocal',
  'lastNameLocal',
  'gender',
  'birthDate',
  'birthPlace',
  'birthPlaceLocal',
  'nationalityId',
  'motherTongueId',
  'religionId',
  'casteCategoryId',
  'caste',
  'subCaste',
] as const;
export type RegisterName = (typeof registerNames)[number];
/** Entries that are empty are filled in freely; an empty last name says that there is none. */
export const isEntry = (name: string, value: unknown) =>
  registerNames.includes(name as RegisterName) && (name === 'lastName' || (value ?? '') !== '');
export const registerFields = pick(personalForm, ...registerNames);
/** In a correction only the chosen one is filled. */
export const correctedFields = Object.fromEntries(
  registerNames.map((name) => [name, asOptional(registerFields[name])]),
) as { [Name in RegisterName]: (typeof registerFields)[Name] & { optional: true } };

export const correctionKinds = options('Clerical mistake', 'By order');
const correctionStates = options('Asked', 'Done', 'Rejected', 'Withdrawn');

const paper: UploadRule = {
  label: text`Paper`,
  kinds: ['pdf', 'png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PDF, PNG, JPG or JPEG file.`,
  tooLarge: text`File size exceeds 2MB`,
};

export const correctionMessages = {
  paper: text`Attach the paper that shows the right entry.`,
  needed: text`Enter what the order says.`,
  open: text`A correction of this entry is waiting for the principal.`,
};

/** A clerical mistake in these needs the paper that was handed in. */
export const needsPaper: readonly RegisterName[] = ['firstName', 'lastName', 'birthDate', 'casteCategoryId', 'caste'];

const hasOrder = rule<{ kind: string; authority: string; orderNo: string; orderOn: string }>(
  ({ kind, authority, orderNo, orderOn }, say) => {
    if (kind !== 'By order') return;
    if (authority === '') say('authority', correctionMessages.needed);
    if (orderNo === '') say('orderNo', correctionMessages.needed);
    if (orderOn === '') say('orderOn', correctionMessages.needed);
  },
);

/** A correction as the record shows it. */
export const correction = z.object({
  id: z.number(),
  field: z.enum(registerNames),
  oldValue: z.string(),
  newValue: z.string(),
  kind: z.enum(correctionKinds),
  reason: z.string(),
  authority: z.string(),
  orderNo: z.string(),
  orderOn: z.string(),
  hasPaper: z.boolean(),
  status: z.enum(correctionStates),
  askedBy: z.string(),
  /** The day on which it was asked for, and on which it was decided; '' while it waits. */
  askedOn: z.string(),
  doneBy: z.string(),
  doneOn: z.string(),
});
export type Correction = z.infer<typeof correction>;

export const correctionApi = {
  /** The corrections of a student, the latest first, and what another one would touch. */
  list: endpoint({
    method: 'GET',
    path: `${path}/:id/correction`,
    access: timelineReaders,
    shows: [...shows, 'approval'],
    opens: 'student',
    input: z.object({ id }),
    output: z.object({
      corrections: z.array(correction),
      /** Since which day entries change by a correction alone; '' while they are open. */
      closedOn: z.string(),
      openUntil: z.string(),
      /** The principal decides: a certificate is with the family. */
      needsSecond: z.boolean(),
      /** What happens to certificates that print an entry. */
      touches: z.array(z.object({ fields: z.array(z.enum(registerNames)), text: anyText })),
    }),
  }),
  /** Corrects one entry at once, or asks the principal where a certificate is with the family. */
  correct: endpoint({
    method: 'POST',
    path: `${path}/:id/correction`,
    access: timelineReaders,
    opens: 'student',
    changes: [...changes, 'approval', 'notification'],
    files: { paper },
    input: z
      .object({
        id,
        field: oneOf(text`Entry`, registerNames),
        ...inputOf(correctedFields),
        ...oneNameInput,
        kind: oneOf(text`Why`, correctionKinds),
        reason: freeText(text`Reason`, 300),
        authority: optionalFreeText(text`Authority`, 120),
        orderNo: optionalFreeText(text`Order number`, 60),
        orderOn: calendarDay(text`Order of`, true),
        isPrinted: tick(text`Print the correction on certificates`),
      })
      .check(hasOrder),
    output: z.object({ id: z.number(), isDone: z.boolean() }),
  }),
  file: endpoint({
    method: 'GET',
    path: `${path}/:id/correction/:correction/file`,
    access: timelineReaders,
    opens: 'student',
    input: z.object({ id, correction: id }),
    output: servedFile,
  }),
};
