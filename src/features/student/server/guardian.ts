import { sql } from 'kysely';
import { readLookups } from '#features/school/api.ts';
import { columnsIn, toWire } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { adultFields, guardianApi, linkFields } from '../contract/guardian.ts';
import { familyReaders } from '../contract/record.ts';
import { requireStudent } from './visible.ts';

const family: Handler<typeof guardianApi.family> = async (ctx, { id }) => {
  await requireStudent(ctx, id, familyReaders);
  const rows = await ctx.db
    .selectFrom('student_guardian as link')
    .innerJoin('guardian as adult', 'adult.id', 'link.guardian_id')
    .innerJoin('academic_lookup as relation', 'relation.id', 'link.relation_id')
    .where('link.student_id', '=', id)
    .select([...columnsIn('adult', adultFields), ...columnsIn('link', linkFields)])
    .select(['adult.id', 'adult.name', 'relation.name as relation', 'link.version', 'link.is_primary'])
    .select(
      sql<
        string[]
      >`array(select child.name from student_guardian other join student child on child.id = other.student_id
        where other.guardian_id = adult.id and other.student_id <> link.student_id order by child.sort_name, child.id)`.as(
        'also_of',
      ),
    )
    .orderBy('link.is_primary', 'desc')
    .orderBy('link.contact_order')
    .orderBy('link.id')
    .execute();
  return {
    guardians: rows.map((row) => ({
      id: row.id,
      version: row.version,
      name: row.name,
      relation: row.relation,
      isPrimary: row.is_primary,
      alsoOf: row.also_of,
      saved: { ...toWire(adultFields, row), ...toWire(linkFields, row) },
    })),
  };
};

export const guardianRoutes = routes(guardianApi, {
  relations: ({ db }, input) => readLookups(db, 'Relation', input),
  family,
});
