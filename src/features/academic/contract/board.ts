import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';

const board = z.object({ boardID: z.number(), board: z.string() });

export const boardApi = {
  list: endpoint({
    method: 'GET',
    path: '/academic/board-list',
    access: signedIn,
    shows: ['board'],
    input: z.object({}),
    output: z.array(board),
  }),
};
