import type { Context } from '#kit/server/context.ts';

/** The domains of skills, each with a few. */
const skills: Record<string, string[]> = {
  Physical: ['Balance and coordination', 'Fine movements of the hand'],
  'Socio-emotional': ['Works with others', 'Names feelings'],
  Cognitive: ['Sorts and compares', 'Solves a problem in steps'],
  'Language and literacy': ['Listens and retells', 'Reads aloud with expression'],
  Aesthetic: ['Keeps a rhythm'],
  'Learning habits': ['Finishes tasks'],
};

/** The domains and their skills. */
export async function seed({ db }: Context) {
  const domains = await db
    .insertInto('configuration_skill_domain')
    .values(Object.keys(skills).map((name, index) => ({ name, position: index + 1 })))
    .returning(['id', 'name'])
    .execute();
  await db
    .insertInto('configuration_skill')
    .values(
      domains.flatMap(({ id, name }) =>
        (skills[name] ?? []).map((skill) => ({
          skill_domain_id: id,
          name: skill,
          stages: ['Foundational', 'Preparatory'],
        })),
      ),
    )
    .execute();
}
