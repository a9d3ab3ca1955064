import { sql } from 'kysely';
import { reachesBranch } from '#access/server/scope.ts';
import { readYear, requireOpen } from '#features/calendar/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { ask } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockRuns, type NotDone, type RunBatch, type RunContext, startRun } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { settlementCheck } from '../../contract/hooks.ts';
import { completedReason } from '../../contract/leaving.ts';
import { type SectionWay, turnApi } from '../../contract/turn.ts';
import { reTestPlace } from '../settings.ts';
import { insertPlacements, lockSections, strengthsFrom, withPlacementMessages } from './placement.ts';
import { type Candidate, countsOf, type Going, goingOf, planTurn, readCandidates } from './turn-plan.ts';
import { type Concluded, conclude, type Enrolled, enroll, join, note } from './write-promotion.ts';

const kind = 'student.turn';

interface Year {
  id: number;
  name: string;
  starts_on: string;
  ends_on: string;
}

/** The year after one; undefined while none is made. */
const findNext = ({ db }: Pick<Context, 'db'>, { ends_on }: Pick<Year, 'ends_on'>) =>
  db
    .selectFrom('academic_year')
    .where('is_active', '=', true)
    .where('starts_on', '>', ends_on)
    .select(['id', 'name', 'starts_on', 'ends_on'])
    .orderBy('starts_on')
    .limit(1)
    .executeTakeFirst();

export const readTurn: Handler<typeof turnApi.read> = async (ctx, { id, keeps }) => {
  const from = await readYear(ctx, id);
  const to = await findNext(ctx, from);
  const isClosed = from.closed_at !== null;
  const planned = to && !isClosed ? await planTurn(ctx, { from, to, keeps, gradeIds: [] }) : [];
  const isReached = ({ branch_id: branch }: Candidate) => reachesBranch(ctx.user, branch);
  return {
    year: from.name,
    isClosed,
    next: to?.name ?? '',
    // Seats are planned for everybody; the children of other branches are neither named nor counted.
    grades: planned.flatMap((planOfGrade) => {
      const { id: gradeId, name, goesTo, seatsLeft, stops, to: page } = planOfGrade;
      const children = planOfGrade.children.filter(isReached);
      const goings = planOfGrade.goings.filter(({ child }) => isReached(child));
      if (children.length === 0) return [];
      return {
        id: gradeId,
        name,
        roll: children.length,
        ...countsOf(goings),
        decided: children.filter(({ isOpen }) => !isOpen).length,
        goesTo,
        seatsLeft,
        stops,
        to: page,
        unseated: unseatedOf(goings),
      };
    }),
    turns: await turnsOf(ctx, id),
  };
};

const unseatedOf = (goings: readonly Going[]) =>
  goings.flatMap(({ child, why }) => (why ? [{ name: child.name, why }] : []));

/** The turns of a year, the latest first, each with its sums by grade as they are now. */
async function turnsOf({ db }: Pick<Context, 'db'>, yearId: number) {
  const { rows: turns } = await sql<{
    id: number;
    at: Date;
    by: string;
    keeps: SectionWay;
    runId: number;
    isFinished: boolean;
    total: number;
    done: number;
    undoneAt: Date | null;
    undoneBy: string | null;
  }>`
    select turn.id, turn.made_at as at, turn.made_by as by, turn.keeps, turn.run_id as "runId",
      run.finished_at is not null as "isFinished", run.total,
      (select count(*)::integer from run_row where run_id = run.id and status <> 'Waiting') as done,
      turn.undone_at as "undoneAt", turn.undone_by as "undoneBy"
    from academic_turn turn join run on run.id = turn.run_id
    where turn.from_year_id = ${yearId} order by turn.id desc limit 20`.execute(db);
  const { rows: grades } = await sql<{
    turnId: number;
    gradeId: number;
    promotionId: number;
    name: string;
    roll: number;
    promoted: number;
    detained: number;
    reTest: number;
    leaving: number;
    unseated: number;
    isUndone: boolean;
  }>`
    select own.turn_id as "turnId", own.grade_id as "gradeId", own.id as "promotionId", grade.name,
      count(child.id)::integer as roll,
      count(*) filter (where enrollment.id is not null and child.decision = 'Promote')::integer as promoted,
      count(*) filter (where enrollment.id is not null and child.decision = 'Detain')::integer as detained,
      count(*) filter (where enrollment.id is not null and child.decision = 'Re-test')::integer as "reTest",
      count(*) filter (where enrollment.id is not null and child.decision = 'Leave')::integer as leaving,
      count(*) filter (where enrollment.id is not null and child.decision <> 'Leave' and child.section_id is null)::integer
        as unseated,
      own.undone_at is not null as "isUndone"
    from academic_promotion own
    join academic_grade grade on grade.id = own.grade_id
    left join academic_turn_child child on child.turn_id = own.turn_id
      and exists (select from student_enrollment of where of.id = child.enrollment_id and of.grade_id = own.grade_id)
    left join student_enrollment enrollment on enrollment.id = child.enrollment_id and enrollment.promotion_id = own.id
    where own.turn_id = any(${turns.map(({ id }) => id)}::integer[])
    group by own.id, grade.id order by grade.position`.execute(db);
  return turns.map(({ at, undoneAt, undoneBy, ...turn }) => ({
    ...turn,
    at: at.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? '',
    undoneBy: undoneBy ?? '',
    grades: grades.filter(({ turnId }) => turnId === turn.id).map(({ turnId: _, ...grade }) => grade),
  }));
}

export const startTurn: Handler<typeof turnApi.start> = (ctx, { id, keeps, gradeIds, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, kind, isPreview);
    const from = await readYear(ctx, id, true);
    const found = await findNext(ctx, from);
    if (!found) throw new AppError('conflict', text`Add the academic year after ${{ year: from.name }} first.`);
    const to = await readYear(ctx, found.id, true);
    for (const year of [from, to]) requireOpen(year);
    await refuseWhileRunning(ctx, id);
    const planned = await planTurn(ctx, { from, to, keeps, gradeIds });
    const asked = planned.filter((grade) => gradeIds.length === 0 || gradeIds.includes(grade.id));
    const goings = asked.flatMap((grade) => grade.goings);
    const runId = isPreview || goings.length === 0 ? null : await begin(ctx, { from, to, keeps, planned: asked });
    const leaving = goings.filter(({ as }) => as === 'Leave').map(({ child }) => child.student_id);
    const settlements = await ask(ctx, settlementCheck, { studentIds: leaving, day: from.ends_on });
    const stopped = asked.flatMap(({ name, stops }) => (stops ? [{ name, why: stops }] : []));
    return {
      answer: {
        grades: asked.filter((grade) => grade.goings.length > 0).length,
        roll: goings.length,
        ...countsOf(goings),
        unseated: unseatedOf(goings).length,
        settlements: settlements.flatMap(({ output }) => output),
        stopped,
        runId,
      },
      basis: [
        [id, keeps, gradeIds, last],
        goings.map(({ child, as, gradeId, sectionId }) => [
          child.id,
          child.chosen,
          child.version,
          as,
          gradeId,
          sectionId,
        ]),
        stopped.map(({ name }) => name),
      ],
      isRefused: goings.length === 0,
    };
  });

async function refuseWhileRunning({ db }: UserContext, yearId: number) {
  const { rows } = await sql<{ by: string }>`select turn.made_by as by from academic_turn turn
    join run on run.id = turn.run_id and run.finished_at is null
    where turn.from_year_id = ${yearId} limit 1`.execute(db);
  if (rows[0]) throw new AppError('conflict', text`${{ by: rows[0].by }} has started this already. It is running.`);
}

/** Keeps the plan of a turn, child by child, and starts its run; returns the run. */
async function begin(
  ctx: UserContext,
  {
    from,
    to,
    keeps,
    planned,
  }: { from: Year; to: Year; keeps: SectionWay; planned: Awaited<ReturnType<typeof planTurn>> },
): Promise<number> {
  const { db, now, user } = ctx;
  const made = { made_by: user.name, made_at: now() };
  const turn = await db
    .insertInto('academic_turn')
    .values({ from_year_id: from.id, to_year_id: to.id, keeps, ...made })
    .returning('id')
    .executeTakeFirstOrThrow();
  const going = planned.filter(({ goings }) => goings.length > 0);
  await insertTogether(
    db,
    'academic_promotion',
    going.map(({ id, children }) => ({
      academic_year_id: from.id,
      to_year_id: to.id,
      grade_id: id,
      to_grade_id: children[0]?.next_id ?? null,
      turn_id: turn.id,
      ...made,
    })),
  );
  const goings = going.flatMap((grade) => grade.goings);
  // Their ids are in the order of the plan, in which the run takes them.
  const children = await insertTogether(
    db,
    'academic_turn_child',
    goings.map(({ child, sectionId, why }) => ({
      turn_id: turn.id,
      enrollment_id: child.id,
      decision: child.chosen,
      section_id: sectionId,
      why: (why ?? null) as never,
    })),
    ['id', 'enrollment_id'],
  );
  const names = new Map(goings.map(({ child }) => [child.id, child.name]));
  const runId = await startRun(ctx, {
    kind,
    input: { turnId: turn.id },
    rows: children.map(({ id, enrollment_id }) => ({ id, name: names.get(enrollment_id) ?? '' })),
    told: { title: text`Promote all grades`, path: `/school-erp/academic/year-end?tab=turn&year=${from.id}` },
    access: turnApi.start.access,
  });
  await db.updateTable('academic_turn').set({ run_id: runId }).where('id', '=', turn.id).execute();
  await audit(ctx, {
    action: 'turn.made',
    entity: 'academic_year',
    entityId: from.id,
    details: { 'From year': from.name, 'Into year': to.name, Students: goings.length, Sections: keeps },
  });
  return runId;
}

const changed = text`The decision has changed since the preview. Start again for the rest.`;
const isGone = text`No longer in the grade of the preview.`;

/** Why a child of a turn is not written now. */
function whyNot(child: Candidate | undefined, { decision, nextId }: { decision: string; nextId: number | null }) {
  if (!child) return isGone;
  if (!child.isOpen) return text`Decided in the meantime`;
  return child.chosen !== decision || child.next_id !== nextId ? changed : undefined;
}

/** Ends a part of a turn's enrolments, enrols the children in the new year and gives the seats that are still free. */
const turnSome: RunBatch = {
  most: 100,
  act: async (ctx: RunContext, ids, { turnId }: { turnId: number }) => {
    const turn = await ctx.db
      .selectFrom('academic_turn')
      .where('id', '=', turnId)
      .select(['from_year_id', 'to_year_id'])
      .executeTakeFirstOrThrow();
    const from = await readYear(ctx, turn.from_year_id, true);
    const to = await readYear(ctx, turn.to_year_id, true);
    for (const year of [from, to]) requireOpen(year);
    const { rows: planned } = await sql<{
      id: number;
      enrollmentId: number;
      decision: string;
      sectionId: number | null;
      promotionId: number | null;
      nextId: number | null;
    }>`
      select child.id, child.enrollment_id as "enrollmentId", child.decision, child.section_id as "sectionId",
        promotion.id as "promotionId", promotion.to_grade_id as "nextId"
      from academic_turn_child child join student_enrollment own on own.id = child.enrollment_id
      left join academic_promotion promotion on promotion.turn_id = child.turn_id and promotion.grade_id = own.grade_id
      where child.id = any(${[...ids]}::integer[]) order by child.id`.execute(ctx.db);
    const enrolments = planned.map(({ enrollmentId }) => enrollmentId);
    await sql`select id from student_enrollment where id = any(${enrolments}::integer[]) order by id for update`.execute(
      ctx.db,
    );
    const candidates = await readCandidates(ctx, from.id, enrolments);
    const found = new Map(candidates.map((child) => [child.id, child]));
    const repeats = (await readSetting(ctx, reTestPlace)) === 'Same grade';
    const notDone = new Map<number, NotDone>();
    const acting: { concluded: Concluded; sectionId: number | null; rowId: number }[] = [];
    for (const { id, enrollmentId, sectionId, promotionId, ...plan } of planned) {
      const child = found.get(enrollmentId);
      const reason = promotionId === null ? isGone : whyNot(child, plan);
      if (reason || !child) notDone.set(id, { status: 'Skipped', reason: reason ?? isGone });
      else acting.push({ rowId: id, sectionId, concluded: concludedOf(child, Number(promotionId), repeats) });
    }
    await withPlacementMessages(ctx, async () => {
      const concluded = acting.map((one) => one.concluded);
      const ended = await conclude(ctx, concluded, { yearId: from.id, lastDay: from.ends_on, by: ctx.actor });
      const enrolled = await enroll(ctx, concluded, { yearId: to.id, on: to.starts_on });
      await giveSections(ctx, enrolled, acting, to.starts_on);
      const joined = await join(ctx, enrolled, to);
      const [block] = [...ended.blocks, ...joined.blocks];
      if (block) throw new AppError('conflict', block);
      await note(ctx, concluded, { from: from.name, to: to.name }, ctx.actor);
    });
    return notDone;
  },
};

function concludedOf(child: Candidate, promotionId: number, repeats: boolean): Concluded {
  const { as, gradeId } = goingOf(child, repeats);
  const isPassed = (child.decision ?? 'Promote') === 'Promote' || child.reason === english(completedReason);
  const isCompleted = child.next_id === null && child.is_last && isPassed;
  return {
    ...child,
    decision: as,
    promotionId,
    gradeId: gradeId ?? 0,
    leaving: {
      isCompleted,
      remark: isCompleted ? '' : (child.reason ?? ''),
      conduct: child.conduct ?? '',
      progress: child.progress ?? '',
    },
  };
}

/** Gives the planned sections while seats last: a child placed by hand since takes one before the run. */
async function giveSections(
  ctx: RunContext,
  enrolled: readonly Enrolled[],
  acting: readonly { concluded: Concluded; sectionId: number | null; rowId: number }[],
  on: string,
) {
  const planned = new Map(acting.map(({ concluded, ...row }) => [concluded.id, row]));
  const wanted = enrolled.flatMap(({ id, formerId }) => {
    const row = planned.get(formerId);
    return row?.sectionId ? [{ enrollmentId: id, sectionId: row.sectionId, rowId: row.rowId }] : [];
  });
  if (wanted.length === 0) return;
  const sections = await lockSections(ctx, [...new Set(wanted.map(({ sectionId }) => sectionId))]);
  const strengths = await strengthsFrom(
    ctx,
    sections.map(({ id }) => id),
    on,
  );
  const free = new Map(
    sections.map(({ id, capacity, is_active }) => [id, is_active ? capacity - (strengths.get(id) ?? 0) : 0]),
  );
  const full: number[] = [];
  const placings = wanted.filter(({ sectionId, rowId }) => {
    const left = free.get(sectionId) ?? 0;
    free.set(sectionId, left - 1);
    if (left <= 0) full.push(rowId);
    return left > 0;
  });
  if (placings.length > 0) await insertPlacements(ctx, placings, on);
  if (full.length > 0)
    await ctx.db
      .updateTable('academic_turn_child')
      .set({ section_id: null, why: JSON.stringify(text`The section was filled in the meantime` satisfies Text) })
      .where('id', '=', sql<number>`any(${full}::integer[])`)
      .execute();
}

export const turnRuns = { [kind]: turnSome };
