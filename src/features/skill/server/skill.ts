import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type SkillsOfStage, skillApi } from '../contract/skill.ts';

export type Stage = Parameters<typeof offer>[1]['stage'];

/** The active skills of a stage in the order of their domains, and the active levels in theirs. */
export async function offeredSkills({ db }: Pick<Context, 'db'>, stage: Stage): Promise<SkillsOfStage> {
  const [skills, levels] = await Promise.all([
    db
      .selectFrom('configuration_skill as skill')
      .innerJoin('configuration_skill_domain as domain', 'domain.id', 'skill.skill_domain_id')
      .where('skill.is_active', '=', true)
      .where('domain.is_active', '=', true)
      .where(sql<boolean>`${stage} = any (skill.stages)`)
      .select(['skill.id', 'skill.name', 'domain.name as domain', 'skill.description'])
      .orderBy('domain.position')
      .orderBy(sql`lower(skill.name)`)
      .limit(1000)
      .execute(),
    db
      .selectFrom('configuration_skill_level')
      .where('is_active', '=', true)
      .select(['id', 'name', 'foundational', 'preparatory', 'middle', 'secondary'])
      .orderBy('position')
      .execute(),
  ]);
  const column = stage.toLowerCase() as Lowercase<Stage>;
  return { skills, levels: levels.map((row) => ({ id: row.id, name: row.name, descriptor: row[column] })) };
}

const offer: Handler<typeof skillApi.offer> = (ctx, { stage }) => offeredSkills(ctx, stage);

export default routes(skillApi, { offer });
