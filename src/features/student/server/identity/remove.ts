import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext, UserContext } from '#kit/server/context.ts';
import { isReferredTo } from '#kit/server/database/database.ts';
import { removeFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { hangingWords, isUnneeded, wasAddedToday } from '#kit/server/record/added.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { removeApi } from '../../contract/remove.ts';
import { askOthers } from '../enrolment/ask-others.ts';
import { lockFamilies } from '../family/add-adults.ts';
import { listNames } from '../list-names.ts';
import { requireStudent, studentsSeen } from '../visible.ts';
import { countOfStudent } from './hangs-on.ts';

export interface Removed {
  id: number;
  name: string;
  branch_id: number;
  gr_no: string;
}

/** Locks students with their enrolments, in the order of all locks. */
export async function lockForRemoval({ db }: Pick<ActingContext, 'db'>, ids: readonly number[]) {
  await sql`select id from academic_year where status <> 'Closed' order by id for share`.execute(db);
  await sql`select id from student_enrollment where student_id = any(${ids}::integer[]) order by id for update`.execute(
    db,
  );
  await lockFamilies({ db });
  await sql`select id from student where id = any(${ids}::integer[]) order by id for update`.execute(db);
}

/** Why a GR number is not given again. */
interface Spent {
  branch_id: number;
  gr_no: string;
  reason: string;
  /** The student whose record holds for the number. */
  student_id?: number;
}

export async function spendGrNumbers({ db, user, now }: UserContext, spent: readonly Spent[]) {
  if (spent.length === 0) return;
  await db
    .insertInto('student_gr_spent')
    .values(spent.map((row) => ({ ...row, spent_by: user.name, spent_at: now() })))
    .execute();
}

/** Deletes students with their places and what goes with them; returns what other features say. Their adults are unlinked before. */
export async function deleteStudents(
  ctx: UserContext,
  rows: readonly Removed[],
  act: { action: string; details: Record<string, string> },
) {
  const { db } = ctx;
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { texts: [], blocks: [], basis: [] };
  const enrolled = await db
    .selectFrom('student_enrollment')
    .where('student_id', 'in', ids)
    .select(['id', 'student_id', 'academic_year_id', 'joined_on'])
    .orderBy('id')
    .execute();
  const others = await askOthers(
    ctx,
    enrolled.map(({ id, student_id, academic_year_id, joined_on }) => ({
      studentId: student_id,
      enrollmentId: id,
      yearId: academic_year_id,
      kind: 'cancelled',
      day: joined_on,
    })),
  );
  try {
    for (const table of ['student_section', 'student_enrollment', 'student_schooling', 'student_address'] as const)
      await db.deleteFrom(table).where('student_id', 'in', ids).execute();
    await db.deleteFrom('student').where('id', 'in', ids).execute();
  } catch (error) {
    if (isReferredTo(error)) throw new AppError('conflict', text`Other records refer to this student.`);
    throw error;
  }
  await auditAll(
    ctx,
    rows.map(({ id, name, gr_no }) => ({
      action: act.action,
      entity: 'student',
      entityId: id,
      details: { Name: name, 'GR number': gr_no, ...act.details },
    })),
  );
  return others;
}

/** Unlinks every adult of a student, and deletes those whom nothing else needs; returns the names of these. */
async function dropAdults(ctx: UserContext, id: number): Promise<string[]> {
  const { db } = ctx;
  const links = await db.deleteFrom('student_guardian').where('student_id', '=', id).returning('guardian_id').execute();
  const dropped = await db
    .deleteFrom('guardian')
    .where('id', '=', sql<number>`any(${links.map(({ guardian_id }) => guardian_id)}::integer[])`)
    .where('staff_id', 'is', null)
    .where(await isUnneeded(ctx, 'guardian'))
    .returning('name')
    .execute();
  return dropped.map(({ name }) => name);
}

/** Whether the user added the student within a day: then the mistake needs no reason. */
const isFresh = (ctx: UserContext, id: number) =>
  wasAddedToday(ctx, { entity: 'student', action: 'student.created', id, by: ctx.user.id });

/** The record that is kept of a child who was entered twice. */
async function findSame(ctx: UserContext, id: number, grNo: string) {
  if (grNo === '') return undefined;
  const [same] = await studentsSeen(ctx, studentKeepers)
    .where(sql<boolean>`gr_key(student.gr_no) = gr_key(${grNo})`)
    .where('student.id', '<>', id)
    .select(['student.id', 'student.gr_no'])
    .orderBy(sql`student.gr_no = ${grNo}`, 'desc')
    .execute();
  if (!same) throw fieldRefusal('sameGrNo', text`No other student has this GR number.`);
  return same;
}

const needsReason = text`Enter why the record goes. The GR number is never given again.`;

const remove: Handler<typeof removeApi.remove> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const { id, version, reason } = input;
    const { db } = ctx;
    await requireStudent(ctx, id, studentKeepers);
    const same = await findSame(ctx, id, input.sameGrNo);
    if (reason === '' && !same && !(await isFresh(ctx, id))) throw fieldRefusal('reason', needsReason);
    await lockForRemoval(ctx, [id]);
    const student = await db
      .selectFrom('student')
      .where('id', '=', id)
      .select(['id', 'name', 'branch_id', 'gr_no', 'version', 'photo_id'])
      .executeTakeFirstOrThrow();
    requireVersion(student, version);
    const seats = await seatsOf(ctx, id);
    const files = await db.selectFrom('student_document').where('student_id', '=', id).select('file_id').execute();
    const inTheWay = await readInTheWay(ctx, id);
    const goes: Text[] = [
      ...seats.map(({ section, roll_no }) =>
        roll_no === null
          ? text`A seat in ${{ section }} is free.`
          : text`A seat in ${{ section }} and roll number ${{ roll: roll_no }} are free.`,
      ),
      ...(files.length > 0 ? [text`Documents that go: ${{ count: files.length }}.`] : []),
      text`GR ${{ number: student.gr_no }} is never given again.`,
    ];
    const answer = { goes, blocks: inTheWay.texts, isUsed: inTheWay.texts.length > 0 };
    const basis = [input, student.version, seats, files.length, inTheWay.counts];
    if (answer.isUsed) return { answer, basis, isRefused: true };

    const words = [same && `Entered twice, see GR ${same.gr_no}`, reason].filter(Boolean).join('. ');
    const why = words || 'Entered by mistake';
    const { branch_id, gr_no } = student;
    await spendGrNumbers(ctx, [{ branch_id, gr_no, reason: why, ...(same && { student_id: same.id }) }]);
    const adults = await dropAdults(ctx, id);
    if (adults.length > 0) goes.unshift(text`Adults without another child who go: ${{ names: listNames(adults) }}`);
    for (const table of ['student_health', 'student_document', 'tag_link'] as const)
      await db.deleteFrom(table).where('student_id', '=', id).execute();
    const others = await deleteStudents(ctx, [student], { action: 'student.removed', details: { Reason: why } });
    if (!isPreview)
      for (const file of [student.photo_id, ...files.map(({ file_id }) => file_id)]) await removeFile(ctx, file);
    return {
      answer: { ...answer, goes: [...goes, ...others.texts], blocks: others.blocks },
      basis: [...basis, adults, others.basis],
      isRefused: others.blocks.length > 0,
    };
  });

const seatsOf = ({ db }: UserContext, id: number) =>
  db
    .selectFrom('student_section as own')
    .innerJoin('academic_section as section', 'section.id', 'own.section_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where('own.student_id', '=', id)
    .select('own.roll_no')
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('section'))
    .orderBy('own.effective_from')
    .execute();

/** What the rows of each table are that hang on people. */
export const wordsOfTables = ({ merges }: Pick<UserContext, 'merges'>) =>
  Object.fromEntries(merges.map(({ table, words }) => [table, words]));

/** The rows that do not go with the record, and years that are closed. */
async function readInTheWay(ctx: UserContext, id: number) {
  const hanging = await countOfStudent(ctx, id);
  const closed = await ctx.db
    .selectFrom('student_enrollment as own')
    .innerJoin('academic_year as year', 'year.id', 'own.academic_year_id')
    .where('own.student_id', '=', id)
    .where('year.status', '=', 'Closed')
    .select('year.name')
    .orderBy('year.starts_on')
    .execute();
  const counts = [...hanging].filter(
    ([table]) => !ctx.merges.some((own) => own.table === table && own.isRemoved === true),
  );
  return {
    texts: [
      ...hangingWords(counts, wordsOfTables(ctx)),
      ...closed.map(({ name }) => text`An enrolment in ${{ year: name }}, which is closed`),
    ],
    counts: [counts, closed],
  };
}

export const removeRoutes = routes(removeApi, { remove });
