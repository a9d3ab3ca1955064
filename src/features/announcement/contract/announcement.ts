import * as z from 'zod/mini';
import { lookupsAt } from '#features/school/contract/lookup.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { optionsInput, peopleOptions } from '#kit/contract/field.ts';
import { chosenId, freeText, id, idAndVersion, oneOf, optionalId, rule, tick } from '#kit/contract/fields.ts';
import { languageKeys } from '#kit/contract/languages.ts';
import { listOf } from '#kit/contract/list.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { richText, storedBlocks } from '#kit/contract/rich-text.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay, clockTime, neededId } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { optionLines, wrongOptions } from './answer.ts';
import { asks, isAnswered } from './asks.ts';
import { audience, audienceApi, shownRow } from './audience.ts';
import { priorities } from './priority.ts';
import { announcementStates, keepers, path, readers, shows, writers } from './words.ts';

export const mostFiles = 5;

export const announcementMessages = {
  onlyKeepers: text`Only the office and the principal send an emergency.`,
  expiryBeforeStart: text`Enter a moment after it is published.`,
  past: text`Enter a moment in the future.`,
  noDay: text`Choose the day first.`,
  noAsk: text`Choose what it asks for first.`,
  lastDay: text`Enter the last day for answers.`,
  lastDayPassed: text`The last day for answers has passed. Change it.`,
  askAgain: text`Families have been asked. Ask for something else in a new version.`,
  noChange: text`This announcement can’t be changed any more. Copy it.`,
  notOut: text`It is not published.`,
  hasEnded: text`This announcement was withdrawn or has expired.`,
  newText: text`The text has changed. Read it again.`,
  noMessage: (hour: string) =>
    text`It expires before messages may be sent at ${{ hour }}. Enter a later expiry, or tick “Only on the page”.`,
  noWay: text`Tick “Send emails”, “Send text messages” or “Only on the page”.`,
  unheard: text`Its messages reach no guardian. Tick another way, or “Only on the page”.`,
  nobody: text`It has no recipients. Change the audience.`,
  published: text`It was published already.`,
  tooLate: text`It can’t be undone any more. Withdraw it.`,
  answered: text`A family has answered already. Withdraw it instead.`,
  kept: text`It was published or sent for approval before, so it is kept.`,
  files: text`Use at most ${{ most: mostFiles }} files.`,
};

export const categories = lookupsAt(`${path}/category`, writers, 'Notice category');

const wrongType = text`Choose a PDF, PNG or JPG file.`;
const announcementFile: UploadRule = {
  label: text`File`,
  kinds: ['pdf', 'png', 'jpeg'],
  maxBytes: 4 * megabyte,
  wrongType,
  tooLarge: text`This file is larger than 4 MB. Choose a smaller one.`,
};

const fields = {
  title: freeText(text`Title`, 150),
  body: richText(text`Text`),
  categoryId: neededId(text`Category`),
  priority: oneOf(text`Priority`, priorities),
  branchId: chosenId(text`Branch`),
  audience,
  publishOn: calendarDay(text`Publish on`, true),
  publishTime: clockTime(text`Time of publishing`, true),
  expiresOn: calendarDay(text`Expires on`, true),
  expiresTime: clockTime(text`Time of expiry`, true),
  isPinned: tick(text`Pin it to the top`),
  asks: oneOf(text`Asks for`, asks),
  options: optionLines,
  acknowledgeBy: calendarDay(text`Until`, true),
  sendsEmail: tick(text`Send emails`),
  sendsSms: tick(text`Send text messages`),
  isPageOnly: tick(text`Only on the page, without messages`),
  tags: z._default(listOf(id, { most: 20 }), []),
};
const draft = z.object(fields);
export type Draft = z.infer<typeof draft>;

const together = rule<Draft>((draft, say) => {
  const { publishOn, publishTime, expiresOn, expiresTime, acknowledgeBy } = draft;
  if (publishTime && publishOn === '') say('publishOn', announcementMessages.noDay);
  if (expiresTime && expiresOn === '') say('expiresOn', announcementMessages.noDay);
  if (acknowledgeBy && draft.asks === 'Nothing') say('acknowledgeBy', announcementMessages.noAsk);
  if (acknowledgeBy === '' && isAnswered(draft.asks ?? '')) say('acknowledgeBy', announcementMessages.lastDay);
  const wrong = draft.asks === 'Choice' ? wrongOptions(draft.options ?? '') : undefined;
  if (wrong) say('options', wrong);
});

const saved = z.object({ id: z.number(), version: z.number() });

/** How guardians hear of what is published, where its author answers a preview that reached no guardian. */
const announcementWays = ['Messages', 'Only on the page'] as const;

const cost = {
  /** In how many parts operators send the text messages. */
  parts: z.number(),
  /** What they cost; 0 where the school has entered no price. */
  paise: z.number(),
};
const changes = [...shows, 'notification', 'approval'];

export const announcement = z.object({
  id: z.number(),
  version: z.number(),
  title: z.string(),
  body: storedBlocks,
  categoryId: z.number(),
  category: z.string(),
  priority: z.enum(priorities),
  branchId: z.nullable(z.number()),
  branch: z.string(),
  author: z.string(),
  state: z.enum(announcementStates),
  publishAt: z.string(),
  expiresAt: z.string(),
  isPinned: z.boolean(),
  asks: z.enum(asks),
  options: z.array(z.string()),
  needsAcknowledgement: z.boolean(),
  acknowledgeBy: z.string(),
  sendsEmail: z.boolean(),
  sendsSms: z.boolean(),
  isPageOnly: z.boolean(),
  withdrawnReason: z.string(),
  /** The number of its text. */
  number: z.number(),
  /** When its text was last changed after publishing; '' where it was not. */
  editedAt: z.string(),
  audience: z.array(shownRow),
  tags: z.array(z.object({ id: z.number(), name: z.string(), group: z.string() })),
  files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number() })),
  versions: z.array(
    z.object({
      number: z.number(),
      title: z.string(),
      by: z.string(),
      writtenAt: z.string(),
      isReadingReset: z.boolean(),
      /** Of the recipients of now: who read and acknowledged this text itself. */
      read: z.number(),
      acknowledged: z.number(),
    }),
  ),
  /** What the reader has done; null for those whom it is not for. */
  own: z.nullable(z.object({ isRead: z.boolean(), isAcknowledged: z.boolean() })),
  /** Readers so far; null for those who only read it. */
  figures: z.nullable(
    z.object({
      guardians: z.number(),
      guardiansRead: z.number(),
      children: z.number(),
      childrenAcknowledged: z.number(),
      staff: z.number(),
      staffRead: z.number(),
      staffAcknowledged: z.number(),
    }),
  ),
  /** The latest sending of messages, to watch. */
  runId: z.nullable(z.number()),
  may: z.object({
    edit: z.boolean(),
    publish: z.boolean(),
    /** Publishing asks for approval. */
    asks: z.boolean(),
    undo: z.boolean(),
    /** A new text was published some seconds ago. */
    undoText: z.boolean(),
    withdraw: z.boolean(),
    remove: z.boolean(),
    copy: z.boolean(),
    remind: z.boolean(),
    changePeople: z.boolean(),
  }),
});
export type Announcement = z.infer<typeof announcement>;

const card = z.object({
  id: z.number(),
  title: z.string(),
  firstLine: z.string(),
  category: z.string(),
  priority: z.enum(priorities),
  isPinned: z.boolean(),
  isRead: z.boolean(),
  needsAcknowledgement: z.boolean(),
  isAcknowledged: z.boolean(),
  acknowledgeBy: z.string(),
  author: z.string(),
  publishedAt: z.string(),
  isEdited: z.boolean(),
  hasFiles: z.boolean(),
  number: z.number(),
});
export type FeedCard = z.infer<typeof card>;

export const announcementApi = {
  ...audienceApi,
  categories: categories.options,
  /** What is published for the reader now: pinned announcements first, then the newest. */
  feed: endpoint({
    method: 'GET',
    path: `${path}/feed`,
    access: readers,
    shows,
    input: z.object({
      /** Only those that wait for the reader's acknowledgement. */
      show: z._default(z.enum(['', 'to-acknowledge']), ''),
      before: z._default(z.string().check(z.regex(/^[0-9]{0,9}$/)), ''),
    }),
    output: z.object({ rows: z.array(card), next: z.string() }),
  }),
  /** The announcements to a member of staff, with what that person has done. */
  ofStaff: endpoint({
    method: 'GET',
    path: `${path}/staff`,
    access: keepers,
    shows,
    input: z.object({ staffId: id }),
    output: z.object({
      rows: z.array(
        z.object({
          id: z.number(),
          title: z.string(),
          publishedOn: z.string(),
          asks: z.boolean(),
          isRead: z.boolean(),
          isAcknowledged: z.boolean(),
        }),
      ),
    }),
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access: readers,
    shows,
    input: z.object({ id }),
    output: announcement,
  }),
  /** The guardians who get it, as a choice for the preview. */
  guardians: endpoint({
    method: 'GET',
    path: `${path}/guardian`,
    access: writers,
    shows,
    input: z.object({ announcementId: id, ...optionsInput }),
    output: peopleOptions,
  }),
  /** Sends the message to the own address, marked as a test and with a link that opens nothing. */
  test: endpoint({
    method: 'POST',
    path: `${path}/:id/test`,
    access: writers,
    changes: [],
    input: z.object({ id, guardianId: optionalId, language: z.enum(languageKeys) }),
    output: z.object({ to: z.string() }),
  }),
  /**
   * The messages as a guardian gets them, by default the first, in each language that the school offers, the guardian's own
   * before the others; nothing where it is for no family.
   */
  preview: endpoint({
    method: 'GET',
    path: `${path}/:id/preview`,
    access: writers,
    shows,
    input: z.object({ id, guardianId: optionalId }),
    output: z.array(
      z.object({
        language: z.enum(languageKeys),
        subject: z.string(),
        email: z.string(),
        sms: z.string(),
        parts: z.number(),
        /** The school has registered no such text in this language. */
        isSmsEnglish: z.boolean(),
      }),
    ),
  }),
  file: endpoint({
    method: 'GET',
    path: `${path}/:id/file/:file`,
    access: readers,
    input: z.object({ id, file: z.string().check(z.regex(/^[0-9a-f-]{36}$/)) }),
    output: servedFile,
  }),
  /** Notes that the reader has seen this text. */
  seen: endpoint({
    method: 'POST',
    path: `${path}/:id/seen`,
    access: readers,
    changes: shows,
    isRepeatable: true,
    input: z.object({ id, number: id }),
    output: z.object({}),
  }),
  acknowledge: endpoint({
    method: 'POST',
    path: `${path}/:id/acknowledge`,
    access: readers,
    changes: shows,
    isRepeatable: true,
    input: z.object({ id, number: id }),
    output: z.object({}),
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: writers,
    changes,
    input: draft.check(together),
    output: saved,
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: writers,
    changes,
    input: z.object({ ...fields, ...idAndVersion }).check(together as never),
    output: saved,
  }),
  /** Publishes a text of another meaning, which readers must read again and guardians get a message of, after a preview. */
  newVersion: endpoint({
    method: 'POST',
    path: `${path}/:id/new-version`,
    access: writers,
    changes,
    input: z.object({ ...fields, ...idAndVersion, confirmToken }).check(together as never),
    output: previewed({
      ...audienceApi.count.output.shape,
      ...cost,
      /** Guardians for whom a message of the earlier text waits: that one has the new text. */
      waiting: z.number(),
      /** What the earlier text has, of guardians and staff. */
      before: z.object({ read: z.number(), acknowledged: z.number() }),
      runId: z.nullable(z.number()),
    }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access: writers,
    changes,
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
  addFile: endpoint({
    method: 'POST',
    path: `${path}/:id/file`,
    access: writers,
    changes,
    files: { file: announcementFile },
    input: z.object({ id }),
    output: z.object({ id: z.string() }),
  }),
  removeFile: endpoint({
    method: 'DELETE',
    path: `${path}/:id/file/:file`,
    access: writers,
    changes,
    input: z.object({ id, file: z.string().check(z.regex(/^[0-9a-f-]{36}$/)) }),
    output: z.object({}),
  }),
  /** Publishes it now or at its time, or asks for approval, after a preview of its reach. */
  publish: endpoint({
    method: 'POST',
    path: `${path}/:id/publish`,
    access: writers,
    changes,
    input: z.object({ ...idAndVersion, ways: z._default(z.enum(['', ...announcementWays]), ''), confirmToken }),
    output: previewed({
      ...audienceApi.count.output.shape,
      ...cost,
      /** Its messages reach no guardian, though it is not for the page only: what messages by both channels would be. */
      instead: z.nullable(z.object({ emails: z.number(), texts: z.number(), ...cost })),
      state: z.enum(announcementStates),
      runId: z.nullable(z.number()),
    }),
  }),
  /** Makes a draft of it again, until the sending begins. */
  undo: endpoint({
    method: 'POST',
    path: `${path}/:id/undo`,
    access: writers,
    changes,
    input: z.object(idAndVersion),
    output: saved,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: `${path}/:id/withdraw`,
    access: writers,
    changes,
    input: z.object({ ...idAndVersion, reason: freeText(text`Reason`, 300) }),
    output: saved,
  }),
  copy: endpoint({
    method: 'POST',
    path: `${path}/:id/copy`,
    access: writers,
    changes,
    input: z.object({ id }),
    output: saved,
  }),
  /** Changes the people of what is published, after a preview; those who are added get a message. */
  changePeople: endpoint({
    method: 'POST',
    path: `${path}/:id/audience`,
    access: writers,
    changes,
    input: z.object({ ...idAndVersion, audience, confirmToken }),
    output: previewed({
      ...audienceApi.count.output.shape,
      added: z.object({ guardians: z.number(), staff: z.number() }),
      removed: z.object({ guardians: z.number(), staff: z.number() }),
      runId: z.nullable(z.number()),
    }),
  }),
  /** Sends a message to the guardians who have not read or acknowledged it, and a notice to such staff. */
  remind: endpoint({
    method: 'POST',
    path: `${path}/:id/remind`,
    access: writers,
    changes,
    input: z.object({ id, confirmToken }),
    output: previewed({
      guardians: z.number(),
      staff: z.number(),
      unreached: z.number(),
      runId: z.nullable(z.number()),
    }),
  }),
};
