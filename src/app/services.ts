import { join } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { languageOfReader, quietOfReader } from '#features/family/api.ts';
import { offeredLanguages, readRegisteredTexts, readSchoolHead } from '#features/school/api.ts';
import { findRights, findUser, reportAct } from '#features/sign-in/api.ts';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { appRole, type Database, openDatabase } from '#kit/server/database/database.ts';
import { checkLoginSettings } from '#kit/server/database/pooler.ts';
import type { Bytes } from '#kit/server/files/bytes.ts';
import { readDisks } from '#kit/server/files/disk.ts';
import { openBytes } from '#kit/server/files/open-bytes.ts';
import { isRefusal } from '#kit/server/files/s3.ts';
import { openFileStore } from '#kit/server/files/store.ts';
import { openKept } from '#kit/server/kept.ts';
import { clockOf, readAhead } from '#kit/server/movable-clock.ts';
import { makePaper } from '#kit/server/paper/paper.ts';
import { openKeys } from '#kit/server/security/keys.ts';
import { setPatience } from '#kit/server/work/pool.ts';
import {
  allAnswers,
  allApprovals,
  allAuditWords,
  allCertificates,
  allConstraintMessages,
  allEvents,
  allFamilyParts,
  allLinkHolders,
  allListConditions,
  allMerges,
  allNoticeSubjects,
  allProofs,
  allRecordCards,
  allRollOver,
  allSeries,
  allSettings,
  allShortLinks,
  allTagged,
  allTextMessages,
  allYearEnd,
} from './features.server.ts';
import { upgradeDatabase } from './upgrade-database.ts';
import { oneLogin } from './upgrade-stops.ts';

export interface OpenServices {
  services: Services;
  close: () => Promise<void>;
}

/** Milliseconds from which a count of the dashboard is kept for a minute: fewer are as good as none (decision 0203). */
const slowCount = 5;

const behindPooler = 'Behind a pooler set DATABASE_NAMED_STATEMENTS=off.';

/** The refusal of a pooler that reads no options, in words that name the remedy. */
const explained = (error: unknown) =>
  error instanceof Error && /startup parameter/.test(error.message)
    ? new Error(`DATABASE_URL leads to a pooler that refuses the settings of a connection. ${behindPooler}`)
    : error;

const slowMessages =
  /canceling statement due to statement timeout|Query read timeout|timeout exceeded when trying to connect/;

/** The time limit of a statement during the start, in words that name the remedy. */
export function explainSlow(error: unknown, { patience }: Pick<Config, 'patience'>): unknown {
  if (!(error instanceof Error && slowMessages.test(error.message))) return error;
  return new Error(
    `The database took longer than ${4.5 * patience} s for one statement. The machine is busy: ` +
      `start again with SHALA_PATIENCE=${Math.min(99, 5 * patience)}.`,
    { cause: error },
  );
}

/**
 * A pooler, or options in the address, may drop the role that a connection requests; then nothing would protect the
 * audit log. In production the login must be able to become no other role and to create none.
 */
async function checkRole(db: Database, { production }: Config) {
  const { rows } = await sql<{ role: string; isMore: boolean }>`
    select current_user as role, exists (
      select from pg_roles as other
      where pg_has_role(session_user, other.oid, 'member') and (
        other.rolname not in (session_user, ${appRole}) or other.rolsuper or other.rolcreaterole
        or other.oid in (select relowner from pg_class where oid = 'public.audit'::regclass)
        or other.oid in (select datdba from pg_database where datname = current_database())
      )
    ) as "isMore"
  `.execute(db);
  if (rows[0]?.role !== appRole) {
    throw new Error(`Connections of DATABASE_URL do not work as ${appRole}. Remove options from it. ${behindPooler}`);
  }
  if (production && rows[0].isMore) throw new Error(oneLogin);
}

/** A bucket that refuses this server's requests stops the start; one that does not answer now may do so later. */
async function checkBucket(bytes: Bytes, log: Logger) {
  await bytes.isEmpty().catch((error: Error) => {
    if (isRefusal(error)) throw error;
    log.warn(`${error.message} Without it no file can be read or stored.`);
  });
}

/** Opens everything a process needs: migrated database, keys, file store. Throws a plain sentence when it cannot. */
export async function openServices(config: Config, log: Logger): Promise<OpenServices> {
  setPatience(config.patience);
  await upgradeDatabase(config, log, { mayUpgrade: config.upgradesAtStart });
  const db = openDatabase({
    url: config.databaseUrl,
    named: config.namedStatements,
    patience: config.patience,
    most: config.pool,
    ...(config.clock && { ahead: () => readAhead(config.clock ?? '') }),
    onLost: (error) => log.warn({ error }, 'A connection to the database was lost'),
  });
  try {
    if (!config.namedStatements) await checkLoginSettings(db, config.patience);
    await checkRole(db, config);
    const keys = await openKeys(db, config);
    const bytes = openBytes(config);
    if (config.bucket) await checkBucket(bytes, log);
    const files = openFileStore(bytes, keys.data);
    const services = {
      db,
      keys,
      files,
      kept: openKept({ slow: slowCount }),
      temp: join(config.folder, 'temp'),
      now: clockOf(config.clock),
      readDisks: () => readDisks({ files: config.folder, backups: config.backup.folder }),
      publicUrl: config.publicUrl,
      provider: config.provider,
      constraintMessages: allConstraintMessages,
      auditWords: allAuditWords,
      settings: allSettings,
      rollOver: allRollOver,
      yearEnd: allYearEnd,
      answers: allAnswers,
      approvals: allApprovals,
      recordCards: allRecordCards,
      events: allEvents,
      listConditions: allListConditions,
      noticeSubjects: allNoticeSubjects,
      series: allSeries,
      readPaperHead: readSchoolHead,
      makePaper,
      textMessages: allTextMessages,
      sendsTexts: config.sms !== undefined,
      reportSecret: config.sms?.reportSecret ?? '',
      namesTemplates: Object.keys(config.sms?.templateIds ?? {}).length > 0,
      readRegisteredTexts,
      languages: { offered: offeredLanguages, ofReader: languageOfReader },
      quietOf: quietOfReader,
      reportAct,
      linkHolders: allLinkHolders,
      shortLinks: allShortLinks,
      familyParts: allFamilyParts,
      certificates: allCertificates,
      proofs: allProofs,
      tagged: allTagged,
      merges: allMerges,
      findUser,
      findRights,
    };
    return { services, close: () => db.destroy() };
  } catch (error) {
    await db.destroy();
    throw explainSlow(explained(error), config);
  }
}
