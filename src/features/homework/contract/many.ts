import * as z from 'zod/mini';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { changes, path } from './homework.ts';
import { homeworkClosers, homeworkGivers } from './words.ts';

const input = z.object({ selection, confirmToken });

export const manyApi = {
  /** Closes published homework. */
  closeMany: endpoint({
    method: 'POST',
    path: `${path}/close-many`,
    access: homeworkClosers,
    changes,
    input,
    output: bulkAnswer,
  }),
  /** Closes all published homework of a year that has ended, however much. */
  closeYear: endpoint({
    method: 'POST',
    path: `${path}/close-year`,
    access: homeworkClosers,
    changes,
    input: z.object({ yearId: id, confirmToken }),
    output: bulkAnswer,
  }),
  /** Publishes drafts at once; those over the limit or due too early are skipped. */
  publishMany: endpoint({
    method: 'POST',
    path: `${path}/publish-many`,
    access: homeworkGivers,
    changes,
    input,
    output: bulkAnswer,
  }),
};
