import * as z from 'zod/mini';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, oneOf } from '#kit/contract/fields.ts';
import { languageKeys } from '#kit/contract/languages.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { options, text } from '#kit/contract/text.ts';
import { linkKeepers } from './cards.ts';

const path = '/family-link';
const shows = ['family-link', 'student'] as const;
const changes = ['family-link'];

export const linkStates = options('Not sent', 'Works', 'Expired', 'Revoked');
export type LinkState = (typeof linkStates)[number];
/** What an adult sees of a child: in school matters neither dues nor bus. */
const reaches = options('All', 'School matters');
/** The way that is tried first; a guardian without it gets the other. */
export const channels = options('SMS', 'Email');
const channel = oneOf(text`Send by`, channels);

/** The guardians who see a child on the family page today. */
export const linkList = defineList({
  name: 'family_link',
  path,
  singular: text`family link`,
  plural: text`family links`,
  access: linkKeepers,
  shows,
  columns: {
    name: { kind: 'text', label: text`Guardian`, isSorted: true },
    children: { kind: 'text', label: text`Children` },
    trouble: { kind: 'text', label: text`Not reached because`, isSaid: true },
    state: { kind: 'oneOf', label: text`Link`, options: linkStates },
    sentOn: { kind: 'date', label: text`Sent`, isLabelled: true },
    until: { kind: 'date', label: text`Works until`, isLabelled: true },
    openedOn: { kind: 'date', label: text`Last opened`, isLabelled: true },
    openings: { kind: 'number', label: text`Openings in 30 days`, head: text`Openings`, isLabelled: true },
  },
  filters: { gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }) },
  tabs: {
    all: text`All`,
    missing: text`Not sent`,
    unopened: text`Not opened`,
    ended: text`Expired or revoked`,
    unreached: text`Not reached`,
  },
  extra: { studentId: z.number() },
});

const ofGuardian = { id };
const nothing = z.object({});

/** A guardian of a child, with the link. */
const linkOfChild = z.object({
  id: z.number(),
  name: z.string(),
  relation: z.string(),
  /** Why no page is shown of this child, or how much of it. */
  sees: z.enum(['All', 'School matters', 'Contact', 'Barred', 'Deceased', 'Not here']),
  hasContact: z.boolean(),
  state: z.enum(linkStates),
  sentOn: z.string(),
  until: z.string(),
  openedOn: z.string(),
  revokedReason: z.string(),
  /** The phones that are proven, which open the page without the link, and the last day on which one did. */
  phones: z.object({ count: z.number(), usedOn: z.string() }),
  /** A number or address that the guardian changed herself: the change that the office can put back, and its day. */
  undoId: z.number(),
  undoDay: z.string(),
  /** The end of the one that she asks for, with a paper; '' without one. */
  asked: z.string(),
  /** In which the guardian is written to; '' where nothing is known or the school no longer offers it. */
  language: z.enum(['', ...languageKeys]),
  /** Of the choice of the language; 0 before one. */
  languageVersion: z.number(),
});
export type LinkOfChild = z.infer<typeof linkOfChild>;

export const linkApi = {
  /** The guardians of a child and their links. */
  ofStudent: endpoint({
    method: 'GET',
    path: `${path}/student/:id`,
    access: linkKeepers,
    shows,
    opens: 'student',
    input: z.object({ id }),
    output: z.object({
      guardians: z.array(linkOfChild),
      /** Those that the school offers. */
      languages: z.array(z.enum(languageKeys)),
    }),
  }),
  /** Sends the link, which is made where it is missing or was revoked; its time begins again. */
  send: endpoint({
    method: 'POST',
    path: `${path}/:id/send`,
    access: linkKeepers,
    changes,
    input: z.object({ ...ofGuardian, channel }),
    output: nothing,
  }),
  /** Sends a new link; the earlier one and the phones that were proven end at once. */
  renew: endpoint({
    method: 'POST',
    path: `${path}/:id/renew`,
    access: linkKeepers,
    changes,
    input: z.object({ ...ofGuardian, channel }),
    output: nothing,
  }),
  /** The link to hand over, and its short form for paper and the telephone; it counts as a sending. */
  copy: endpoint({
    method: 'POST',
    path: `${path}/:id/copy`,
    access: linkKeepers,
    opens: 'guardian',
    givesLink: true,
    changes,
    input: z.object(ofGuardian),
    output: z.object({ link: z.string(), shortLink: z.string(), until: z.string() }),
  }),
  /** The short link on a slip of paper, as a PDF. */
  slip: endpoint({
    method: 'POST',
    path: `${path}/:id/slip`,
    access: linkKeepers,
    opens: 'guardian',
    givesLink: true,
    changes,
    ownTransactions: true,
    input: z.object(ofGuardian),
    output: servedFile,
  }),
  /** What a guardian sees of this child. */
  setReach: endpoint({
    method: 'PUT',
    path: `${path}/student/:id/reach`,
    access: linkKeepers,
    changes: [...changes, 'student'],
    input: z.object({ id, guardianId: id, reach: oneOf(text`Sees`, reaches) }),
    output: nothing,
  }),
  /** The language in which a guardian is written to, and reads the family page unless the device has a choice. */
  setLanguage: endpoint({
    method: 'PUT',
    path: `${path}/:id/language`,
    access: linkKeepers,
    changes,
    input: z.object({
      ...ofGuardian,
      language: oneOf(text`Language of messages`, languageKeys),
      version: z.int().check(z.gte(0), z.lte(2_147_483_647)),
    }),
    output: nothing,
  }),
  revoke: endpoint({
    method: 'POST',
    path: `${path}/:id/revoke`,
    access: linkKeepers,
    changes,
    input: z.object({ ...ofGuardian, reason: freeText(text`Reason`, 200) }),
    output: nothing,
  }),
  /** Sends links to the selected guardians, as a run. */
  sendMany: endpoint({
    method: 'POST',
    path: `${path}/send-many`,
    access: linkKeepers,
    changes,
    input: z.object({ selection, channel, confirmToken }),
    output: z.extend(bulkAnswer, { runId: z.nullable(z.number()) }),
  }),
};
