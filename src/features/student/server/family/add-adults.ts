import { type Insertable, sql } from 'kysely';
import type { Guardian } from '#database/types.ts';
import { AppError } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext, Context } from '#kit/server/context.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { matchGuardians, type NamedAdult } from './match-guardians.ts';

/** What else is known of an adult. */
export type AdultDetails = Partial<
  Pick<
    Insertable<Guardian>,
    | 'qualification'
    | 'occupation'
    | 'organization'
    | 'job_profile'
    | 'sector_id'
    | 'specialty_id'
    | 'staff_id'
    | 'is_deceased'
  >
>;

interface Link {
  relation: string;
  isPrimary: boolean;
  /** By the relation if absent. */
  role?: 'Parent' | 'Guardian' | 'Contact';
  /** What a court has ordered: the adult is barred from contact. */
  restriction?: string;
  /** By the role if absent. */
  mayCollect?: boolean;
  receivesMessages?: boolean;
}

/** A known adult, or a new one, who may turn out to be known. */
export type NewGuardian = Link & { details?: AdultDetails } & (
    | { id: number }
    | { firstName: string; lastName: string; mobile: string; email: string }
  );

export const adultMessages = {
  student_guardian_needs_primary: {
    field: 'guardianMobile',
    message: text`This adult can’t be called first. Enter another adult.`,
  },
  student_guardian_most_children: {
    field: 'guardianMobile',
    message: text`This adult already has 12 children here. Enter another adult.`,
  },
} as const;

const rules: ConstraintMessages = { table: 'student', fields: {}, constraintMessages: adultMessages };

/** Adds adults to students who are there; a student without an adult to call first gets the row's. */
export async function addAdults(
  ctx: ActingContext,
  added: readonly { studentId: number; guardians: readonly NewGuardian[] }[],
) {
  if (added.length === 0) return;
  const adults = await findAdults(ctx, added);
  await lockFamilies(ctx);
  await withConstraintMessages(ctx, rules, () =>
    linkAdults(
      ctx,
      added.map(({ studentId }) => studentId),
      adults,
    ),
  );
}

/** Taken before links change; the database takes it again. */
export const lockFamilies = ({ db }: Pick<Context, 'db'>) =>
  sql`select pg_advisory_xact_lock(hashtext('student_family'))`.execute(db);

interface FoundAdult extends Link {
  /** The student's index. */
  child: number;
  /** Undefined for a new adult, who has the `key` of its row. */
  id: number | undefined;
  key: string;
  named: NamedAdult | undefined;
  details: AdultDetails;
}

const keyOf = ({ mobile, email, firstName, lastName, relation }: NamedAdult, child: number) =>
  mobile || email
    ? [mobile, email, firstName, lastName, relation].join('|').toLowerCase()
    : `${child}|${relation}|${firstName}`;

/** Who of the adults is known, locked so that another request does not add them too. */
export async function findAdults(
  ctx: ActingContext,
  students: readonly { guardians: readonly NewGuardian[] }[],
): Promise<FoundAdult[]> {
  const all = students.flatMap(({ guardians }, child) =>
    guardians.map(
      ({ relation, role, isPrimary, restriction, mayCollect, receivesMessages, details = {}, ...adult }) => ({
        child,
        relation,
        isPrimary,
        ...(role && { role }),
        ...(restriction !== undefined && { restriction }),
        ...(mayCollect !== undefined && { mayCollect }),
        ...(receivesMessages !== undefined && { receivesMessages }),
        details,
        id: 'id' in adult ? adult.id : undefined,
        named: 'id' in adult ? undefined : { ...adult, relation, child },
      }),
    ),
  );
  const people = all.flatMap(({ named }) => named ?? []);
  const matches = people.length > 0 ? await matchGuardians(ctx, people) : [];
  // The key of the first of those who are one adult.
  const keys: string[] = [];
  for (const [index, person] of people.entries())
    keys.push(keys[matches[index]?.same ?? -1] ?? keyOf(person, person.child));
  return all.map(({ named, ...adult }) => {
    const at = named ? people.indexOf(named) : -1;
    return { ...adult, named, id: adult.id ?? matches[at]?.certain, key: keys[at] ?? '' };
  });
}

/** Father and mother are parents; the only other adult looks after the child, and any further one is a contact. */
const roleOf = ({ role, relation, isPrimary }: FoundAdult) =>
  role ??
  (relation === 'Father' || relation === 'Mother'
    ? 'Parent'
    : isPrimary || relation === 'Guardian'
      ? 'Guardian'
      : 'Contact');

/** Adds the new adults and links all of them to their children. */
export async function linkAdults(ctx: ActingContext, ids: readonly number[], adults: readonly FoundAdult[]) {
  if (adults.length === 0) return;
  const { db } = ctx;
  const fresh = new Map<string, NamedAdult & { details: AdultDetails }>();
  // Of several names of one adult the first is kept.
  for (const { id, key, named, details } of adults)
    if (id === undefined && named && !fresh.has(key)) fresh.set(key, { ...named, details });
  await completeAdults(
    db,
    adults.flatMap(({ id, details: { is_deceased: _, ...details } }) => (id === undefined ? [] : [{ id, details }])),
  );
  const idOf = new Map<string, number>();
  if (fresh.size > 0) {
    // The ids are those of the values, in their order.
    const rows = await db
      .insertInto('guardian')
      .values(
        [...fresh.values()].map(({ firstName, lastName, mobile, email, details }) => ({
          ...details,
          first_name: firstName,
          last_name: lastName,
          mobile,
          email,
        })),
      )
      .returning('id')
      .execute();
    for (const [index, key] of [...fresh.keys()].entries()) idOf.set(key, rows[index]?.id ?? 0);
  }
  const relations = await db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Relation')
    .select(['id', 'name'])
    .execute();
  await db
    .insertInto('student_guardian')
    .values(
      adults.map((adult, index) => {
        const relation = relations.find(({ name }) => name === adult.relation);
        if (!relation) throw new AppError('conflict', inactiveMessage);
        const role = roleOf(adult);
        const mayMeet = role !== 'Contact' && adult.restriction === undefined && !adult.details.is_deceased;
        const earlier = adults.slice(0, index).filter(({ child }) => child === adult.child).length;
        return {
          student_id: ids[adult.child] ?? 0,
          guardian_id: adult.id ?? idOf.get(adult.key) ?? 0,
          relation_id: relation.id,
          role,
          is_primary: adult.isPrimary,
          contact_order: earlier + 1,
          may_collect: mayMeet && adult.mayCollect !== false,
          receives_messages: mayMeet && adult.receivesMessages !== false,
          is_barred: adult.restriction !== undefined,
          restriction: adult.restriction ?? '',
        };
      }),
    )
    .onConflict((conflict) => conflict.constraint('student_guardian_once').doNothing())
    .execute();
}

/** Adds what is not recorded of known adults; what is recorded stays, since it also counts for other children. */
async function completeAdults(db: ActingContext['db'], given: readonly { id: number; details: AdultDetails }[]) {
  const rows = given
    .filter(({ details }) => Object.values(details).some(Boolean))
    .map(({ id, details }) => ({ id, ...details }))
    .sort((one, other) => one.id - other.id);
  if (rows.length === 0) return;
  await sql`
    update guardian set version = guardian.version + 1,
      qualification = coalesce(nullif(guardian.qualification, ''), new.qualification, ''),
      occupation = coalesce(nullif(guardian.occupation, ''), new.occupation, ''),
      organization = coalesce(nullif(guardian.organization, ''), new.organization, ''),
      job_profile = coalesce(nullif(guardian.job_profile, ''), new.job_profile, ''),
      sector_id = case when guardian.sector_id is null and guardian.specialty_id is null
        then new.sector_id else guardian.sector_id end,
      specialty_id = case when guardian.sector_id is null and guardian.specialty_id is null
        then new.specialty_id else guardian.specialty_id end,
      staff_id = coalesce(guardian.staff_id, new.staff_id)
    from jsonb_populate_recordset(null::guardian, ${JSON.stringify(rows)}::jsonb) as new where guardian.id = new.id`.execute(
    db,
  );
}

/** Links the adults of brothers and sisters, the one who is called first too; contacts are of one child. */
export async function linkAsSiblings(
  { db }: ActingContext,
  ids: readonly number[],
  students: readonly { siblingId?: number }[],
) {
  const pairs = students.flatMap(({ siblingId }, index) => (siblingId ? [{ id: ids[index] ?? 0, siblingId }] : []));
  if (pairs.length === 0) return;
  await sql`
    insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary, contact_order, may_collect,
      receives_messages, is_barred, restriction)
    select pair.child, guardian_id, relation_id, role, is_primary, contact_order, may_collect, receives_messages, is_barred,
      restriction
    from unnest(${pairs.map(({ id }) => id)}::integer[], ${pairs.map(({ siblingId }) => siblingId)}::integer[])
      as pair (child, sibling)
    join student_guardian link on link.student_id = pair.sibling and link.role <> 'Contact'
    on conflict on constraint student_guardian_once do nothing`.execute(db);
}
