import type { FastifyInstance } from 'fastify';
import type { ConstraintWords, Master } from '#kit/contract/master.ts';
import type { Page } from '#kit/contract/page.ts';
import type { Setting } from '#kit/contract/setting.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';
import type {
  ApprovalKind,
  CertificateKind,
  Context,
  EventSource,
  FamilyPart,
  FindLinkHolder,
  FindProof,
  FindShortLink,
  HookAnswer,
  ListCondition,
  Merging,
  NoticeSubject,
  RollOver,
  Series,
  ServedCard,
  Tagged,
  YearEndLine,
} from './context.ts';
import type {
  DashboardCard,
  DashboardChart,
  DayCell,
  DayChange,
  DayFigure,
  PageBadge,
  ReadComingDays,
  ReadOwnSections,
  TodoSource,
} from './dashboard.ts';
import type { Route } from './http/routes.ts';
import type { DataCorrection } from './job/corrections.ts';
import type { DailyTask } from './job/daily.ts';
import type { MinuteTask } from './job/every-minute.ts';
import type { RunAct, RunBatch } from './job/runs.ts';
import { masterAuditWords } from './master/audit-words.ts';
import type { MasterGuard } from './master/guard.ts';
import { masterRoutes } from './master/routes.ts';
import type { Template } from './messages/outbox.ts';
import type { TextMessage } from './messages/text-message.ts';
import type { Random } from './random.ts';
import type { SearchGroup } from './search.ts';
import { type AuditWords, inArea, joinAuditWords, noAuditWords } from './security/audit-words.ts';
import type { SealedColumn } from './security/sealed-column.ts';
import type { SetUpStep } from './set-up.ts';
import type { FindWarnings } from './warnings.ts';

/** The inputs of demo data. `database/seed/plan.ts` has the amounts. */
export interface SeedPlan {
  /** The day it is made; all dates are relative to it. */
  today: string;
  /** The random choices of one part: the same for the same seed number, whatever other parts choose. */
  random: (part: string) => Random;
}

/** Creates a feature's part of the demo data. The parts run in the order of the features. */
type Seed = (ctx: Context, app: FastifyInstance, plan: SeedPlan) => Promise<void>;

/** The server side of a feature. `src/app/features.server.ts` names each feature once. */
export interface ServerFeature {
  pages: readonly Page[];
  /** Every operation, including those of its masters. */
  routes: readonly Route[];
  masters: readonly Master[];
  /** What an Admin may set about it. */
  settings: readonly Setting[];
  /** The messages it queues, by template name. */
  messages: Readonly<Record<string, Template>>;
  /** Those that are sent by SMS, for their registration. */
  textMessages: Readonly<Record<string, TextMessage>>;
  /** Messages for constraints of its tables that acts of other features can break, by constraint name. */
  constraintMessages: Readonly<Record<string, ConstraintWords>>;
  /** The audit log's words for its acts and records; those of its masters are added. */
  auditWords: AuditWords;
  /** Its cards on the dashboard. */
  cards: readonly DashboardCard[];
  /** Its figures of the line above the dashboard, and its charts. */
  dayFigures: readonly DayFigure[];
  charts: readonly DashboardChart[];
  /** What happened in it since the last school day, on the dashboard. */
  dayChanges: readonly DayChange[];
  /** The numbers beside its pages in the menu. */
  badges: readonly PageBadge[];
  /** What its users have to do today, on the dashboard. */
  todos: readonly TodoSource[];
  /** What it says of the day to teachers, above the dashboard. */
  dayCells: readonly DayCell[];
  /** Reads the sections of a teacher, with their attendance. */
  readOwnSections?: ReadOwnSections;
  /** Reads the next days with a name. */
  readComingDays?: ReadComingDays;
  /** Its cards on records, its own and those of other features. */
  recordCards: readonly ServedCard[];
  /** Names of its records in notices. */
  noticeSubjects: readonly NoticeSubject[];
  /** What happened to people, for their timelines. */
  events: readonly EventSource[];
  /** The conditions behind filters that lists of other features have. */
  listConditions: readonly ListCondition[];
  /** Its columns that are encrypted, for a rotation of the data key. */
  sealed: readonly SealedColumn[];
  /** What the header's search finds of its records. */
  searches: readonly SearchGroup[];
  /** What of it is entered first into an empty system. */
  setUp: readonly SetUpStep[];
  /** Finds what an Admin must fix. */
  findWarnings?: FindWarnings;
  /** What it keeps for each year: copied to a later one, and deleted with a planned one. */
  rollOver: readonly RollOver[];
  /** What of it a year still has open when it ends. */
  yearEnd: readonly YearEndLine[];
  /** Its answers to the hooks of other features. */
  answers: readonly HookAnswer[];
  /** Its requests that a second person decides. */
  approvals: readonly ApprovalKind[];
  /** The number series of its documents and records. */
  series: readonly Series[];
  /** Its acts on many records, by the kind of run. */
  runs: Readonly<Record<string, RunAct | RunBatch>>;
  /** What it does once a day. */
  daily: readonly DailyTask[];
  /** What it does every minute. */
  everyMinute: readonly MinuteTask[];
  /** Its links that open records, by the names of their values in the query. */
  linkHolders: Readonly<Record<string, FindLinkHolder>>;
  /** Leads its short links to their pages. */
  findShortLink?: FindShortLink;
  /** What it shows on the page of a family's link. */
  familyParts: readonly FamilyPart[];
  /** Its kinds of certificate. */
  certificates: readonly CertificateKind[];
  /** Find what the codes on its papers prove. */
  proofs: readonly FindProof[];
  /** Its records that carry tags. */
  tagged: readonly Tagged[];
  /** Its tables with a key to a person. */
  merges: readonly Merging[];
  /** Corrections of its stored data that need the keys. */
  corrections: readonly DataCorrection[];
  /** Deletes expired data; runs every hour. */
  tidyUp?: (db: Database) => Promise<unknown>;
  /** Loads its `seed.ts`; called only when a demo is made. */
  seed?: () => Promise<{
    seed?: Seed;
    /** Whether the parts after it are made at the same time: none of them reads or changes its rows. */
    isMadeBeside?: boolean;
    /** Work that needs the rows of every other part. */
    finish?: Seed;
    /** Work that comes after that of every other part. */
    last?: Seed;
  }>;
}

interface Parts extends Partial<ServerFeature> {
  /** Keeps changes of its masters for a second person. */
  masterGuard?: MasterGuard;
  /** What the audit log's filter by record calls its records. */
  auditArea?: Text;
}

/** Completes a feature's server manifest; adds the operations of its masters to its routes. */
export const serverFeature = ({
  pages = [],
  routes = [],
  masters = [],
  settings = [],
  messages = {},
  textMessages = {},
  constraintMessages = {},
  auditArea,
  auditWords = noAuditWords,
  cards = [],
  dayFigures = [],
  charts = [],
  dayChanges = [],
  todos = [],
  dayCells = [],
  badges = [],
  recordCards = [],
  events = [],
  listConditions = [],
  noticeSubjects = [],
  sealed = [],
  searches = [],
  setUp = [],
  rollOver = [],
  yearEnd = [],
  answers = [],
  approvals = [],
  series = [],
  runs = {},
  daily = [],
  everyMinute = [],
  linkHolders = {},
  familyParts = [],
  certificates = [],
  proofs = [],
  tagged = [],
  merges = [],
  corrections = [],
  masterGuard,
  ...rest
}: Parts): ServerFeature => ({
  pages,
  routes: [...routes, ...masterRoutes(masters, masterGuard)],
  masters,
  settings,
  messages,
  textMessages,
  constraintMessages,
  cards,
  dayFigures,
  charts,
  dayChanges,
  todos,
  dayCells,
  badges,
  recordCards,
  events,
  listConditions,
  noticeSubjects,
  sealed,
  searches,
  setUp,
  rollOver,
  yearEnd,
  answers,
  approvals,
  series,
  runs,
  daily,
  everyMinute,
  linkHolders,
  familyParts,
  certificates,
  proofs,
  tagged,
  merges,
  corrections,
  auditWords: inArea(auditArea, joinAuditWords([...masters.map(masterAuditWords), auditWords])),
  ...rest,
});
