import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { languageKeys } from '#kit/contract/languages.ts';
import { formKeys, path } from './form.ts';

export const pageLanguageApi = {
  /** The language that the family reads, which its messages get until it answers the question about it. */
  choose: endpoint({
    method: 'PUT',
    path: `${path}/language`,
    access: 'link',
    envelope: true,
    input: z.object({ ...formKeys, language: z.enum(languageKeys) }),
    output: z.object({ isSuccess: z.boolean(), message: z.string() }),
  }),
};
