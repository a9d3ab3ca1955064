import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { type DomainDraft, rubricMessages } from '../contract/rubric.ts';

/** The messages of what the database refuses of a version. */
export const rubricRules = {
  table: 'observation_rubric_version',
  fields: {},
  constraintMessages: {
    observation_rubric_version_empty: { field: 'domains', message: rubricMessages.empty },
    observation_rubric_version_levels: { field: 'scaleId', message: rubricMessages.levels },
    observation_descriptor_level_id_scale_id_fkey: { field: 'scaleId', message: rubricMessages.levelOfOther },
  },
};

/** The whole content of a draft, in three statements. Rubrics of students have no weights: they give no score. */
export async function writeDomains(
  { db }: Pick<UserContext, 'db'>,
  versionId: number,
  scaleId: number,
  domains: readonly DomainDraft[],
  isWeighted: boolean,
) {
  const content = JSON.stringify(domains.map((domain) => ({ ...domain, weight: isWeighted ? domain.weight : null })));
  await sql`
    with asked as (select domain, place from jsonb_array_elements(${content}::jsonb) with ordinality as each (domain, place)),
    domains as (
      insert into observation_domain (version_id, position, name, weight)
      select ${versionId}, place, domain ->> 'name', (domain ->> 'weight')::smallint from asked returning id, position),
    wanted as (
      select domains.id as domain_id, indicator, each.place, asked.place as domain_place from asked
      join domains on domains.position = asked.place
      cross join jsonb_array_elements(domain -> 'indicators') with ordinality as each (indicator, place)),
    indicators as (
      insert into observation_indicator (domain_id, version_id, position, text, is_critical)
      select domain_id, ${versionId}, place, indicator ->> 'text', coalesce((indicator ->> 'isCritical')::boolean, false)
      from wanted returning id, domain_id, position)
    insert into observation_descriptor (indicator_id, version_id, level_id, scale_id, text)
    select indicators.id, ${versionId}, (descriptor ->> 'levelId')::integer, ${scaleId}, descriptor ->> 'text'
    from wanted join indicators on indicators.domain_id = wanted.domain_id and indicators.position = wanted.place
    cross join jsonb_array_elements(indicator -> 'descriptors') as descriptor
    where descriptor ->> 'text' <> ''`.execute(db);
}

/** Publishes a draft in place of the version before. */
export const publishVersion = (
  ctx: Pick<UserContext, 'db' | 'now' | 'constraintMessages'> & Partial<Pick<UserContext, 'user'>>,
  rubricId: number,
  versionId: number,
) =>
  withConstraintMessages(ctx, rubricRules, async () => {
    await retirePublished(ctx, rubricId);
    await ctx.db
      .updateTable('observation_rubric_version')
      .set({
        state: 'Published',
        published_at: ctx.now(),
        published_by: ctx.user?.staffId ?? null,
        version: sql`version + 1`,
      })
      .where('id', '=', versionId)
      .execute();
  });

/** The version that is no longer published, if there was one. */
export const retirePublished = ({ db }: Pick<UserContext, 'db'>, rubricId: number) =>
  db
    .updateTable('observation_rubric_version')
    .set({ state: 'Retired', version: sql`version + 1` })
    .where('rubric_id', '=', rubricId)
    .where('state', '=', 'Published')
    .returning('number')
    .executeTakeFirst();
