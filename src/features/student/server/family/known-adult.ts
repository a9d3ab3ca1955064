import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { tooMany } from '#features/sign-in/api.ts';
import type { Access, OutputOf } from '#kit/contract/endpoint.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import type { addStudentApi } from '../../contract/add.ts';
import type { guardianApi, knownAdult } from '../../contract/guardian.ts';
import { placeSql, today } from '../enrolment/place.ts';
import { isSeen } from '../visible.ts';
import { matchGuardians } from './match-guardians.ts';

type KnownAdult = z.infer<typeof knownAdult>;
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
    .leftJoinLateral(placeSql(today({ now })).as('place'), (join) => join.onTrue())
    .where('guardian.id', '=', sql<number>`any (${adults.map(({ id }) => id)})`)
    .select(['guardian.id', 'guardian.name', 'relation.name as relation', 'student.name as child'])
    .select(['place.name as place', isSeen(user, access).as('is_seen')])
    .orderBy('guardian.id')
    .orderBy('student.sort_name')
    .limit(50)
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
    id,
    name: own[0]?.name ?? '',
    relation: own[0]?.relation ?? '',
    children: own.flatMap(({ is_seen, child, place }) => (is_seen ? [`${child} (${place ?? ''})`] : [])),
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
    left join lateral ${placeSql(today({ now }))} place on true
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

/** Adults of the same name, and those of the last name whose first name is near: "Rakeshbhai" finds Rakesh. */
async function findByName({ db }: UserContext, { firstName, lastName }: Pick<Typed, 'firstName' | 'lastName'>) {
  const { rows } = await sql<{ id: number }>`
    with typed as (select name_words(${firstName}) as first_words, name_words(${lastName}) as last_words)
    select guardian.id from typed cross join lateral (
      select id from guardian where first_words[1] = typed.first_words[1]
      union
      select id from guardian where guardian.search_key like '%' || typed.first_words[1] || '%'
    ) found join guardian using (id)
    where guardian.merged_into_id is null and length(typed.first_words[1]) >= 3 and typed.last_words <> '{}' and guardian.last_words <> '{}'
      and names_fit(guardian.first_words, guardian.last_words, typed.first_words, typed.last_words)
        >= case when guardian.last_words = typed.last_words then 1 else 2 end
    order by guardian.id limit 20`.execute(db);
  return rows.map(({ id }) => id);
}

/** A number of a known adult says who it is, or that it is another adult: else one family becomes two. */
export async function refuseKnownNumber({ db }: Pick<UserContext, 'db'>, mobile: string, field: string) {
  if (mobile === '') return;
  const known = await db
    .selectFrom('guardian')
    .where('mobile', '=', mobile)
    .where('merged_into_id', 'is', null)
    .select('id')
    .executeTakeFirst();
  if (known) throw fieldRefusal(field, text`A known adult has this number. Choose who it is.`);
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
    .select([
      'id',
      sql<boolean>`names_fit(first_words, last_words, name_words(${firstName}), name_words(${lastName})) = 2`.as(
        'is_same',
      ),
    ])
    .execute();
  const byNumber = new Map(exact.map(({ id, is_same }) => [id, is_same]));
  return found
    .map((adult) => ({ ...adult, hasContact: byNumber.has(adult.id), isSame: byNumber.get(adult.id) ?? false }))
    .filter(({ children, hasContact }) => children.length > 0 || hasContact);
}

export const alike: Handler<typeof guardianApi.alike> = async (ctx, typed) => {
  await countQuestion(ctx);
  const offered = await findAlike(ctx, typed);
  await auditFound(
    ctx,
    offered.filter(({ hasContact }) => hasContact),
    { 'Mobile number': typed.mobile && `••••••${typed.mobile.slice(-4)}` },
  );
  return offered;
};
