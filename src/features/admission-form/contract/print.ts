import { endpoint } from '#kit/contract/endpoint.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { noInput, path } from './form.ts';

/** Hours after the submission in which the link gives the family its answers as a PDF; later it asks the school. */
export const printHours = 24;

export const printApi = {
  /** The submitted answers as a PDF. In a correction, and later, answered as if there were none. */
  print: endpoint({
    method: 'GET',
    path: `${path}/print`,
    access: 'link',
    envelope: true,
    input: noInput,
    output: servedFile,
  }),
};
