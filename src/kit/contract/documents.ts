import * as z from 'zod/mini';
import { endpoint, type Grant } from './endpoint.ts';
import { id, isRequired, optionalFreeText, rule } from './fields.ts';
import { servedFile } from './served-file.ts';
import { calendarDay, neededId } from './shell-fields.ts';
import { options, text } from './text.ts';
import { megabyte, type UploadRule } from './uploads.ts';

const documentStatuses = options('Waiting', 'Verified', 'Rejected');

const documentRule: UploadRule = {
  label: text`File`,
  kinds: ['png', 'jpeg', 'pdf'],
  maxBytes: 4 * megabyte,
  wrongType: text`Select a JPG, PNG or PDF file.`,
  tooLarge: text`File size exceeds 4MB`,
};

export const shownDocument = z.object({
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
export type RecordDocument = z.infer<typeof shownDocument>;

const expiresOnLabel = text`Expires on`;
/** The refusal of a document without its last day, where its type expires. */
export const needsExpiry = isRequired(expiresOnLabel);

/** The refusal of a document without a file. */
export const noFile = text`Choose a file.`;

/** A document type that this record can have a document of. */
const offered = z.object({ id: z.number(), name: z.string(), hasExpiry: z.boolean() });
export type OfferedType = z.infer<typeof offered>;

interface Given {
  /** The records' own path, and their kind. */
  path: string;
  opens: string;
  shows: readonly string[];
  changes: readonly string[];
  /** Who reads them, as far as their scope reaches. */
  read: readonly Grant[];
  /** Who adds and removes them. */
  keep: readonly Grant[];
  /** Who verifies and rejects them. */
  decide: readonly Grant[];
}

/** The documents of a record of a person, each with a file, a verification and perhaps an expiry. */
export const documentsOf = ({ path, opens, shows, changes, read, keep, decide }: Given) => ({
  documents: endpoint({
    method: 'GET',
    path: `${path}/:id/document`,
    opens,
    access: read,
    shows,
    input: z.object({ id }),
    output: z.object({
      documents: z.array(shownDocument),
      types: z.array(offered),
      /** The mandatory types without a verified or waiting document. */
      missing: z.array(z.string()),
    }),
  }),
  /** A keeper's are verified at once; others wait. */
  addDocument: endpoint({
    method: 'POST',
    path: `${path}/:id/document`,
    access: keep,
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
    files: { file: documentRule },
  }),
  /** Each view is audited. */
  viewDocument: endpoint({
    method: 'GET',
    path: `${path}/:id/document/:document/file`,
    opens,
    access: read,
    input: z.object({ id, document: id }),
    output: servedFile,
  }),
  decideDocument: endpoint({
    method: 'POST',
    path: `${path}/:id/document/:document/decide`,
    access: decide,
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
  /** The keepers remove any; others one that is not verified. */
  removeDocument: endpoint({
    method: 'DELETE',
    path: `${path}/:id/document/:document`,
    access: keep,
    changes,
    input: z.object({ id, document: id }),
    output: z.object({}),
  }),
});
export type DocumentApi = ReturnType<typeof documentsOf>;
