import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import type { ShownVersion } from '../contract/rubric.ts';

/** Versions of rubrics as their readers see them, in one statement for any number. */
export async function readVersions(
  { db }: Pick<Context, 'db'>,
  ids: readonly number[],
): Promise<Map<number, ShownVersion>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ShownVersion>`
    select version.id, version.number, version.scale_id as "scaleId",
      coalesce((select jsonb_agg(jsonb_build_object('id', level.id, 'label', level.label, 'points', level.points,
          'meaning', level.meaning) order by level.points nulls last, level.id)
        from observation_level level where level.scale_id = version.scale_id and level.is_active), '[]') as levels,
      coalesce((select jsonb_agg(jsonb_build_object('id', domain.id, 'name', domain.name, 'weight', domain.weight,
          'indicators', coalesce((select jsonb_agg(jsonb_build_object('id', indicator.id, 'text', indicator.text,
              'isCritical', indicator.is_critical,
              'descriptors', coalesce((select jsonb_agg(jsonb_build_object('levelId', descriptor.level_id,
                  'text', descriptor.text) order by descriptor.level_id)
                from observation_descriptor descriptor where descriptor.indicator_id = indicator.id), '[]'))
              order by indicator.position)
            from observation_indicator indicator where indicator.domain_id = domain.id), '[]')) order by domain.position)
        from observation_domain domain where domain.version_id = version.id), '[]') as domains
    from observation_rubric_version version where version.id = any(${[...ids]}::integer[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
