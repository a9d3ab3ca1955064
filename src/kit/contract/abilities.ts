import * as z from 'zod/mini';

/** What the reader of a record may do with it now, by act: part of the record's output. */
export const abilities = <const Act extends string>(...acts: Act[]) =>
  z.object(Object.fromEntries(acts.map((act) => [act, z.boolean()])) as { [Name in Act]: z.ZodMiniBoolean });
