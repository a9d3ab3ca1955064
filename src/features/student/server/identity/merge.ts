import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { requestApproval } from '#features/approval/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { ask } from '#kit/server/hook.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { type Merge, type MergeChoices, mergeHook } from '../../contract/hooks.ts';
import { mergeApi, mergeDeciders, mergeMakers } from '../../contract/merge.ts';
import { genderWord } from '../../contract/record.ts';
import { lockSections } from '../enrolment/placement.ts';
import { lockFamilies } from '../family/add-adults.ts';
import { photoOf } from '../person/photo.ts';
import { requireStudent, studentsSeen } from '../visible.ts';
import { alikeStudents, describeAlike, keepNotSame } from './alike.ts';
import { differencesOf, mergeAdults, mergeFields, mergePapers, mergeYears } from './merge-parts.ts';

/** The kind of request that the principal decides. */
export const mergeKind = 'student.merge';

interface Pair {
  keptId: number;
  retiredId: number;
}

/** Days on which both may be present before somebody must say that they are one child. */
const mostBothPresent = 4;

/** Locks what a merge changes, in the order of all locks; the answers of others lock theirs in `ask`. */
async function lockPair(ctx: UserContext, { keptId, retiredId }: Pair) {
  const { db } = ctx;
  const both = sql`in (${keptId}, ${retiredId})`;
  await sql`select id from academic_year where id in (select academic_year_id from student_enrollment where student_id ${both})
    order by id for share`.execute(db);
  await sql`select id from student_enrollment where student_id ${both} order by id for update`.execute(db);
  const { rows } = await sql<{ id: number }>`
    select distinct section_id as id from student_section where student_id ${both}`.execute(db);
  await lockSections(
    ctx,
    rows.map(({ id }) => id),
  );
  await lockFamilies(ctx);
  const { rows: students } = await sql<Locked>`
    select id, name, gr_no as "grNo", branch_id as "branchId", version, merged_into_id as "mergedIntoId",
      encode(aadhaar_hash, 'hex') as "aadhaarKey"
    from student where id ${both} order by id for update`.execute(db);
  const kept = students.find(({ id }) => id === keptId);
  const retired = students.find(({ id }) => id === retiredId);
  if (!kept || !retired) throw notFound();
  return { kept, retired };
}

interface Locked {
  id: number;
  name: string;
  grNo: string;
  branchId: number;
  version: number;
  mergedIntoId: number | null;
  aadhaarKey: string | null;
}

/** What stands in the way of a merge in this feature. */
async function blocksOf({ db }: UserContext, { kept, retired }: { kept: Locked; retired: Locked }): Promise<Text[]> {
  const { rows: waiting } = await sql<{ title: Text; name: string }>`
    select approval.title, student.name from approval join student on student.id = approval.student_id
    where approval.status = 'Pending' and approval.kind <> ${mergeKind} and student.id in (${kept.id}, ${retired.id})
    order by approval.id`.execute(db);
  return [
    ...(kept.mergedIntoId !== null || retired.mergedIntoId !== null
      ? [text`One of the records was merged before.`]
      : []),
    ...(kept.branchId === retired.branchId
      ? []
      : [text`The records are of two branches. Correct the GR number of one first.`]),
    ...(kept.aadhaarKey && retired.aadhaarKey && kept.aadhaarKey !== retired.aadhaarKey
      ? [text`Two Aadhaar numbers are two children. Correct the wrong number first.`]
      : []),
    ...waiting.map(({ title, name }) => text`${{ title }}, ${{ name }}: waits for a decision. Decide it first.`),
  ];
}

/** Does all that a merge does; the caller rolls a preview back. */
export async function perform(ctx: UserContext, mergeId: number, pair: Pair, choices: MergeChoices) {
  const { db, user, now } = ctx;
  const { kept, retired } = await lockPair(ctx, pair);
  const blocks = await blocksOf(ctx, { kept, retired });
  const merge: Merge = { ...pair, retiredGrNo: retired.grNo, choices };
  if (blocks.length > 0)
    return { answer: { sums: [], collisions: [], texts: [], blocks }, basis: [kept.version, retired.version] };
  await db
    .updateTable('student_merge')
    .set({ status: 'Done', done_by: user.name, done_at: now(), version: sql`version + 1` })
    .where('id', '=', mergeId)
    .where('status', '=', 'Asked')
    .execute();
  const years = await mergeYears(ctx, pair);
  const fields = await mergeFields(ctx, merge);
  const adults = await mergeAdults(ctx, pair);
  await mergePapers(ctx, pair);
  const others = await ask(ctx, mergeHook, merge);
  const outputs = others.map(({ output }) => output);
  await auditAll(
    ctx,
    [pair.keptId, pair.retiredId].map((entityId) => ({
      action: 'student.merged',
      entity: 'student',
      entityId,
      details: { 'GR number': `${retired.grNo} → ${kept.grNo}` },
    })),
  );
  return {
    answer: {
      sums: [
        {
          label: text`Years`,
          kept: years.count.kept,
          retired: years.count.moved,
          after: years.count.kept + years.count.moved,
          kind: 'count' as const,
        },
        ...outputs.flatMap(({ sums }) => sums),
      ],
      collisions: outputs.flatMap(({ collisions }) => collisions),
      texts: [
        ...years.texts,
        ...adults.map((name) => text`${{ name }} is linked to the kept record`),
        ...outputs.flatMap(({ texts }) => texts),
        text`GR ${{ number: retired.grNo }} leads to GR ${{ kept: kept.grNo }} from now on. A merge can’t be undone.`,
      ],
      blocks: [...years.blocks, ...outputs.flatMap((output) => output.blocks)],
    },
    basis: [kept.version, retired.version, years.basis, fields, adults, outputs.map((output) => output.basis)],
  };
}

/** The number by which a later decision sees that something has changed. */
export const tokenOf = (basis: unknown) => createHash('sha256').update(JSON.stringify(basis)).digest('base64url');

export const merge: Handler<typeof mergeApi.merge> = (ctx, { confirmToken, isOneChild, reason, ...input }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const { db, user, now } = ctx;
    const { keptId, retiredId, taken, marks, exceptions } = input;
    const choices = { taken, marks: marks as MergeChoices['marks'], exceptions };
    if (keptId === retiredId) throw fieldRefusal('retiredId', text`Choose another record.`);
    for (const id of [keptId, retiredId]) await requireStudent(ctx, id, mergeMakers);
    const decides = await maySeeBoth(ctx, { keptId, retiredId });
    await lockPair(ctx, { keptId, retiredId });
    const asked = await db
      .insertInto('student_merge')
      .values({
        kept_id: keptId,
        retired_id: retiredId,
        choices: JSON.stringify(choices),
        reason,
        asked_by: user.staffId,
        asked_at: now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!asked) throw new AppError('conflict', text`A merge of this record waits for the principal, or is done.`);
    const bothPresent = await countBothPresent(ctx, { keptId, retiredId });
    // What is asked for is not done: its effects are computed as they would be, and taken back.
    const isTried = !isPreview && !decides;
    if (isTried) await sql`savepoint tried`.execute(db);
    const { answer, basis } = await perform(ctx, asked.id, { keptId, retiredId }, choices);
    if (isTried) await sql`set constraints all immediate`.execute(db);
    if (isTried) await sql`rollback to savepoint tried`.execute(db);
    const isDoubtful = bothPresent > mostBothPresent && !isOneChild;
    if (isDoubtful && !isPreview) throw fieldRefusal('isOneChild', text`Say whether they are one child.`);
    if (isTried && answer.blocks.length === 0) await askPrincipal(ctx, asked.id, { keptId, reason, answer, basis });
    return {
      answer: { ...answer, bothPresent, isAsked: !decides },
      basis: [input, isOneChild, basis],
      isRefused: answer.blocks.length > 0 || isDoubtful,
    };
  });

const maySeeBoth = async (ctx: UserContext, { keptId, retiredId }: Pair) =>
  (await studentsSeen(ctx, mergeDeciders).where('student.id', 'in', [keptId, retiredId]).select('student.id').execute())
    .length === 2;

interface Asked {
  keptId: number;
  reason: string;
  answer: { sums: unknown[] };
  basis: unknown;
}

async function askPrincipal(ctx: UserContext, id: number, { keptId, reason, answer, basis }: Asked) {
  const { db } = ctx;
  const { branch_id } = await db
    .selectFrom('student')
    .where('id', '=', keptId)
    .select('branch_id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('student_merge')
    .set({ sums: JSON.stringify(answer.sums), basis: tokenOf(basis) })
    .where('id', '=', id)
    .execute();
  await requestApproval(ctx, {
    kind: mergeKind,
    subjectId: id,
    branchId: branch_id,
    studentId: keptId,
    title: text`Merge two records of one child`,
    reason,
  });
  await auditAll(ctx, [
    { action: 'student.merge-asked', entity: 'student', entityId: keptId, details: { Reason: reason } },
  ]);
}

/** Half days on which both have a mark that counts as present. */
async function countBothPresent({ db }: UserContext, { keptId, retiredId }: Pair): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from attendance_mark one
    join attendance_mark other on other.academic_year_id = one.academic_year_id and other.student_id = ${retiredId}
      and other.day = one.day and other.half = one.half
    join attendance_code code on code.id = one.code_id and code.value > 0
    join attendance_code also on also.id = other.code_id and also.value > 0
    where one.student_id = ${keptId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Which of two records is kept unless a person says otherwise: the one with more receipts, then the older one. */
const compare: Handler<typeof mergeApi.compare> = async (ctx, { id, with: otherId, keeps }) => {
  const heads = await readHeads(ctx, [id, otherId]);
  if (!heads.some((head) => head.id === id)) throw notFound();
  if (heads.length < 2) throw fieldRefusal('with', text`Choose another record of your branches.`);
  const [first, second] = heads.toSorted(
    (one, other) =>
      Number(other.id === keeps) - Number(one.id === keeps) || other.receipts - one.receipts || one.id - other.id,
  );
  if (!first || !second) throw notFound();
  const waits = await ctx.db
    .selectFrom('student_merge')
    .where('status', '=', 'Asked')
    .where('retired_id', 'in', [id, otherId])
    .select('id')
    .executeTakeFirst();
  return {
    kept: first,
    retired: second,
    fields: await differencesOf(ctx, { keptId: first.id, retiredId: second.id }),
    isAsked: waits !== undefined,
    decides: await maySeeBoth(ctx, { keptId: id, retiredId: otherId }),
  };
};

async function readHeads(ctx: UserContext, ids: readonly number[]) {
  const rows = await studentsSeen(ctx, mergeMakers)
    .innerJoin('academic_branch as branch', 'branch.id', 'student.branch_id')
    .where('student.id', 'in', [...ids])
    .select(['student.id', 'student.version', 'student.name', 'student.gr_no', 'student.gender', 'student.birth_date'])
    .select(['student.admitted_on', 'student.photo_id', 'branch.name as branch', 'place.name as place'])
    .select([
      sql<number>`(select count(*)::integer from fee_receipt receipt join fee_account account on account.id = receipt.account_id
        where account.student_id = student.id)`.as('receipts'),
      sql<number>`(select count(*)::integer from attendance_mark where student_id = student.id)`.as('marks'),
      sql<string | null>`(select name from student_contact where student_id = student.id)`.as('adult'),
    ])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    name: row.name,
    grNo: row.gr_no,
    gender: genderWord(row.gender),
    birthDate: row.birth_date,
    branch: row.branch,
    place: row.place ?? '',
    admittedOn: row.admitted_on,
    picture: photoOf(row.photo_id),
    receipts: row.receipts,
    marks: row.marks,
    adult: row.adult ?? '',
  }));
}

const doubts: Handler<typeof mergeApi.doubts> = async (ctx, { id }) => {
  await requireStudent(ctx, id, mergeApi.doubts.access);
  const { rows } = await sql<Parameters<typeof alikeStudents>[1][number]>`
    select first_name as "firstName", last_name as "lastName", gender, birth_date::text as "birthDate", gr_no as "grNo",
      branch_id as "branchId", id as "studentId", array(select adult.mobile from student_guardian link
        join guardian adult on adult.id = link.guardian_id where link.student_id = student.id and adult.mobile <> '') as mobiles
    from student where id = ${id}`.execute(ctx.db);
  const [alike = []] = await alikeStudents(ctx, rows);
  const { offered } = await describeAlike(
    ctx,
    alike.filter(({ isAsked }) => isAsked),
  );
  return { students: offered };
};

const notSame: Handler<typeof mergeApi.notSame> = async (ctx, { id, otherId }) => {
  if (id === otherId) throw fieldRefusal('otherId', text`Choose another record.`);
  for (const one of [id, otherId]) await requireStudent(ctx, one, studentKeepers);
  await keepNotSame(ctx, id, [otherId]);
  await auditAll(
    ctx,
    [id, otherId].map((entityId) => ({ action: 'student.not-same', entity: 'student', entityId, details: {} })),
  );
  return {};
};

export const mergeRoutes = routes(mergeApi, { doubts, notSame, compare, merge });
