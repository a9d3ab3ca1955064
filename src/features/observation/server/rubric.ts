import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { typedPercent } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { rubricApi } from '../contract/rubric.ts';
import { addUsual } from './usual.ts';
import { readVersions } from './version.ts';
import { publishVersion, retirePublished, rubricRules, writeDomains } from './write-version.ts';

/** A rubric, locked: its versions change one at a time. */
async function lockRubric({ db }: UserContext, id: number) {
  return db
    .selectFrom('observation_rubric')
    .where('id', '=', id)
    .select(['id', 'name', 'for_whom'])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
}

const findDraft = ({ db }: UserContext, rubricId: number) =>
  db
    .selectFrom('observation_rubric_version')
    .where('rubric_id', '=', rubricId)
    .where('state', '=', 'Draft')
    .select(['id', 'number', 'version'])
    .executeTakeFirst();

const versions: Handler<typeof rubricApi.versions> = async (ctx, { id }) => {
  const { db } = ctx;
  const rubric = await db
    .selectFrom('observation_rubric')
    .where('id', '=', id)
    .select(['id', 'name', 'for_whom'])
    .executeTakeFirstOrThrow(notFound);
  const rows = await db
    .selectFrom('observation_rubric_version')
    .where('rubric_id', '=', id)
    .select(['id', 'state', 'published_at', 'version'])
    .orderBy('number', 'desc')
    .execute();
  const shown = await readVersions(
    ctx,
    rows.map((row) => row.id),
  );
  return {
    id,
    name: rubric.name,
    forWhom: rubric.for_whom as 'Student',
    versions: rows.flatMap((row) => {
      const version = shown.get(row.id);
      const { state, published_at } = row;
      return version
        ? [
            {
              ...version,
              state: state as 'Draft',
              publishedAt: published_at?.toISOString() ?? '',
              version: row.version,
            },
          ]
        : [];
    }),
  };
};

const saveDraft: Handler<typeof rubricApi.saveDraft> = async (ctx, { id, version, scaleId, domains }) => {
  const rubric = await lockRubric(ctx, id);
  const found = await findDraft(ctx, id);
  requireVersion({ version: found?.version ?? 0 }, version);
  const saved = await withConstraintMessages(ctx, rubricRules, async () => {
    const draft = await prepareDraft(ctx, id, found, Number(scaleId));
    await writeDomains(ctx, draft.id, Number(scaleId), domains, rubric.for_whom === 'Staff');
    return draft;
  });
  await audit(ctx, {
    action: 'observation-rubric.saved',
    entity: 'observation_rubric',
    entityId: id,
    details: { Version: saved.number },
  });
  return { versionId: saved.id, version: saved.version };
};

/** The draft without its domains, which are written next. */
async function prepareDraft({ db }: UserContext, rubricId: number, found: { id: number } | undefined, scaleId: number) {
  if (!found) {
    const { rows } = await sql<{ id: number; number: number; version: number }>`
      insert into observation_rubric_version (rubric_id, number, scale_id)
      select ${rubricId}, coalesce(max(number), 0) + 1, ${scaleId} from observation_rubric_version where rubric_id = ${rubricId}
      returning id, number, version`.execute(db);
    return rows[0] as { id: number; number: number; version: number };
  }
  await db.deleteFrom('observation_descriptor').where('version_id', '=', found.id).execute();
  await db.deleteFrom('observation_indicator').where('version_id', '=', found.id).execute();
  await db.deleteFrom('observation_domain').where('version_id', '=', found.id).execute();
  return db
    .updateTable('observation_rubric_version')
    .set({ scale_id: scaleId, version: sql`version + 1` })
    .where('id', '=', found.id)
    .returning(['id', 'number', 'version'])
    .executeTakeFirstOrThrow();
}

const publish: Handler<typeof rubricApi.publish> = async (ctx, { id, version }) => {
  await lockRubric(ctx, id);
  const draft = await findDraft(ctx, id);
  if (!draft) throw new AppError('not_found', notFoundMessage);
  requireVersion(draft, version);
  const { rows } = await sql<{ total: number; isStaff: boolean }>`
    select coalesce(sum(weight), 0)::integer as total,
      (select for_whom = 'Staff' from observation_rubric where id = ${id}) as "isStaff"
    from observation_domain where version_id = ${draft.id}`.execute(ctx.db);
  const { total = 0, isStaff = false } = rows[0] ?? {};
  if (isStaff && total !== 10_000)
    throw fieldRefusal('domains', text`The weights total ${{ total: typedPercent(total) }} %, not 100 %.`);
  await publishVersion(ctx, id, draft.id);
  await audit(ctx, {
    action: 'observation-rubric.published',
    entity: 'observation_rubric',
    entityId: id,
    details: { Version: draft.number },
  });
  return { number: draft.number };
};

const retire: Handler<typeof rubricApi.retire> = async (ctx, { id }) => {
  await lockRubric(ctx, id);
  const retired = await retirePublished(ctx, id);
  if (!retired) throw new AppError('not_found', notFoundMessage);
  await audit(ctx, {
    action: 'observation-rubric.retired',
    entity: 'observation_rubric',
    entityId: id,
    details: { Version: retired.number },
  });
  return {};
};

const usual: Handler<typeof rubricApi.usual> = async (ctx) => {
  await sql`lock table observation_type in share row exclusive mode`.execute(ctx.db);
  const held = await ctx.db.selectFrom('observation_type').select('id').limit(1).executeTakeFirst();
  if (held) throw new AppError('conflict', text`There are observation types already.`);
  const types = await addUsual(ctx);
  await audit(ctx, { action: 'observation-rubric.usual-added', entity: 'observation_rubric', entityId: 0 });
  return { types };
};

export const rubricRoutes = routes(rubricApi, { versions, saveDraft, publish, retire, usual });
