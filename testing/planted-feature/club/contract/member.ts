import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';

const access = [staff('office')];
const member = z.object({ clubId: id, studentId: id });

export const memberApi = {
  /** Clubs with their number of members. */
  clubs: endpoint({
    method: 'GET',
    path: '/club-option',
    access,
    shows: ['club'],
    input: z.object(optionsInput),
    output: nameOptions,
  }),
  join: endpoint({
    method: 'POST',
    path: '/club-member',
    access,
    changes: ['club'],
    input: member,
    /** Who is told, and how many children the household has. */
    output: z.object({ told: z.string(), children: z.number() }),
  }),
  leave: endpoint({
    method: 'DELETE',
    path: '/club-member',
    access,
    changes: ['club'],
    input: member,
    output: z.object({}),
  }),
};
