import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { checkNames, oneNameInput } from '#features/school/contract/one-name.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { removeAddedOf } from '#kit/contract/added.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, outputOf } from '#kit/contract/field.ts';
import { freeText, id, idAndVersion, oneOf, optionalFreeText, optionalId, rule, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { languageNames } from '#kit/contract/language-names.ts';
import { someOf } from '#kit/contract/list.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay, neededId } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { familyMessage } from './family-message.ts';
import {
  inquiryBranches,
  inquiryFields,
  inquiryKeepers,
  inquiryReaders,
  leadSources,
  lostReasons,
  openYears,
  parentFields,
} from './record.ts';

const path = '/inquiry';
export const inquiryShows = ['inquiry', 'year', 'branch', 'grade', 'staff'];
const changes = ['inquiry'];

export const followUpChannels = options('Call', 'Visit', 'Email', 'SMS', 'WhatsApp');
/** What came of a call that was due. */
export const callOutcomes = options('Reached', 'No answer', 'Visit', 'Lost');
export const sendChannels = options('Email', 'SMS');
export const parents = options('Father', 'Mother');
/** The most days for which a link is extended. */
export const mostLinkDays = 365;
/** WhatsApp opens for Indian mobile numbers. */
export const isWhatsAppNumber = (mobile: string): boolean => /^[0-9]{10}$/.test(mobile);

const needsMobile = text`Enter the mobile number of one parent.`;
export const checkMobile = rule<{ fatherMobile: string; motherMobile: string }>(
  ({ fatherMobile, motherMobile }, say) => {
    if (fatherMobile === '' && motherMobile === '') say('fatherMobile', needsMobile);
  },
);

export const similar = z.object({
  id: z.number(),
  inquiryNo: z.string(),
  child: z.string(),
  birthDate: z.string(),
  grade: z.string(),
  academicYear: z.string(),
  state: z.enum(inquiryStates),
  /** The same child in the same year, by name and birth date. */
  isSameChild: z.boolean(),
  /** Its form has the same Aadhaar number. */
  hasSameAadhaar: z.boolean(),
});
export type SimilarInquiry = z.infer<typeof similar>;

export const shownFollowUp = z.object({
  id: z.number(),
  at: z.iso.datetime(),
  by: z.string(),
  channel: z.enum(followUpChannels),
  outcome: z.enum(['', ...callOutcomes]),
  note: z.string(),
  nextOn: z.string(),
});

const link = z.object({
  expiresOn: z.string(),
  isRevoked: z.boolean(),
  isExpired: z.boolean(),
});

const record = z.object({
  id: z.number(),
  version: z.number(),
  /** `keep` is in whatever state. */
  may: abilities(
    'keep',
    'reply',
    'update',
    'remove',
    'logFollowUp',
    'sendForm',
    'extendLink',
    'linkSibling',
    'lose',
    'reopen',
  ),
  inquiryNo: z.string(),
  state: z.enum(inquiryStates),
  createdOn: z.string(),
  values: z.object(outputOf(inquiryFields)),
  academicYear: z.string(),
  branch: z.string(),
  program: z.string(),
  grade: z.string(),
  leadSource: z.string(),
  assignedTo: z.string(),
  endedReason: z.string(),
  /** The member of staff with a parent's mobile number or email address. */
  staffParent: z.nullable(z.object({ id: z.number(), name: z.string() })),
  /** Pages of the form that are saved, of five. */
  progress: z.number(),
  submittedAt: z.string(),
  link,
  followUps: z.array(shownFollowUp),
  /** What the family wrote to the school, newest first. */
  messages: z.array(familyMessage),
  /** Messages to the family, newest first; the last twenty. */
  sent: z.array(
    z.object({ id: z.number(), at: z.iso.datetime(), about: anyText, channel: z.enum(sendChannels), status: anyText }),
  ),
});
export type InquiryRecord = z.infer<typeof record>;

/** The day on which the call was due, as the user saw it. */
const seenOn = calendarDay(text`Next follow-up`);
const done = z.object({ id: z.number(), version: z.number() });

/** The preview of a run, and its number once it is started. */
export const startedRun = z.extend(bulkAnswer, {
  runId: z.nullable(z.number()),
  /** The message to the first family, in a preview alone. */
  example: z.nullable(z.object({ name: z.string(), subject: z.string(), words: z.string() })),
});

/** Why a form or an inquiry ends: a choice of the school’s list, and words. */
export const endReason = {
  reasonId: neededId(text`Reason`),
  note: optionalFreeText(text`Note`, 200),
};

/** As the office has heard it; the family's own choice counts before it. */
export const messageLanguageField = {
  messageLanguage: field.oneOf(text`Language of messages`, {
    options: languageNames,
    optional: true,
  }),
};

export const inquiryApi = {
  leadSources: leadSources.options,
  lostReasons: lostReasons.options,
  openYears,
  branches: inquiryBranches,
  create: endpoint({
    method: 'POST',
    path,
    access: inquiryKeepers,
    changes,
    input: z
      .object({
        ...inputOf(inquiryFields),
        ...oneNameInput,
        ...inputOf(messageLanguageField),
        isAnotherChild: tick(text`This is another child`),
        sendsForm: tick(text`Send the form now`),
      })
      .check(checkMobile, checkNames),
    output: done,
  }),
  /**
   * What is known of a family while its inquiry is typed: other inquiries, whether a parent works here, and the child's age
   * for the grade. It names no colleague, whose number only HR and Admins may look up.
   */
  check: endpoint({
    method: 'GET',
    path: `${path}/check`,
    access: inquiryKeepers,
    shows: inquiryShows,
    input: z.object({
      fatherMobile: z._default(z.string().check(z.maxLength(20)), ''),
      motherMobile: z._default(z.string().check(z.maxLength(20)), ''),
      firstName: z._default(z.string().check(z.maxLength(50)), ''),
      lastName: z._default(z.string().check(z.maxLength(50)), ''),
      birthDate: z._default(z.string().check(z.maxLength(10)), ''),
      academicYearId: optionalId,
      gradeId: optionalId,
    }),
    output: z.object({
      similar: z.array(similar),
      /** Students who may be this child. */
      students: z.array(z.object({ id: z.number(), name: z.string(), grNo: z.string(), place: z.string() })),
      /** The parents of the latest of them. */
      parents: z.nullable(z.object(outputOf(parentFields))),
      worksHere: z.boolean(),
      age: z.nullable(z.object({ words: anyText, isOutside: z.boolean() })),
    }),
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}/:id/record`,
    opens: 'inquiry',
    access: inquiryReaders,
    shows: [...inquiryShows, 'message'],
    input: z.object({ id }),
    output: record,
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: inquiryKeepers,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(inquiryFields), ...oneNameInput }).check(checkMobile, checkNames),
    output: done,
  }),
  /** Removes an inquiry that was entered by mistake within a day, while nothing hangs on it and its form was not sent. */
  remove: removeAddedOf(path, inquiryKeepers, changes, 'inquiry'),
  history: historyOf(path, inquiryReaders, changes, 'inquiry'),
  logFollowUp: endpoint({
    method: 'POST',
    path: `${path}/:id/follow-up`,
    access: inquiryKeepers,
    changes,
    input: z.object({
      id,
      channel: oneOf(text`Contact by`, followUpChannels),
      note: freeText(text`Note`, 1000),
      nextOn: calendarDay(text`Next follow-up`, true),
    }),
    output: z.object({}),
  }),
  /** Logs an unanswered call and makes the next one due on the next working day. Refused if another was logged since. */
  noAnswer: endpoint({
    method: 'POST',
    path: `${path}/:id/no-answer`,
    access: inquiryKeepers,
    opens: 'inquiry',
    changes,
    input: z.object({ id, seenOn }),
    output: z.object({ nextOn: z.string() }),
  }),
  /** A call in which the family was reached: what was said, and when the next one is due. */
  reached: endpoint({
    method: 'POST',
    path: `${path}/:id/reached`,
    access: inquiryKeepers,
    changes,
    input: z.object({
      id,
      seenOn,
      note: freeText(text`Note`, 1000),
      nextOn: calendarDay(text`Next follow-up`, true),
    }),
    output: z.object({}),
  }),
  /** A call in which the family named the day of a visit, which is the next follow-up. */
  visit: endpoint({
    method: 'POST',
    path: `${path}/:id/visit`,
    access: inquiryKeepers,
    changes,
    input: z.object({
      id,
      seenOn,
      visitOn: calendarDay(text`Visit on`),
      note: optionalFreeText(text`Note`, 1000),
    }),
    output: z.object({}),
  }),
  /** A call after which the inquiry ends. */
  lostInCall: endpoint({
    method: 'POST',
    path: `${path}/:id/lost-in-call`,
    access: inquiryKeepers,
    changes,
    input: z.object({ id, seenOn, ...endReason }),
    output: z.object({}),
  }),
  sendForm: endpoint({
    method: 'POST',
    path: `${path}/:id/send`,
    access: inquiryKeepers,
    changes,
    input: z.object({
      id,
      channel: oneOf(text`Send by`, sendChannels),
      to: someOf(text`Send to`, parents),
    }),
    output: z.object({}),
  }),
  /** What the family would read, without the link itself; '' where the link was revoked, so that a new one is made. */
  message: endpoint({
    method: 'GET',
    path: `${path}/:id/message`,
    access: inquiryKeepers,
    opens: 'inquiry',
    shows: inquiryShows,
    input: z.object({ id, channel: z._default(z.enum(sendChannels), 'Email') }),
    output: z.object({ subject: z.string(), words: z.string() }),
  }),
  /** The link, and its short form for paper and the telephone. A revoked or expired one is replaced. */
  copyLink: endpoint({
    method: 'POST',
    path: `${path}/:id/link`,
    access: inquiryKeepers,
    opens: 'inquiry',
    givesLink: true,
    changes,
    input: z.object({ id }),
    output: z.object({ link: z.string(), shortLink: z.string() }),
  }),
  /** The short link on a slip of paper, as PDF; the same act as copying the link. */
  slip: endpoint({
    method: 'POST',
    path: `${path}/:id/slip`,
    access: inquiryKeepers,
    opens: 'inquiry',
    givesLink: true,
    changes,
    ownTransactions: true,
    input: z.object({ id }),
    output: servedFile,
  }),
  revokeLink: endpoint({
    method: 'POST',
    path: `${path}/:id/revoke`,
    access: inquiryKeepers,
    changes,
    input: z.object({ id }),
    output: z.object({}),
  }),
  /** Lets the link live until the end of a day. */
  extendLink: endpoint({
    method: 'POST',
    path: `${path}/:id/extend`,
    access: inquiryKeepers,
    changes,
    input: z.object({ id, expiresOn: calendarDay(text`Works until`) }),
    output: z.object({}),
  }),
  /** The address of a chat with a parent in which the link is written; the same act as copying the link. */
  openWhatsApp: endpoint({
    method: 'POST',
    path: `${path}/:id/whatsapp`,
    access: inquiryKeepers,
    opens: 'inquiry',
    givesLink: true,
    changes,
    input: z.object({ id, parent: oneOf(text`Parent`, parents) }),
    output: z.object({ address: z.string() }),
  }),
  lose: endpoint({
    method: 'POST',
    path: `${path}/:id/lose`,
    access: inquiryKeepers,
    changes,
    input: z.object({ ...idAndVersion, ...endReason }),
    output: z.object({}),
  }),
  reopen: endpoint({
    method: 'POST',
    path: `${path}/:id/reopen`,
    access: [staff('admissionHead')],
    changes,
    input: z.object({ ...idAndVersion, reason: freeText(text`Reason`, 300) }),
    output: z.object({}),
  }),
  /** Sends the form to the selected families, as a run. */
  sendMany: endpoint({
    method: 'POST',
    path: `${path}/send-many`,
    access: inquiryKeepers,
    changes,
    input: z.object({ selection, confirmToken }),
    output: startedRun,
  }),
  /** Reminds the selected families whose form is not finished, as a run. */
  remindMany: endpoint({
    method: 'POST',
    path: `${path}/remind-many`,
    access: inquiryKeepers,
    changes,
    input: z.object({ selection, confirmToken }),
    output: startedRun,
  }),
  assign: endpoint({
    method: 'POST',
    path: `${path}/assign`,
    access: inquiryKeepers,
    changes,
    input: z.object({ selection, assignedToId: neededId(text`Assigned to`), confirmToken }),
    output: bulkAnswer,
  }),
};
