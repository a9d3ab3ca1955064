import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { servedFile } from '#kit/contract/served-file.ts';

export const manifestApi = {
  /** What a phone needs to put the family page on its home screen, under the school's name; the same for everyone. */
  manifest: endpoint({
    method: 'GET',
    path: '/family/manifest',
    access: 'public',
    input: z.object({}),
    output: servedFile,
  }),
};
