import { sql } from 'kysely';
import { closedYear } from '#features/calendar/contract/closed-year.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { peekNumber } from '#kit/server/database/numbering.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { lockRuns, type NotDone, type RunBatch, startRun } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { leavingCheck } from '../../contract/hooks.ts';
import { leaverApi, mostLeavers } from '../../contract/leaver.ts';
import { completedReason } from '../../contract/leaving.ts';
import { askUnblocked } from '../enrolment/ask-others.ts';
import { readCertificateFacts } from '../paper/certificate-facts.ts';
import { inEnglishLetters, proposedLanguages } from '../paper/certificate-language.ts';
import { kindOf, makeCertificates, noLeaving, owedWords, yearsOf } from '../paper/make-certificates.ts';
import { resultsFrom } from '../settings.ts';
import { type Leaver, leaversSelected, readLeavers } from './leaver-list.ts';
import type { Ended } from './undo-leaving.ts';

const runKind = 'student.complete';
const messages = {
  many: text`Complete at most ${{ most: mostLeavers }} leavers at once. Select fewer.`,
  outOfReach: text`You no longer see this student, or the student no longer leaves with the year.`,
};

async function readSelected(ctx: UserContext, selection: Parameters<typeof leaversSelected>[1]) {
  const ids = await leaversSelected(ctx, selection);
  if (ids.length > mostLeavers) throw new AppError('conflict', messages.many);
  return readLeavers(ctx, ids);
}

const hasOne = ({ certificate }: Leaver) =>
  certificate === null ? undefined : text`Certificate ${{ number: certificate }} already exists.`;

/** Why an act leaves a child of the year's last day out that has no last day yet: the year is closed, or far from its end. */
function whyNotYet({ closedAt, year, endsOn }: Leaver, { today, days }: Near): Text | undefined {
  if (closedAt !== null) return closedYear(year, toLocalDate(closedAt), 'reopen');
  const from = addDays(endsOn, -days);
  return from > today ? text`Results of ${{ year }} are entered from ${{ day: showDate(from) }}.` : undefined;
}

/** Today, and how many days before the end of a year its results are entered. */
interface Near {
  today: string;
  days: number;
}
const readNear = async (ctx: UserContext): Promise<Near> => ({
  today: toLocalDate(ctx.now()),
  days: await readSetting(ctx, resultsFrom),
});

/** Why a leaver cannot be completed; what is owed is not among this. */
function whyNot(leaver: Leaver, near: Near): Text | undefined {
  const { leavingId, isFinal } = leaver;
  if (leavingId !== null) return hasOne(leaver);
  const notYet = whyNotYet(leaver, near);
  if (notYet) return notYet;
  // The reason of those who complete the last class holds for them alone.
  return isFinal ? undefined : noLeaving;
}

const describe: Handler<typeof leaverApi.describe> = (ctx, { selection, conduct, progress, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { db } = ctx;
    const asked = await readSelected(ctx, selection);
    await lockLeavers(ctx, asked);
    const all = await readLeavers(
      ctx,
      asked.map(({ id }) => id),
    );
    const near = await readNear(ctx);
    const reasonOf = (one: Leaver) => hasOne(one) ?? (one.leavingId === null ? whyNotYet(one, near) : undefined);
    const skipped = all.flatMap((one) => {
      const reason = reasonOf(one);
      return reason ? [{ id: one.id, name: one.name, reason }] : [];
    });
    const changed = all.filter(
      (one) => !reasonOf(one) && ((conduct && one.conduct !== conduct) || (progress && one.progress !== progress)),
    );
    const [left, here] = [
      changed.filter(({ leavingId }) => leavingId !== null),
      changed.filter(({ leavingId }) => leavingId === null),
    ];
    await sql`update student_leaving set conduct = coalesce(nullif(${conduct}, ''), conduct),
        progress = coalesce(nullif(${progress}, ''), progress), version = version + 1
      where id = any(${left.map(({ leavingId }) => leavingId)}::integer[])`.execute(db);
    await sql`insert into student_result (enrollment_id, academic_year_id, decision, reason, conduct, progress, source,
        decided_by, decided_at)
      select id, academic_year_id, 'Leave', ${english(completedReason)}, ${conduct}, ${progress}, 'Hand', ${ctx.user.name},
        ${ctx.now()}
      from student_enrollment where id = any(${here.map(({ id }) => id)}::integer[])
      on conflict (enrollment_id) do update set conduct = coalesce(nullif(excluded.conduct, ''), student_result.conduct),
        progress = coalesce(nullif(excluded.progress, ''), student_result.progress),
        version = student_result.version + 1`.execute(db);
    await auditAll(
      ctx,
      changed.map((one) => ({
        action: 'student.leaver-described',
        entity: 'student',
        entityId: one.studentId,
        details: {
          ...(conduct && { Conduct: conduct }),
          ...(progress && { Progress: progress }),
        },
      })),
    );
    return {
      answer: { changed: changed.length, skipped: skipped.slice(0, mostSkippedShown), skippedCount: skipped.length },
      basis: [conduct, progress, changed.map(({ id, leavingId }) => [id, leavingId]), skipped.map(({ id }) => id)],
      isRefused: changed.length === 0,
    };
  });

/** Locks what an act on leavers writes, in the order of every act: years, enrolments, students, leavings. */
async function lockLeavers({ db }: UserContext, leavers: readonly Leaver[]) {
  const idsOf = (name: 'id' | 'yearId' | 'studentId') => [...new Set(leavers.map((leaver) => leaver[name]))];
  await sql`select from academic_year where id = any(${idsOf('yearId')}::integer[]) order by id for share`.execute(db);
  await sql`select from student_enrollment where id = any(${idsOf('id')}::integer[]) order by id for update`.execute(
    db,
  );
  await sql`select from student where id = any(${idsOf('studentId')}::integer[]) order by id for update`.execute(db);
  await sql`select from student_leaving where student_id = any(${idsOf('studentId')}::integer[]) and undone_at is null
    and readmitted_on is null order by id for update`.execute(db);
}

interface RunInput {
  conduct: string;
  progress: string;
  /** Absent on runs from before it was chosen. */
  language?: string;
  /** The enrolments in their order; a row of the run is a place in it, from 1. */
  order: number[];
}

const language: Handler<typeof leaverApi.language> = async (ctx, { selection }) => {
  const leavers = await readSelected(ctx, selection);
  const ids = leavers.map(({ studentId }) => studentId);
  const counted = Map.groupBy(ids, await proposedLanguages(ctx, ids));
  const [most] = [...counted].toSorted(([, some], [, others]) => others.length - some.length);
  return { language: most?.[0] ?? 'English' };
};

const complete: Handler<typeof leaverApi.complete> = (ctx, { selection, conduct, progress, language, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, runKind, isPreview);
    const all = await readSelected(ctx, selection);
    const owed = await owedBy(ctx, all);
    const near = await readNear(ctx);
    const able = all.filter((one) => !whyNot(one, near));
    const ready = able.filter(({ studentId }) => !owed.has(studentId));
    const skipped = all.flatMap((one) => {
      const owes = owed.get(one.studentId);
      const reason = whyNot(one, near) ?? (owes && owedWords(owes));
      return reason ? [{ id: one.id, name: one.name, reason }] : [];
    });
    const [first] = ready;
    const kind = kindOf(ctx, 'Leaving');
    const ids = ready.map(({ studentId }) => studentId);
    const facts = await readCertificateFacts(
      ctx,
      ids.map((id) => ({ id, leavingId: null })),
    );
    const proposed = await proposedLanguages(ctx, ids);
    const runId =
      isPreview || ready.length === 0
        ? null
        : await startRun(ctx, {
            kind: runKind,
            input: { conduct, progress, language, order: able.map(({ id }) => id) } satisfies RunInput,
            rows: able.map(({ name }, index) => ({ id: index + 1, name })),
            told: { title: text`Complete leavers`, path: '/school-erp/academic/year-end?tab=leavers' },
            access: leaverApi.complete.access,
          });
    return {
      answer: {
        changed: ready.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        runId,
        firstNumber: first
          ? await peekNumber(
              ctx.db,
              { code: kind.series, branchId: first.branchId },
              await yearsOf(ctx, toLocalDate(ctx.now())),
            )
          : '',
        inEnglishLetters: [...facts.values()].filter((own) => inEnglishLetters(kind, own, language).length > 0).length,
        otherMedium: ids.filter((id) => proposed(id) !== language).length,
      },
      // A token counts once: the next run of the kind has another.
      basis: [
        conduct,
        progress,
        language,
        last,
        able.map(({ id }) => id),
        skipped.map(({ id, reason }) => [id, reason.id]),
      ],
      isRefused: ready.length === 0,
    };
  });

/** What these leavers owe by the last day of their year. */
async function owedBy(ctx: UserContext, leavers: readonly Leaver[]): Promise<Map<number, Text[]>> {
  const owed = new Map<number, Text[]>();
  for (const [day, of] of Map.groupBy(leavers, ({ endsOn }) => endsOn))
    for (const { output } of await ask(ctx, leavingCheck, { studentIds: of.map(({ studentId }) => studentId), day }))
      for (const [id, texts] of output) if (texts.length > 0) owed.set(id, [...(owed.get(id) ?? []), ...texts]);
  return owed;
}

/** Enters the last day of the year for children of the last class. They are students until then. */
async function enterLeavings(ctx: UserContext, leavers: readonly Leaver[]) {
  if (leavers.length === 0) return;
  const { db } = ctx;
  const ids = leavers.map(({ id }) => id);
  await sql`update student_enrollment own set status = 'Left', left_on = year.ends_on from academic_year year
    where year.id = own.academic_year_id and own.id = any(${ids}::integer[])`.execute(db);
  const others = await askUnblocked(
    ctx,
    leavers.map(({ id, studentId, yearId, endsOn }) => ({
      studentId,
      enrollmentId: id,
      yearId,
      kind: 'left' as const,
      day: endsOn,
    })),
  );
  await db
    .insertInto('student_leaving')
    .values(({ selectFrom }) =>
      leavers.map(({ id, studentId, endsOn }) => ({
        student_id: studentId,
        enrollment_id: id,
        last_day: endsOn,
        reason_id: selectFrom('academic_lookup')
          .where('kind', '=', 'Leaving reason')
          .where('name', '=', english(completedReason))
          .select('id'),
        ended: JSON.stringify({
          enrollments: [{ id, status: 'Active', left_on: null }],
          kept: { [id]: others.kept[id] ?? {} },
        } satisfies Ended),
        decided_by: ctx.user.name,
        decided_at: ctx.now(),
      })),
    )
    .execute();
  await sql`update student set version = version + 1
    where id = any(${leavers.map(({ studentId }) => studentId)}::integer[])`.execute(db);
  await auditAll(
    ctx,
    leavers.map(({ studentId, endsOn }) => ({
      action: 'student.left',
      entity: 'student',
      entityId: studentId,
      details: { 'Last day': endsOn, Reason: english(completedReason) },
    })),
  );
}

/** Gives leavings without a certificate the conduct and progress of the result, or those of the run. */
const fillLeavings = ({ db }: UserContext, ids: readonly number[], { conduct, progress }: RunInput) =>
  sql`update student_leaving own set
      conduct = coalesce(nullif(own.conduct, ''), nullif(result.conduct, ''), ${conduct}),
      progress = coalesce(nullif(own.progress, ''), nullif(result.progress, ''), ${progress}), version = own.version + 1
    from student_enrollment enrollment left join student_result result on result.enrollment_id = enrollment.id
    where enrollment.id = own.enrollment_id and enrollment.id = any(${[...ids]}::integer[]) and own.undone_at is null
      and own.readmitted_on is null and (own.conduct = '' or own.progress = '')`.execute(db);

/** Leavings, certificates and numbers of a batch are one transaction: a killed process leaves no gap. */
const completeInRun: RunBatch = {
  most: 50,
  act: async (run, places, input: RunInput) => {
    const { starter } = run;
    if (!starter) throw new Error('Leavers are completed for the account that started the run.');
    const ctx: UserContext = { ...run, user: starter };
    const ids = places.map((place) => input.order[place - 1] ?? 0);
    await lockLeavers(ctx, await readLeavers(ctx, ids));
    const found = await readLeavers(ctx, ids);
    const near = await readNear(ctx);
    // Who owes by now is left out whole: no last day, no certificate.
    const owed = await owedBy(ctx, found);
    const able = found.filter((one) => !whyNot(one, near) && !owed.has(one.studentId));
    await enterLeavings(
      ctx,
      able.filter(({ leavingId }) => leavingId === null),
    );
    await fillLeavings(
      ctx,
      able.map(({ id }) => id),
      input,
    );
    const placeOf = new Map(places.map((place) => [input.order[place - 1], place]));
    const { notDone } = await makeCertificates(
      ctx,
      { kind: 'Leaving', language: input.language ?? 'English', purpose: '', conduct: '', runId: run.run },
      able.map(({ studentId }) => studentId),
    );
    const skip = (reason: Text): NotDone => ({ status: 'Skipped', reason });
    const results = new Map<number, NotDone>(places.map((place) => [place, skip(messages.outOfReach)]));
    for (const one of found) {
      const place = placeOf.get(one.id) ?? 0;
      const owes = owed.get(one.studentId);
      const reason = whyNot(one, near) ?? (owes && owedWords(owes));
      const why = reason ? skip(reason) : notDone.get(one.studentId);
      if (why) results.set(place, why);
      else results.delete(place);
    }
    return results;
  },
};

export const leaverRuns = { [runKind]: completeInRun };
export const leaverRoutes = routes(leaverApi, { language, describe, complete });
