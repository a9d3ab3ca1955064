import * as z from 'zod/mini';
import { signedIn, staffKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, isRequired, optionalFreeText, rule } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay, neededId } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { changes, shows } from './record.ts';

const path = '/staff';
export const documentStatuses = options('Waiting', 'Verified', 'Rejected');

export const staffDocumentRule: UploadRule = {
  label: text`File`,
  kinds: ['png', 'jpeg', 'pdf'],
  maxBytes: 4 * megabyte,
  wrongType: text`Select a JPG, PNG or PDF file.`,
  tooLarge: text`File size exceeds 4MB`,
};

/** What a keeper has to do about documents; all but a waiting one are due. */
export const documentStates = options('Expired', 'Expiring', 'Missing', 'Waiting');

const document = z.object({
  id: z.number(),
  version: z.number(),
  type: z.string(),
  issuedOn: z.string(),
  expiresOn: z.string(),
  /** From the school's day to the last day on which it is valid, negative once it has expired; null without expiry. */
  daysLeft: z.nullable(z.number()),
  /** It has expired, or the first of its type's days before expiry has come. */
  isExpiring: z.boolean(),
  status: z.enum(documentStatuses),
  /** '' while it waits. */
  decidedBy: z.string(),
  remark: z.string(),
  addedAt: z.iso.datetime(),
});
export type StaffDocument = z.infer<typeof document>;

const expiresOnLabel = text`Expires on`;
/** The refusal of a document without its last day, where its type expires. */
export const needsExpiry = isRequired(expiresOnLabel);

/** The refusal of a document without a file. */
export const noFile = text`Choose a file.`;

/** A document type that this person can have a document of. */
const offered = z.object({ id: z.number(), name: z.string(), hasExpiry: z.boolean() });
export type OfferedType = z.infer<typeof offered>;

export const staffDocumentApi = {
  /** For the person and the keepers; to everyone else the record has no documents. */
  documents: endpoint({
    method: 'GET',
    path: `${path}/:id/document`,
    opens: 'staff',
    access: signedIn,
    shows: [...shows, 'document-type'],
    input: z.object({ id }),
    output: z.object({
      documents: z.array(document),
      types: z.array(offered),
      /** The mandatory types without a verified or waiting document. */
      missing: z.array(z.string()),
    }),
  }),
  /** One's own documents wait for HR; HR's are verified at once. */
  addDocument: endpoint({
    method: 'POST',
    path: `${path}/:id/document`,
    access: signedIn,
    changes,
    input: z
      .object({
        id,
        documentTypeId: neededId(text`Document`),
        issuedOn: calendarDay(text`Issued on`, true),
        /** Required where the document type expires. */
        expiresOn: calendarDay(expiresOnLabel, true),
      })
      .check(
        rule<{ issuedOn: string; expiresOn: string }>(({ issuedOn, expiresOn }, say) => {
          if (issuedOn && expiresOn && expiresOn < issuedOn)
            say('expiresOn', text`Enter a day on or after the issue date.`);
        }),
      ),
    output: z.object({}),
    files: { file: staffDocumentRule },
  }),
  /** Each view is audited. */
  viewDocument: endpoint({
    method: 'GET',
    path: `${path}/:id/document/:document/file`,
    opens: 'staff',
    access: signedIn,
    input: z.object({ id, document: id }),
    output: servedFile,
  }),
  decideDocument: endpoint({
    method: 'POST',
    path: `${path}/:id/document/:document/decide`,
    access: staffKeepers,
    changes,
    input: z
      .object({
        id,
        document: id,
        version: id,
        isVerified: z.boolean(),
        remark: optionalFreeText(text`Remark`, 500),
      })
      .check(
        rule<{ isVerified: boolean; remark: string }>(({ isVerified, remark }, say) => {
          if (isVerified === false && remark === '') say('remark', text`Say why, so that it can be corrected.`);
        }),
      ),
    output: z.object({}),
  }),
  /** One's own until it is verified; the keepers remove any. */
  removeDocument: endpoint({
    method: 'DELETE',
    path: `${path}/:id/document/:document`,
    access: signedIn,
    changes,
    input: z.object({ id, document: id }),
    output: z.object({}),
  }),
};
