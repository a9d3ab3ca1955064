import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, type OptionsEndpoint, optionsInput } from '#kit/contract/field.ts';
import { answered, away, busy, done } from './answers.ts';
import { longWords } from './section.tsx';

const treesAt = (path: string) =>
  endpoint({ method: 'GET', path, access: 'public', input: z.object(optionsInput), output: nameOptions });

const names = ['Ash', 'Elm', 'Oak', longWords];

const makeRows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: names[index] ?? `Tree ${index + 1}`,
    isActive: true,
  }));

/** Lists for a picker, as the gallery's server answers them. */
export const trees: Record<'few' | 'many' | 'none' | 'slow' | 'away', OptionsEndpoint> = {
  few: answered(treesAt('/kit/tree-few'), done(makeRows(4))),
  many: answered(treesAt('/kit/tree-many'), done(makeRows(32))),
  none: answered(treesAt('/kit/tree-none'), done([])),
  slow: answered(treesAt('/kit/tree-slow'), busy),
  away: answered(treesAt('/kit/tree-away'), away),
};
