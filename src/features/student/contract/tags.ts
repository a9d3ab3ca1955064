import * as z from 'zod/mini';
import { admin, staff, studentReaders } from '#access/contract/grants.ts';
import { tag } from '#features/tag/contract/tag.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { changes, path, shows } from './record.ts';

export const tagKeepers = [admin(), staff('office', 'principal', 'classTeacher')] as const;

const ids = z.array(id).check(z.maxLength(50));

export const studentTagApi = {
  tags: endpoint({
    method: 'GET',
    path: `${path}/:id/tag`,
    access: studentReaders,
    shows: [...shows, 'tag', 'tag-group'],
    opens: 'student',
    input: z.object({ id }),
    output: z.object({
      tags: z.array(tag),
      /** The tags that the reader may choose from; none for those who may not change them. */
      offered: z.array(tag),
    }),
  }),
  /** Replaces the tags that the user sees; refuses it where they are no longer those of `before`. */
  saveTags: endpoint({
    method: 'PUT',
    path: `${path}/:id/tag`,
    access: tagKeepers,
    changes: [...changes, 'tag'],
    input: z.object({ id, before: ids, tags: ids }),
    output: z.object({}),
  }),
};
