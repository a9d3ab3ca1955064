import * as z from 'zod/mini';
import { staff, studentKeepers } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, freeText, id, oneOf, tick } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';
import { markChoices } from './hooks.ts';
import { changes, path, shows } from './record.ts';

/** The office prepares a merge, and the principal decides. An Admin sees no amounts, so does neither. */
export const mergeMakers = [staff('office', 'principal')] as const;
export const mergeDeciders = [staff('principal')] as const;

const doubtReaders = [...studentKeepers, staff('principal')] as const;

/** One of the two records, as step 1 shows it. */
const mergeHead = z.object({
  id: z.number(),
  version: z.number(),
  name: z.string(),
  grNo: z.string(),
  gender: z.string(),
  birthDate: z.string(),
  branch: z.string(),
  place: z.string(),
  admittedOn: z.string(),
  picture: z.string(),
  receipts: z.number(),
  marks: z.number(),
  adult: z.string(),
});
export type MergeHead = z.infer<typeof mergeHead>;

/** A field that both records have filled in otherwise, or one alone. */
export const mergeField = z.object({ name: z.string(), label: anyText, kept: z.string(), retired: z.string() });

export const mergeSum = z.object({
  label: anyText,
  kept: z.number(),
  retired: z.number(),
  after: z.number(),
  kind: z.enum(['count', 'money']),
});
const collision = z.object({
  key: z.string(),
  label: anyText,
  kept: anyText,
  retired: anyText,
  chosen: z.enum(['kept', 'retired']),
});

const doubted = z.object({
  id: z.number(),
  name: z.string(),
  grNo: z.string(),
  place: z.string(),
  birthDate: z.string(),
  leftOn: z.string(),
  adult: z.string(),
});

export const mergeApi = {
  /** The other students who may be this child, as nobody has answered yet. */
  doubts: endpoint({
    method: 'GET',
    path: `${path}/:id/double`,
    access: doubtReaders,
    shows,
    opens: 'student',
    input: z.object({ id }),
    output: z.object({ students: z.array(doubted) }),
  }),
  /** Keeps that two students are two children: nobody is asked about them again. */
  notSame: endpoint({
    method: 'POST',
    path: `${path}/not-same`,
    access: studentKeepers,
    changes,
    input: z.object({ id, otherId: id }),
    output: z.object({}),
  }),
  /** Two records side by side; the one that is proposed to be kept comes first. */
  compare: endpoint({
    method: 'GET',
    path: `${path}/:id/merge`,
    access: mergeMakers,
    shows,
    opens: 'student',
    input: z.object({ id, with: id, keeps: chosenId(text`Kept record`) }),
    output: z.object({
      kept: mergeHead,
      retired: mergeHead,
      /** What the kept record lacks is taken; where both have something, a person chooses. */
      fields: z.array(mergeField),
      /** A request about these two waits for the principal. */
      isAsked: z.boolean(),
      decides: z.boolean(),
    }),
  }),
  /** Merges two records of one child after a preview: the principal at once, the office by asking the principal. */
  merge: endpoint({
    method: 'POST',
    path: `${path}/merge`,
    access: mergeMakers,
    changes: [...changes, 'section', 'approval'],
    input: z.object({
      keptId: id,
      retiredId: id,
      taken: z.array(z.string().check(z.maxLength(40))).check(z.maxLength(60)),
      marks: oneOf(text`Where the marks differ`, markChoices),
      exceptions: z.array(z.string().check(z.maxLength(20))).check(z.maxLength(2000)),
      /** Both were present on the same days: they may be two children. */
      isOneChild: tick(text`They are one child`),
      reason: freeText(text`Reason`, 300),
      confirmToken,
    }),
    output: previewed({
      sums: z.array(mergeSum),
      collisions: z.array(collision),
      texts: z.array(anyText),
      blocks: z.array(anyText),
      /** Half days on which both were present. */
      bothPresent: z.number(),
      /** It was asked for, and waits for the principal. */
      isAsked: z.boolean(),
    }),
  }),
};
