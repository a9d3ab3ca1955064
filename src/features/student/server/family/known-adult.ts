import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { tooMany } from '#features/sign-in/api.ts';
import type { Access, OutputOf } from '#kit/contract/endpoint.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import type { addStudentApi } from '../../contract/add.ts';
import type { guardianApi } from '../../contract/guardian.ts';
import { isSeen, placeOn } from '../visible.ts';
import { firstKey, matchGuardians, wholeKey } from './match-guardians.ts';

type KnownAdult = OutputOf<typeof guardianApi.alike>[number];
type KnownFamily = OutputOf<typeof addStudentApi.known>[number]['family'];

/** Questions of one account about numbers, which may be of any family. */
const numbersAsked = { kind: 'guardian-asked', most: 60, windowSeconds: 60 };

export async function countQuestion({ db, user }: UserContext) {
  const wait = await countHit(db, numbersAsked, String(user.id));
  if (wait > 0) throw tooMany(wait);
}

/** Adults with their children: those in the user's scope by name, the others as a number. */
export async function describeAdults(
  { db, user, now }: UserContext,
  adults: readonly { id: number }[],
  access: Access = studentKeepers,
): Promise<KnownAdult[]> {
  const rows = await db
    .selectFrom('guardian')
    .innerJoin('student_guardian as link', 'link.guardian_id', 'guardian.id')
    .innerJoin('academic_lookup as relation', 'relation.id', 'link.relation_id')
    .innerJoin('student', 'student.id', 'link.student_id')
    .leftJoinLateral(placeOn(toLocalDate(now())).as('place'), (join) => join.onTrue())
    .leftJoin('academic_grade as grade', 'grade.id', 'place.grade_id')
    .leftJoin('academic_section as section', 'section.id', 'place.section_id')
    .where('guardian.id', '=', sql<number>`any (${adults.map(({ id }) => id)})`)
    .select(['guardian.id', 'guardian.name', 'relation.name as relation', 'student.name as child'])
    .select(({ fn }) => fn<string | null>('academic_section_name', ['grade.name', 'section.name']).as('section'))
    .select(['grade.name as grade', isSeen(user, access).as('is_seen')])
    .orderBy('guardian.id')
    .orderBy('student.sort_name')
    .limit(50)
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
    id,
    name: own[0]?.name ?? '',
    relation: own[0]?.relation ?? '',
    children: own.flatMap(({ is_seen, child, section, grade }) =>
      is_seen ? [`${child} (${section ?? grade ?? ''})`] : [],
    ),
    others: own.filter(({ is_seen }) => !is_seen).length,
  }));
}

/**
 * The family that a new child of an adult joins: where all children of the adult have the same adults, and the user sees
 * one of them, by adult.
 */
export async function familiesOf({ db, user, now }: UserContext, guardianIds: readonly number[]) {
  const { rows } = await sql<{ guardianId: number } & NonNullable<KnownFamily>>`
    with own as (
      select household.guardian_id, household.student_id,
        array(select other.guardian_id from student_guardian other where other.student_id = household.student_id
          and other.role <> 'Contact' order by 1) as adults
      from student_household household where household.guardian_id = any(${guardianIds}::integer[])
    ), family as (
      select guardian_id from own group by guardian_id having count(distinct adults) = 1
    )
    select family.guardian_id as "guardianId", max(student.id) as "siblingId",
      array_agg(student.first_name order by student.birth_date, student.id) as children,
      (select json_agg(json_build_object('name', adult.name, 'relation', relation.name) order by link.is_primary desc, link.contact_order)
        from student_guardian link join guardian adult on adult.id = link.guardian_id
        join academic_lookup relation on relation.id = link.relation_id
        where link.student_id = max(student.id) and link.role <> 'Contact') as adults
    from family join own using (guardian_id) join student on student.id = own.student_id
    left join lateral ${placeOn(toLocalDate(now()))} place on true
    where ${isSeen(user, studentKeepers)}
    group by family.guardian_id`.execute(db);
  return new Map(rows.map(({ guardianId, ...family }) => [guardianId, family]));
}

/** A question may name adults of another branch: it is in the log of each. */
export const auditFound = (ctx: UserContext, adults: readonly KnownAdult[], details: Record<string, string>) =>
  auditAll(
    ctx,
    adults.map(({ id }) => ({ action: 'guardian.found-by-number', entity: 'guardian', entityId: id, details })),
  );

/** Adults of the same last name whose first name begins alike: "Rakeshbhai" finds Rakesh. */
async function findByName({ db }: UserContext, { firstName, lastName }: Pick<Typed, 'firstName' | 'lastName'>) {
  const { rows } = await sql<{ id: number }>`
    with typed as (
      select regexp_replace(${firstKey(sql`${firstName}`)}, '(?<=...)(bhai|ben|kumar)$', '') as first, ${wholeKey(sql`${lastName}`)} as last)
    select guardian.id from guardian, typed
    where length(typed.first) >= 3 and guardian.search_key like '%' || typed.first || '%'
      and ${firstKey(sql`guardian.first_name`)} like typed.first || '%' and ${wholeKey(sql`guardian.last_name`)} = typed.last
    order by guardian.id limit 20`.execute(db);
  return rows.map(({ id }) => id);
}

interface Typed {
  firstName: string;
  lastName: string;
  mobile: string;
  email: string;
}

/** By number or address those of every branch; by a likely name only those of children in the user's scope. */
export async function findAlike(ctx: UserContext, { firstName, lastName, mobile, email }: Typed) {
  // Of no relation yet: father and mother are both offered.
  const [match] = await matchGuardians(ctx, [{ firstName, lastName, mobile, email, child: 0, relation: '' }]);
  const ids = [
    ...(match?.certain === undefined ? [] : [match.certain]),
    ...(match?.likely ?? []),
    ...(await findByName(ctx, { firstName, lastName })),
  ];
  const found = await describeAdults(
    ctx,
    ids.map((id) => ({ id })),
  );
  const exact = await ctx.db
    .selectFrom('guardian')
    .where('id', '=', sql<number>`any (${ids})`)
    .where(
      sql<boolean>`((${mobile} <> '' and mobile = ${mobile}) or (${email} <> '' and lower(email) = lower(${email})))`,
    )
    .select('id')
    .execute();
  const byNumber = new Set(exact.map(({ id }) => id));
  return { offered: found.filter(({ id, children }) => children.length > 0 || byNumber.has(id)), byNumber };
}

export const alike: Handler<typeof guardianApi.alike> = async (ctx, typed) => {
  await countQuestion(ctx);
  const { offered, byNumber } = await findAlike(ctx, typed);
  await auditFound(
    ctx,
    offered.filter(({ id }) => byNumber.has(id)),
    { 'Mobile number': typed.mobile && `••••••${typed.mobile.slice(-4)}` },
  );
  return offered;
};
