import * as z from 'zod/mini';
import { signedIn } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, optionalFreeText, rule } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay, neededId } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { changes, shows, staffKeepers } from './record.ts';

const path = '/staff';
export const documentStatuses = options('Waiting', 'Verified', 'Rejected');

export const staffDocumentRule: UploadRule = {
  label: text`File`,
  kinds: ['png', 'jpeg', 'pdf'],
  maxBytes: 4 * megabyte,
  wrongType: text`Select a JPG, PNG or PDF file.`,
  tooLarge: text`File size exceeds 4MB`,
};

const document = z.object({
  id: z.number(),
  version: z.number(),
  type: z.string(),
  fileId: z.string(),
  issuedOn: z.string(),
  expiresOn: z.string(),
  status: z.enum(documentStatuses),
  decidedBy: z.string(),
  remark: z.string(),
  addedAt: z.iso.datetime(),
});
export type StaffDocument = z.infer<typeof document>;

export const staffDocumentApi = {
  documents: endpoint({
    method: 'GET',
    path: `${path}/:id/document`,
    access: signedIn,
    shows: [...shows, 'document-type'],
    input: z.object({ id }),
    output: z.object({ documents: z.array(document), missing: z.array(z.string()) }),
  }),
  /** One's own documents wait for HR; HR's are verified at once. */
  addDocument: endpoint({
    method: 'POST',
    path: `${path}/:id/document`,
    access: signedIn,
    changes,
    input: z.object({
      id,
      documentTypeId: neededId(text`Document`),
      issuedOn: calendarDay(text`Issued on`, true),
      expiresOn: calendarDay(text`Expires on`, true),
    }),
    output: z.object({}),
    files: { file: staffDocumentRule },
  }),
  /** Each view is audited. */
  viewDocument: endpoint({
    method: 'GET',
    path: `${path}/:id/document/:document/file`,
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
  removeDocument: endpoint({
    method: 'DELETE',
    path: `${path}/:id/document/:document`,
    access: staffKeepers,
    changes,
    input: z.object({ id, document: id }),
    output: z.object({}),
  }),
};
