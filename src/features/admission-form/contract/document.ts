import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, oneOf, optionalFreeText, optionalId, rule } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { envelope, formKeys, noInput, path } from './form.ts';

export const documentNames = options('Birth Certificate', 'Aadhar Card', 'No Due Certificate', 'Other');
export const requiredDocuments = ['Birth Certificate', 'Aadhar Card'] as const;

const byBirthCertificate = ['firstName', 'lastName', 'gender', 'birthDate'];
const ofParents = ['fatherFirstName', 'fatherLastName', 'motherFirstName', 'motherLastName'];

/** The document that proves an answer, by the answer's field. */
export const provenBy: ReadonlyMap<string, (typeof documentNames)[number]> = new Map([
  ...[...byBirthCertificate, ...ofParents].map((field) => [field, 'Birth Certificate'] as const),
  ['aadharCardNo', 'Aadhar Card'] as const,
]);

export const documentSaved = text`File Uploded Successfully`;
export const documentRemoved = text`Document Deleted Successfully`;
export const documentTwice = text`Document already uploded please select another document`;
export const documentFileRequired = text`Choose a file.`;
const descriptionRequired = text`Description is Required`;

export const documentFile: UploadRule = {
  label: text`Document`,
  kinds: ['jpeg', 'png', 'pdf'],
  maxBytes: 4 * megabyte,
  wrongType: text`File select valid file`,
  tooLarge: text`File select up 4 Mb file`,
};

export const documentDraft = z
  .object({
    ...formKeys,
    studentAdmissionDocumentsID: z.optional(optionalId),
    documentName: oneOf(text`Document Name`, documentNames, { required: text`Document Name is Required` }),
    otherDocumentDescription: optionalFreeText(text`Description`, 1000),
  })
  .check(
    rule((draft, say) => {
      if (draft.documentName === 'Other' && !draft.otherDocumentDescription) {
        say('otherDocumentDescription', descriptionRequired);
      }
    }),
  );

const document = z.object({
  studentAdmissionDocumentsID: z.number(),
  documentName: z.string(),
  documentFilePath: z.string(),
  documentFileType: z.string(),
  otherDocumentDescription: z.string(),
  /** The school asks for another file; the next upload of this name replaces it. */
  isRejected: z.boolean(),
});
export type AdmissionDocument = z.infer<typeof document>;

const output = envelope('resultList', document);
const url = `${path}/documents`;

export const documentApi = {
  list: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  add: endpoint({
    method: 'POST',
    path: url,
    access: 'link',
    envelope: true,
    input: documentDraft,
    output,
    files: { DocumentIFormFile: documentFile },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${url}/:id`,
    access: 'link',
    envelope: true,
    input: z.extend(noInput, { id }),
    output,
  }),
  file: endpoint({
    method: 'GET',
    path: `${path}/files/:id`,
    access: 'link',
    envelope: true,
    input: z.extend(noInput, { id: z.uuid() }),
    output: servedFile,
  }),
};
