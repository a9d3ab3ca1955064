import * as z from 'zod/mini';

/** The output of an operation that answers with a file's bytes instead of JSON. */
export const servedFile = z.object({
  mediaType: z.string(),
  name: z.string(),
  bytes: z.custom<Uint8Array>((given) => given instanceof Uint8Array),
});
