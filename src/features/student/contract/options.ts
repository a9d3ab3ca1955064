import * as z from 'zod/mini';
import { type Access, endpoint } from '#kit/contract/endpoint.ts';
import { optionsInput, peopleOptions } from '#kit/contract/field.ts';

/** The students whom readers by this access reach, as choices of a field: `studentOptions` of the server answers. */
export const studentOptionsAt = <const Path extends string, const To extends Access>(
  path: Path,
  access: To,
  alsoShows: readonly string[] = [],
) =>
  endpoint({
    method: 'GET',
    path,
    access,
    shows: ['student', ...alsoShows],
    input: z.object(optionsInput),
    output: peopleOptions,
  });
