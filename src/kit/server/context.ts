import type { Expression, RawBuilder, SqlBool } from 'kysely';
import type * as z from 'zod/mini';
import type { Approval } from '#database/types.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import type { Language } from '#kit/contract/languages.ts';
import type { ConstraintWords } from '#kit/contract/master.ts';
import type { RecordCard } from '#kit/contract/record-card.ts';
import type { CardAnswer, NextAct, TodayFact } from '#kit/contract/served-card.ts';
import type { Setting } from '#kit/contract/setting.ts';
import type { Text } from '#kit/contract/text.ts';
import type { TimelineEvent } from '#kit/contract/timeline.ts';
import type { Database } from '#kit/server/database/database.ts';
import type { Disk } from '#kit/server/files/disk.ts';
import type { CheckedUpload } from '#kit/server/files/inspect.ts';
import type { FileStore } from '#kit/server/files/store.ts';
import type { ParsedTable } from '#kit/server/import/parse-table.ts';
import type { ReadRegisteredTexts, TextMessage } from '#kit/server/messages/text-message.ts';
import type { MakePaper, PaperHead } from '#kit/server/paper/paper.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';
import type { Keys } from '#kit/server/security/keys.ts';
import type { EntryTime } from './calendar-file.ts';
import type { Config } from './config.ts';
import type { Kept } from './kept.ts';
import type { Caller } from './work/queue.ts';

/** Objects that live as long as the process and are available to every request. */
export interface Services {
  db: Database;
  keys: Keys;
  files: FileStore;
  kept: Kept;
  now: () => Date;
  /** The room on the disks of files and backups. */
  readDisks: () => Promise<Disk[]>;
  /** The folder for request bodies that are being received. */
  temp: string;
  /** The public address of the system, for links in messages. */
  publicUrl: string;
  /** The OpenID Connect provider for Staff, if configured. */
  provider: Config['provider'];
  /** Messages for constraints that acts of several features can break, by constraint name. */
  constraintMessages: Readonly<Record<string, ConstraintWords>>;
  /** The audit log's words for acts and their records. */
  auditWords: AuditWords;
  /** Every setting of the product. */
  settings: readonly Setting[];
  /** What the features keep for each year, in their order. */
  rollOver: readonly RollOver[];
  /** What a year still has open when it ends, in the order of the features. */
  yearEnd: readonly YearEndLine[];
  /** The features' answers to each other's hooks, in their order. */
  answers: readonly HookAnswer[];
  /** The kinds of request that a second person decides. */
  approvals: readonly ApprovalKind[];
  /** The cards of all features on records of people. */
  recordCards: readonly ServedCard[];
  /** What the timelines of people are merged from. */
  events: readonly EventSource[];
  /** What features know for filters of each other's lists. */
  listConditions: readonly ListCondition[];
  /** Names what notices are about, when they are read. */
  noticeSubjects: readonly NoticeSubject[];
  /** Every number series, in the order of the features. */
  series: readonly Series[];
  /** The head of every paper of the school. */
  readPaperHead: (services: Services) => Promise<PaperHead>;
  /** Sets papers as PDFs; most tests only keep what the papers are set from. */
  makePaper: MakePaper;
  /** The kinds of text message, by the name of their template. */
  textMessages: Readonly<Record<string, TextMessage>>;
  /** A gateway for text messages is configured. */
  sendsTexts: boolean;
  /** What the gateway's reports of delivery must know; '' where none are taken. */
  reportSecret: string;
  /** The gateway's configuration names templates that are registered with the operators. */
  namesTemplates: boolean;
  /** The texts that the school has registered with the operators. */
  readRegisteredTexts: ReadRegisteredTexts;
  /** Those that families are offered, and that of the reader of a message. */
  languages: {
    offered: (services: { db: Database }) => Promise<readonly Language[]>;
    ofReader: (services: { db: Database }, readerId: number) => Promise<Language>;
  };
  /** The reader's own quiet hours; undefined without any. */
  quietOf: (services: { db: Database }, readerId: number) => Promise<{ from: number; until: number } | undefined>;
  /** Reports the act of an audit row to the other Admins, in the same transaction (G3). */
  reportAct: (ctx: UserContext, auditId: number) => Promise<void>;
  /** Find the record of a link value, by the name of such values in the query; undefined for every invalid value. */
  linkHolders: Readonly<Record<string, FindLinkHolder>>;
  /** Find the address that a short link leads to, in the order of the features. */
  shortLinks: readonly FindShortLink[];
  /** Find what a code on a paper proves, in the order of the features. */
  proofs: readonly FindProof[];
  /** The records that carry tags. */
  tagged: readonly Tagged[];
  /** The rows that hang on records of people. */
  merges: readonly Merging[];
  /** What features show on the page of a family's link, in their order. */
  familyParts: readonly FamilyPart[];
  /** The kinds of certificate, in the order of the features. */
  certificates: readonly CertificateKind[];
  /**
   * Finds the user of a session cookie; undefined without a valid session. What the page does in the background does not
   * count as use of the session.
   */
  findUser: (services: Services, token: string, isBackground?: boolean) => Promise<User | undefined>;
  /** What an account may do at this moment in a role, without a session; undefined where it may not sign in. */
  findRights: (services: Services, accountId: number, role: string) => Promise<User | undefined>;
}

/** The record that a link or the device's cookie opens. */
export interface Holder {
  id: number;
  /** The device has proved to be of the person of the link. */
  isProven?: boolean;
}

/**
 * Finds the record of a link value with one and the same query, so that no delay tells invalid values apart. Without a value
 * the device's cookie may be the holder.
 */
export type FindLinkHolder = (
  services: Services,
  link: string,
  cookie: (name: string) => string,
) => Promise<Holder | undefined>;

/** Finds the address below the public one that a short link leads to; undefined for every one that it does not know. */
export type FindShortLink = (services: Services, code: string) => Promise<string | undefined>;

/** What a code on a paper proves: its number, kind and day, and never a person. */
export interface Proof {
  title: Text;
  number: string;
  issuedOn: string;
  /** The day on which it became void; '' while it is valid. */
  voidSince: string;
  /** The number of the one issued in its place; '' without one. */
  replacedBy: string;
  /** In which language it was issued, such as Gujarati; absent for English. */
  language?: string;
}

/** Finds a paper by its code with one and the same query, so that no delay tells codes apart. */
export type FindProof = (services: Services, code: string) => Promise<Proof | undefined>;

/** What a certificate says between the school's head and the signatures. */
export interface CertificateWords {
  paragraphs: Text[];
  /** Numbered; an empty value is left out. */
  entries: [label: Text, value: string][];
  closing: Text[];
}

/** What was typed for a certificate, and the language that its words are wanted in. */
export type CertificateDetails = Readonly<Record<string, string>> & { readonly language: Language };

/** A kind of certificate of a feature. */
export interface CertificateKind {
  /** As it is stored. */
  kind: string;
  title: Text;
  /** The code of its number series. */
  series: string;
  /** The facts that a complete paper has, with the part of the record that each is entered in. */
  expects: readonly { fact: string; label: Text; part: string }[];
  /** Further facts that are kept with it, of several people at once. */
  readMore?: (ctx: ActingContext, ids: readonly number[]) => Promise<ReadonlyMap<number, object>>;
  /** What the paper says, from the facts and details that are kept with it. */
  words: (facts: never, details: CertificateDetails) => CertificateWords;
}

/** What a feature shows on the page of a family's link; `familyPart` of that page's feature types what it is given. */
export interface FamilyPart {
  /** The feature's word. */
  key: string;
  /** Removes what the page must not get. */
  output: z.ZodMiniType;
  read: (ctx: Context, family: never) => Promise<unknown>;
  /** What of it falls on days of a span, for the reader's own calendar. */
  dates?: (ctx: Context, family: never, span: { from: string; to: string }) => Promise<readonly FamilyDate[]>;
}

/** What falls on a day, in the calendar of a family. */
export interface FamilyDate {
  /** Its own among all dates of the product, and the same as long as it is the same matter. */
  key: string;
  /** The children whom it concerns, of whom the calendar names the first letter alone; none where it concerns all. */
  of: readonly number[];
  words: Text;
  details?: string;
  place?: string;
  when: EntryTime;
}

/** What a copy of one part did. */
export interface Copied {
  added: number;
  alreadyThere: number;
  /** The entries that are not copied, with the reasons. */
  left?: { what: string; why: Text }[];
}

/** The years of a copy, by their ids. */
export interface CopiedYears {
  fromId: number;
  toId: number;
}

/** A feature's answer to a hook. It acts in the transaction of the act that asks, whose preview rolls it back. */
export interface HookAnswer {
  hook: string;
  /** The word of the feature that answers. */
  by: string;
  /** Its place in the order of locks. */
  step: number;
  lock?: (ctx: ActingContext, input: never) => Promise<unknown>;
  act: (ctx: ActingContext, input: never) => Promise<unknown>;
}

/** How a request ends. */
export type ApprovalOutcome = 'Approved' | 'Rejected' | 'Withdrawn';

/** What a request is about. */
export interface ApprovalDescription {
  facts: { label: Text; value: Text }[];
  /** What approving does, computed at this moment. */
  effect: readonly Text[];
  /** The page of its subject, below /school-erp; '' for none. */
  to: string;
  /** Versions and amounts: where they differ from those that the decider has seen, the decision is refused as stale. */
  basis?: unknown;
}

/** A kind of request that a second person decides, in a feature's manifest. Its acts take all subjects of a decision at once. */
export interface ApprovalKind {
  /** `<area>.<word>`. */
  kind: string;
  /** The column of `approval` that points to its subject. */
  subject: Extract<keyof Approval, `${string}_id`>;
  title: Text;
  /** What the bell says to those who decide; it names no person. */
  notice: Text;
  /** The permission sets that decide, each in the branches of the account. */
  sets: readonly string[];
  /** Decides row by row instead, scope included: whether the user with one of the sets decides on this subject. */
  mayDecide?: (ctx: UserContext, subjectId: Expression<number>) => Expression<SqlBool>;
  /** `mayDecide` alone says who of the staff decides, whatever their sets; these only name who hears of a request. */
  isByRow?: true;
  /** Its own message tells the person of the decision, since a request may be one step of several. */
  tellsItself?: true;
  /** Approving writes into a year, which the request therefore keeps open: whether it is this one. */
  isOfYear?: (yearId: number, subjectId: Expression<number>) => Expression<SqlBool>;
  /** Descriptions by the id of the subject. */
  describe: (ctx: UserContext, subjectIds: readonly number[]) => Promise<ReadonlyMap<number, ApprovalDescription>>;
  /** Takes the locks that the order of locks places before the request. */
  lock?: (ctx: UserContext, subjectIds: readonly number[]) => Promise<unknown>;
  /** Acts on the decision in its transaction, or throws an `AppError` that refuses it. */
  decide: (
    ctx: UserContext,
    subjectIds: readonly number[],
    outcome: ApprovalOutcome,
    remark: string,
  ) => Promise<unknown>;
}

/** The condition behind a filter of another feature's list, in a feature's manifest. */
export interface ListCondition {
  /** The names of the list and of its filter. */
  list: string;
  filter: string;
  /** Whether a record passes, by its id in the list's query. */
  passes: (ctx: UserContext, id: Expression<number>, value: string) => Expression<SqlBool>;
}

/** Records of a feature that carry tags. */
export interface Tagged {
  /** What a tag is for, as the tag's owner lists it. */
  scope: string;
  /** The records, as the audit log names them. */
  entity: string;
}

/** Rows of a feature that hang on the record of a person: for removing that record, and for merging two of one person. */
export interface Merging {
  /** The table with the key. */
  table: string;
  /** What the rows are, as they are named where they stand in the way. */
  words: Text;
  /**
   * What a merge does with the rows of the record that ends. `moves` gives them to the other record, `follows` takes them
   * along with the row that they belong to, `remains` leaves them with their record, `ends` deletes or ends them.
   */
  how: 'moves' | 'follows' | 'remains' | 'ends';
  /** They go with a record that was entered by mistake; other rows stand in its way. */
  isRemoved?: true;
}

/** A number series of a feature. */
export interface Series {
  code: string;
  /** The records that it numbers. */
  words: Text;
  /** A branch may have one of its own. */
  hasBranches?: boolean;
  /** Numbers of two branches may be the same, as those of two registers. */
  isUniqueInBranch?: boolean;
  /** Its numbers may be typed or imported too, so that its next value may be raised although it has no gaps. */
  mayBeRaised?: boolean;
}

/** What a feature keeps for each year. */
export interface RollOver {
  /** Its word in the list of parts that a later year can copy. */
  part: string;
  /** Copies what the later year lacks. */
  copy: (ctx: UserContext, years: CopiedYears) => Promise<Copied>;
  /** The statements that delete it with its year; they run as one. */
  discard: (yearId: number) => readonly RawBuilder<unknown>[];
}

interface YearSpan {
  id: number;
  name: string;
  startsOn: string;
  endsOn: string;
}

/** A year that ends, as it is counted for a caller. */
export interface EndingYear extends YearSpan {
  /** The year after it, once it is made. */
  next?: YearSpan;
  /** The branches that are counted; every branch without any. */
  branches: readonly number[];
}

/** What a line of a year's end finds open. */
export interface YearEndCount {
  open: number;
  /** What it is open of. */
  of?: number;
  /** Paise, in place of the number. */
  amount?: number;
  /** At most three: of whom, or of what. */
  names?: readonly Text[];
  /** The page that lists them, below the shell. */
  to?: string;
}

/** What a year still has open when it ends, in a feature's manifest. */
export interface YearEndLine {
  /** `<area>.<words>`. */
  key: string;
  title: Text;
  /** What is open keeps the year from being closed, must be seen before it, or carries over by itself. */
  at: 'blocks' | 'warns' | 'says';
  /** What happens to it, in a few words. */
  fate: Text;
  /** The words of the button that opens its page. */
  act: Text;
  /** Who of Staff reads it. */
  sets: readonly string[];
  /** It is about the next year, and stands among what is prepared for it too. */
  isOfNext?: true;
  /** The card of the turn on the dashboard counts it too. */
  isOnCard?: true;
  /** Admins read its names and open its page too; of any other line they read the number. */
  isForAdmins?: true;
  /** At most two statements, within five seconds each. Undefined where the year has nothing of it. */
  count: (ctx: UserContext, year: EndingYear) => Promise<YearEndCount | undefined>;
}

/** A card of records of one kind, as a feature's manifest lists it. */
export interface ServedCard {
  card: RecordCard;
  /** What the card says. A card without it reads its own operations with a component of its own. */
  read?: (ctx: UserContext, id: number, period: { from: string; to: string }) => Promise<CardAnswer>;
  /** What of it is so today, at the top of the record: one fact or several; undefined where there is nothing to say. */
  today?: (ctx: UserContext, id: number) => Promise<TodayFact | readonly TodayFact[] | undefined>;
  /** What of it is to be done next, the most urgent first. One statement. */
  next?: (ctx: UserContext, id: number) => Promise<NextAct[]>;
}

/** What a source reads: the events of a person within a period, after a cursor. */
export interface EventSpan {
  from: string;
  to: string;
  /** At most so many, the latest first. */
  most: number;
  /** True in a query of rows of one kind, by their day and id, of those after the cursor. */
  isAfter: (day: Expression<unknown>, id: Expression<unknown>) => RawBuilder<boolean>;
}

/** Events of one kind in the timeline of people, as a feature's manifest lists them. */
export interface EventSource {
  /** The kind of record, as its owner names it. */
  record: string;
  /** Its word in cursors, in small letters and hyphens. */
  kind: string;
  title: Text;
  access: Access;
  /** The person of the record sees them too. */
  isOwn?: boolean;
  /** In one statement, the latest day first, and of a day the highest id. */
  find: (
    ctx: UserContext,
    id: number,
    span: EventSpan,
  ) => Promise<(Pick<TimelineEvent, 'day' | 'id' | 'what'> & Partial<TimelineEvent>)[]>;
}

/** The signed-in user, as of this request. */
export interface User {
  /** The account. */
  id: number;
  staffId: number;
  name: string;
  role: string;
  sets: readonly string[];
  scope: Scope;
  /** The session's number in lists and the audit log. */
  session: number;
  /** Seconds since the user last proved their identity. */
  confirmedFor: number;
}

/** The records that the user's permission sets reach. */
export interface Scope {
  /** The branches that the account is limited to; every branch without any. */
  branches: readonly number[];
  /** The sections that the user leads today. */
  led: readonly number[];
  /** The sections that the user teaches a subject today. */
  taught: readonly number[];
  /** Sections whose register they take today for another teacher. */
  covered: readonly number[];
}

/** The record that an unguessable link opens; its holder may access no other. */
export interface LinkHolder {
  id: number;
  number: string;
  submittedAt: Date | null;
  status: string;
  /** The parts of the submitted record that are open again; none while all are open or all are closed. */
  openPages: readonly number[];
}

/** Everything a server function may use. `db` is a transaction in all methods but GET. */
export interface Context extends Services {
  requestId: string;
  /** The address of the caller. */
  address: string;
  /** The answer is stored and given again to a repeated request, so that a reveal throws. */
  keepsAnswer?: boolean;
  /** Files of the request, checked and cleaned, by field name. */
  uploads: Partial<Record<string, CheckedUpload>>;
  /** The body of an operation with `isRaw`, as it came. */
  raw?: RawBody;
  /** The request's table, if the operation takes one. Throws `invalid` with the errors of the table. */
  table: () => ParsedTable;
  /** The owner of this request's work in child processes. */
  caller: Caller;
  /** Runs `act` once the transaction is committed, for example to delete the bytes of a removed file. */
  afterCommit: (act: () => Promise<void>) => void;
  /**
   * Runs `act` when the transaction is rolled back, with the database outside it: to undo work elsewhere, or to audit a
   * refusal.
   */
  onRollback: (act: (db: Database) => Promise<unknown>) => void;
  http: CookiesAndHeaders;
  /** Logs an error that the answer survives, such as that of one part of a page. */
  logSurvived: (error: unknown) => void;
}

/** Cookies and headers of a request and its answer; changes are sent only if the request succeeds. */
export interface CookiesAndHeaders {
  /** The value of one of our cookies; '' without it. */
  cookie: (name: string) => string;
  /** Sets a cookie that scripts cannot read; without `seconds` it ends with the browser, with 0 immediately. */
  setCookie: (name: string, value: string, seconds?: number) => void;
  header: (name: string) => string;
  setHeader: (name: string, value: string) => void;
}

/** The context of a signed-in user. */
export interface UserContext extends Context {
  user: User;
}

/** The context of an act that a signed-in user or a run does. */
export type ActingContext = Context & Partial<Pick<UserContext, 'user'>>;

/** The context of a holder of a link of any kind. */
export interface HolderContext extends Context {
  /** The record that the link opens. */
  holder: Holder;
  /** The link value of the request. */
  link: string;
}

/** The context of a holder of an inquiry's link. */
export interface LinkContext extends HolderContext {
  inquiry: LinkHolder;
}

/** The table of an operation that takes none. */
export const noTable = (): ParsedTable => ({ heads: [], names: [], rows: [] });

/** The context for work outside a request: a command, the demo, a job. Its cookies are discarded. */
export const contextOutside = (services: Services, requestId: string): Context => ({
  ...services,
  requestId,
  address: '127.0.0.1',
  uploads: {},
  table: noTable,
  caller: { owner: 'server' },
  afterCommit: () => undefined,
  onRollback: () => undefined,
  logSurvived: () => undefined,
  http: { cookie: () => '', setCookie: () => undefined, header: () => '', setHeader: () => undefined },
});

/** The bytes of a body, and whether they are a form of names and values rather than JSON. */
export interface RawBody {
  bytes: Uint8Array;
  isForm: boolean;
}

/** Names the records that notices lead to: a notice itself keeps no name of a person. */
export interface NoticeSubject {
  /** What stands before the id in the path of a notice. */
  paths: readonly string[];
  /** The names of those records that this user may see. One statement. */
  find: (ctx: UserContext, ids: readonly number[]) => Promise<readonly { id: number; name: string }[]>;
}
