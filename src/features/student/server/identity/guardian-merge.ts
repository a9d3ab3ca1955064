import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { namesOf } from '#kit/contract/field.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toRow } from '#kit/server/database/row-map.ts';
import { ask } from '#kit/server/hook.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { readFields } from '#kit/server/record/read-fields.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { adultFields } from '../../contract/guardian.ts';
import { guardianMergeApi } from '../../contract/guardian-merge.ts';
import { guardianMergeHook, type MergeSum } from '../../contract/hooks.ts';
import { placeSql, today } from '../enrolment/place.ts';
import { lockFamilies } from '../family/add-adults.ts';
import { describeAdults } from '../family/known-adult.ts';
import { isSeen } from '../visible.ts';
import { differencesIn, mergedOf } from './merge-parts.ts';

interface Pair {
  keptId: number;
  retiredId: number;
}

/** An adult of more children is a contact, as the database says (`student_guardian_most_children`). */
const mostChildren = 12;

/** The children of adults, and whether the user sees each. */
async function readChildren({ db, user, now }: UserContext, ids: readonly number[]) {
  const rows = await db
    .selectFrom('student_guardian as link')
    .innerJoin('student', 'student.id', 'link.student_id')
    .leftJoinLateral(placeSql(today({ now })).as('place'), (join) => join.onTrue())
    .where('link.guardian_id', 'in', [...ids])
    .select(['link.guardian_id', 'student.id', 'student.first_name', 'student.family_id', 'link.role'])
    .select(isSeen(user, studentKeepers).as('is_seen'))
    .orderBy('student.birth_date')
    .orderBy('student.id')
    .execute();
  return rows;
}

/** Throws `not_found` unless the user sees a child of each of these adults. */
async function requireAdults(ctx: UserContext, ids: readonly number[]) {
  const children = await readChildren(ctx, ids);
  for (const id of ids)
    if (!children.some(({ guardian_id, is_seen }) => guardian_id === id && is_seen)) throw notFound();
  return children;
}

async function readHeads(ctx: UserContext, ids: readonly number[]) {
  const described = await describeAdults(
    ctx,
    ids.map((id) => ({ id })),
  );
  const rows = await ctx.db
    .selectFrom('guardian')
    .where('id', 'in', [...ids])
    .where('merged_into_id', 'is', null)
    .select(['id', 'version', 'mobile', 'email'])
    .select(
      sql<boolean>`exists (select from family_link where guardian_id = guardian.id and revoked_at is null)`.as(
        'has_link',
      ),
    )
    .execute();
  return rows.flatMap(({ has_link, ...row }) => {
    const own = described.find(({ id }) => id === row.id);
    return own ? [{ ...own, ...row, hasLink: has_link }] : [];
  });
}

/** Adults of the same name and number, and those of the same name at one child. */
const doubts: Handler<typeof guardianMergeApi.doubts> = async (ctx, { id }) => {
  await requireAdults(ctx, [id]);
  const { rows } = await sql<{ id: number; mobile: string }>`
    select other.id, other.mobile from guardian own
    join guardian other on other.id <> own.id and other.first_words[1] = any (own.first_words || own.last_words)
    where own.id = ${id} and own.merged_into_id is null and other.merged_into_id is null
      and names_fit(own.first_words, own.last_words, other.first_words, other.last_words) = 2
      and ((own.mobile <> '' and other.mobile = own.mobile) or (own.email <> '' and lower(other.email) = lower(own.email))
        or exists (select from student_guardian mine join student_guardian theirs on theirs.student_id = mine.student_id
          where mine.guardian_id = own.id and theirs.guardian_id = other.id))
    order by other.id limit 10`.execute(ctx.db);
  const adults = await describeAdults(ctx, rows);
  const { name } = await ctx.db.selectFrom('guardian').where('id', '=', id).select('name').executeTakeFirstOrThrow();
  return {
    name,
    adults: adults.map((adult) => ({ ...adult, mobile: rows.find((row) => row.id === adult.id)?.mobile ?? '' })),
  };
};

const compare: Handler<typeof guardianMergeApi.compare> = async (ctx, { id, with: otherId, keeps }) => {
  if (id === otherId) throw fieldRefusal('with', text`Choose another adult.`);
  await requireAdults(ctx, [id, otherId]);
  const heads = await readHeads(ctx, [id, otherId]);
  const [first, second] = heads.toSorted(
    (one, other) =>
      Number(other.id === keeps) - Number(one.id === keeps) ||
      other.children.length + other.others - one.children.length - one.others ||
      one.id - other.id,
  );
  if (!first || !second) throw fieldRefusal('with', text`One of the adults was merged before.`);
  return {
    kept: first,
    retired: second,
    fields: await differencesIn(ctx, 'guardian', adultFields, { keptId: first.id, retiredId: second.id }),
  };
};

/** Fills in what the kept adult lacks, and takes over the fields that a person chose. */
async function mergeFields(ctx: UserContext, { keptId, retiredId }: Pair, chosen: readonly string[]) {
  const kept = await readFields(ctx, 'guardian', adultFields, keptId, { locks: true });
  const retired = await readFields(ctx, 'guardian', adultFields, retiredId);
  const { taken, merged } = mergedOf(namesOf(adultFields), { kept: kept.saved, retired: retired.saved, chosen });
  if (taken.length > 0) {
    await ctx.db
      .updateTable('guardian')
      .set({ ...toRow(adultFields, merged), version: sql`version + 1` })
      .where('id', '=', keptId)
      .execute();
  }
  return [taken, kept.version, retired.version];
}

/**
 * Links the children of both to the kept adult. Of a child who has both, the rights of the kept one hold, a bar wins, and a
 * parent or guardian is no contact. A child whose first adult is barred by that gets the next one.
 */
async function mergeLinks({ db }: UserContext, { keptId, retiredId }: Pair): Promise<Text[]> {
  const { rows: both } = await sql<{ studentId: number; isBarred: boolean; wasFirst: boolean }>`
    update student_guardian kept set version = kept.version + 1,
      role = case when kept.role = 'Contact' then other.role else kept.role end,
      relation_id = case when kept.role = 'Contact' then other.relation_id else kept.relation_id end,
      is_barred = kept.is_barred or other.is_barred,
      may_collect = kept.may_collect and not other.is_barred,
      receives_messages = kept.receives_messages and not other.is_barred,
      is_primary = (kept.is_primary or other.is_primary) and not (kept.is_barred or other.is_barred),
      restriction = left(concat_ws('; ', nullif(kept.restriction, ''),
        nullif(nullif(other.restriction, kept.restriction), '')), 300)
    from student_guardian other
    where kept.guardian_id = ${keptId} and other.guardian_id = ${retiredId} and other.student_id = kept.student_id
    returning kept.student_id as "studentId", kept.is_barred as "isBarred", other.is_primary as "wasFirst"`.execute(db);
  await sql`delete from student_guardian where guardian_id = ${retiredId}
    and student_id = any(${both.map(({ studentId }) => studentId)}::integer[])`.execute(db);
  await sql`update student_guardian set guardian_id = ${keptId}, version = version + 1
    where guardian_id = ${retiredId}`.execute(db);
  const barred = both.filter(({ isBarred }) => isBarred).map(({ studentId }) => studentId);
  const { rows: called } = await sql<{ child: string; adult: string }>`
    with next as (
      select distinct on (link.student_id) link.id, link.student_id, adult.name from student_guardian link
      join guardian adult on adult.id = link.guardian_id
      where link.student_id = any(${barred}::integer[]) and link.role <> 'Contact' and not link.is_barred
        and not adult.is_deceased and not exists (select from student_guardian first
          where first.student_id = link.student_id and first.is_primary)
      order by link.student_id, link.contact_order, link.id
    ), chosen as (
      update student_guardian own set is_primary = true, version = own.version + 1 from next where own.id = next.id)
    select student.name as child, next.name as adult from next join student on student.id = next.student_id
    order by student.id`.execute(db);
  const names = await db
    .selectFrom('student')
    .where('id', 'in', [...barred, 0])
    .select('name')
    .orderBy('id')
    .execute();
  return [
    ...names.map(({ name }) => text`${{ child: name }}: barred from contact, as one of the records says.`),
    ...called.map(({ child, adult }) => text`${{ child }}: ${{ adult }} is called first.`),
  ];
}

/** The children whom an adult may meet. */
async function householdOf(ctx: UserContext, guardianId: number): Promise<string> {
  const rows = await ctx.db
    .selectFrom('student_household as household')
    .innerJoin('student', 'student.id', 'household.student_id')
    .where('household.guardian_id', '=', guardianId)
    .select('first_name')
    .orderBy('birth_date')
    .orderBy('student.id')
    .execute();
  return rows.map(({ first_name }) => first_name).join(', ');
}

/** Brothers and sisters, who follow from the closure of shared adults. */
async function familyOf({ db }: UserContext, studentIds: readonly number[]) {
  const rows = await db
    .selectFrom('student')
    .where('merged_into_id', 'is', null)
    .where('family_id', 'in', (from) =>
      from
        .selectFrom('student as own')
        .where('own.id', '=', sql<number>`any(${[...studentIds]}::integer[])`)
        .select('own.family_id'),
    )
    .select(['first_name', 'family_id'])
    .orderBy('birth_date')
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, ({ family_id }) => family_id);
}

const merge: Handler<typeof guardianMergeApi.merge> = (ctx, { id: keptId, retiredId, taken, reason, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { db, user, now } = ctx;
    if (keptId === retiredId) throw fieldRefusal('retiredId', text`Choose another adult.`);
    const pair = { keptId, retiredId };
    await lockFamilies(ctx);
    const children = await requireAdults(ctx, [keptId, retiredId]);
    const studentIds = [...new Set(children.map(({ id }) => id))].sort((one, other) => one - other);
    await sql`select id from student where id = any(${studentIds}::integer[]) order by id for update`.execute(db);
    const { rows: adults } = await sql<{ id: number; name: string; hasEnded: boolean }>`
      select id, name, merged_into_id is not null as "hasEnded" from guardian where id in (${keptId}, ${retiredId})
      order by id for update`.execute(db);
    const of = (adult: number) => children.filter(({ guardian_id }) => guardian_id === adult);
    const cared = new Set(children.flatMap(({ id, role }) => (role === 'Contact' ? [] : [id])));
    const blocks: Text[] = [
      ...(adults.some(({ hasEnded }) => hasEnded) ? [text`One of the adults was merged before.`] : []),
      ...(children.some(({ is_seen }) => !is_seen)
        ? [text`Children of other branches have one of these adults. An Admin can merge them.`]
        : []),
      ...(cared.size > mostChildren
        ? [
            text`The adult would have ${{ count: cared.size }} children. Choose Contact for a warden or an institution first.`,
          ]
        : []),
    ];
    const input = [keptId, retiredId, taken, reason];
    if (blocks.length > 0) return { answer: { sums: [], texts: [], blocks }, basis: input, isRefused: true };

    const before = await familyOf(ctx, studentIds);
    const fields = await mergeFields(ctx, pair, taken);
    const told = await mergeLinks(ctx, pair);
    const after = await familyOf(ctx, studentIds);
    await db
      .insertInto('guardian_merge')
      .values({ kept_id: keptId, retired_id: retiredId, reason, done_by: user.name, done_at: now() })
      .execute();
    const outputs = (await ask(ctx, guardianMergeHook, { ...pair, studentIds })).map(({ output }) => output);
    const household = await householdOf(ctx, keptId);
    const sums: MergeSum[] = [
      {
        label: text`Children`,
        kept: of(keptId).length,
        retired: of(retiredId).length,
        after: studentIds.length,
        kind: 'count',
      },
      ...outputs.flatMap((output) => output.sums),
    ];
    const nameOf = (adult: number) => adults.find(({ id }) => id === adult)?.name ?? '';
    await auditAll(
      ctx,
      [keptId, retiredId].map((entityId) => ({
        action: 'guardian.merged',
        entity: 'guardian',
        entityId,
        details: { Name: `${nameOf(retiredId)} → ${nameOf(keptId)}`, Reason: reason },
      })),
    );
    const joined = [...after.values()].filter((family) => before.size > after.size && family.length > 1);
    return {
      answer: {
        sums,
        blocks: outputs.flatMap((output) => output.blocks),
        texts: [
          ...joined.map(
            (family) =>
              text`${{ children: family.map(({ first_name }) => first_name).join(', ') }} become brothers and sisters.`,
          ),
          text`The household of ${{ adult: nameOf(keptId) }}: ${{ children: household || '–' }}.`,
          ...told,
          ...outputs.flatMap((output) => output.texts),
          text`A merge can’t be undone.`,
        ],
      },
      basis: [
        input,
        fields,
        children.map(({ guardian_id, id, family_id, role }) => [guardian_id, id, family_id, role]),
        outputs.map(({ basis }) => basis),
      ],
      isRefused: outputs.some((output) => output.blocks.length > 0),
    };
  });

export const guardianMergeRoutes = routes(guardianMergeApi, { doubts, compare, merge });
