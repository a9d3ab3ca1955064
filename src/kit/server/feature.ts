import type { FastifyInstance } from 'fastify';
import type { Master } from '#kit/contract/master.ts';
import type { Page } from '#kit/contract/page.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';
import type { Context } from './context.ts';
import type { DashboardCard } from './dashboard.ts';
import type { Route } from './http/routes.ts';
import { masterAuditWords } from './master/audit-words.ts';
import { masterRoutes } from './master/routes.ts';
import type { Template } from './messages/outbox.ts';
import type { Random } from './random.ts';
import { type AuditWords, joinAuditWords, noAuditWords } from './security/audit-words.ts';
import type { FindWarnings } from './warnings.ts';

/** What demo data is made by. How much of everything there is says `database/seed/plan.ts`. */
export interface SeedPlan {
  /** The day on which it is made; what it holds is dated by it. */
  today: string;
  /** The choices of one part: the same for the same seed number, whatever other parts choose. */
  random: (part: string) => Random;
}

/** Makes a feature's part of the demo data. The parts are made in the order of the features. */
type Seed = (ctx: Context, app: FastifyInstance, plan: SeedPlan) => Promise<void>;

/** What a feature brings to the server. `src/app/features.server.ts` names each feature once. */
export interface ServerFeature {
  pages: readonly Page[];
  /** Every operation, those of its masters too. */
  routes: readonly Route[];
  masters: readonly Master[];
  /** The messages it queues, by the name of their template. */
  messages: Readonly<Record<string, Template>>;
  /** What is said where an act of another feature breaks a rule of its tables, by the name of the constraint. */
  constraintMessages: Readonly<Record<string, Text>>;
  /** What the audit log calls its acts; those of its masters are added. */
  auditWords: AuditWords;
  /** Its cards on the dashboard. */
  cards: readonly DashboardCard[];
  /** Looks for what an Admin must put right. */
  findWarnings?: FindWarnings;
  /** Removes what nobody can use any more; runs every hour. */
  tidyUp?: (db: Database) => Promise<unknown>;
  /** Loads its `seed.ts`; called only when a demo is made. */
  seed?: () => Promise<{
    seed: Seed;
    /** What can be done only after every other part. */
    finish?: Seed;
  }>;
}

type Parts = Partial<ServerFeature>;

/** The manifest of a feature's server side; the operations of its masters are added to its routes. */
export const serverFeature = ({
  pages = [],
  routes = [],
  masters = [],
  messages = {},
  constraintMessages = {},
  auditWords = noAuditWords,
  cards = [],
  ...rest
}: Parts): ServerFeature => ({
  pages,
  routes: [...routes, ...masterRoutes(masters)],
  masters,
  messages,
  constraintMessages,
  cards,
  auditWords: joinAuditWords([...masters.map(masterAuditWords), auditWords]),
  ...rest,
});
