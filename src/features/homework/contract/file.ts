import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { changes, path } from './homework.ts';
import { homeworkGivers, homeworkReaders } from './words.ts';

export const homeworkFile: UploadRule = {
  label: text`File`,
  kinds: ['jpeg', 'png', 'pdf'],
  maxBytes: 4 * megabyte,
  wrongType: text`Choose a JPG, PNG or PDF file.`,
  tooLarge: text`Choose a file of at most 4 MB.`,
};

const fileId = z.uuid();

export const fileApi = {
  addFile: endpoint({
    method: 'POST',
    path: `${path}/:id/file`,
    access: homeworkGivers,
    changes,
    files: { file: homeworkFile },
    input: z.object({ id }),
    output: z.object({ id: z.string() }),
  }),
  dropFile: endpoint({
    method: 'DELETE',
    path: `${path}/:id/file/:file`,
    access: homeworkGivers,
    changes,
    input: z.object({ id, file: fileId }),
    output: z.object({}),
  }),
  viewFile: endpoint({
    method: 'GET',
    path: `${path}/:id/file/:file`,
    access: homeworkReaders,
    input: z.object({ id, file: fileId }),
    output: servedFile,
  }),
};
