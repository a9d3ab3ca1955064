import { type Selectable, sql } from 'kysely';
import type { StudentCertificate } from '#database/types.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { peekNumber } from '#kit/server/database/numbering.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockRuns, type RunBatch, startRun } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { certificateApi, mostCertificates, mostPages } from '../../contract/certificate.ts';
import { studentsSelected } from '../list.ts';
import { studentsSeen, visibleStudents } from '../visible.ts';
import { inEnglishLetters } from './certificate-language.ts';
import { certificatePaper, certificateTemplate, type Kept } from './certificate-paper.ts';
import {
  type AskedCertificate,
  kindOf,
  makeCertificates,
  owedWords,
  planCertificates,
  yearsOf,
} from './make-certificates.ts';

const runKind = 'student.certificate';
const outOfReach = text`You no longer see this student.`;

/** The students of a selection in the order of their class and roll number: that of the last day for those who left. */
const inOrder = (ctx: UserContext, ids: readonly number[]) =>
  studentsSeen(ctx, certificateApi.makeMany.access)
    .leftJoin('academic_grade as grade', 'grade.id', 'place.grade_id')
    .leftJoin('academic_section as section', 'section.id', 'place.section_id')
    .where('student.id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .select(['student.id', 'student.name'])
    .orderBy('student.branch_id')
    .orderBy('grade.position')
    .orderBy(sql`lower(section.name)`)
    .orderBy('place.roll_no')
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();

interface RunInput extends AskedCertificate {
  /** The students in their order; a row of the run is a place in it, from 1. */
  order: number[];
}

export const makeMany: Handler<typeof certificateApi.makeMany> = (ctx, { selection, confirmToken, ...asked }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, runKind, isPreview);
    const chosen = await inOrder(ctx, await studentsSelected(ctx, selection));
    if (chosen.length > mostCertificates)
      throw new AppError(
        'conflict',
        text`Issue at most ${{ most: mostCertificates }} certificates at once. Select fewer students.`,
      );
    const kind = kindOf(ctx, asked.kind);
    const plans = await planCertificates(
      ctx,
      asked,
      chosen.map(({ id }) => id),
    );
    const skipped = plans.flatMap(({ studentId: id, name, why, owes }) =>
      why || owes.length > 0 ? [{ id, name, reason: why ?? owedWords(owes) }] : [],
    );
    const ready = plans.filter(({ why, owes }) => !why && owes.length === 0);
    const [first] = ready;
    const next = { code: kind.series, branchId: first?.branchId };
    const firstNumber = first ? await peekNumber(ctx.db, next, await yearsOf(ctx, toLocalDate(ctx.now()))) : '';
    const runId =
      isPreview || ready.length === 0
        ? null
        : await startRun(ctx, {
            kind: runKind,
            input: { ...asked, order: ready.map(({ studentId }) => studentId) } satisfies RunInput,
            rows: ready.map(({ name }, index) => ({ id: index + 1, name })),
            told: { title: text`Issue certificates`, path: '/school-erp/student/certificate-list' },
            access: certificateApi.makeMany.access,
          });
    return {
      answer: {
        changed: ready.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        runId,
        firstNumber,
        inEnglishLetters: ready.filter(({ facts }) => inEnglishLetters(kind, facts, asked.language).length > 0).length,
      },
      // A token counts once: the next run of the kind has another.
      basis: [selection, asked, last, plans.map(({ studentId, why, owes }) => [studentId, why?.id, owes.length])],
      isRefused: ready.length === 0,
    };
  });

/** A batch and its numbers are one transaction: a killed process leaves no gap. */
const issueInRun: RunBatch = {
  most: 50,
  act: async (ctx, places, { order, ...asked }: RunInput) => {
    const idOf = new Map(places.map((place) => [place, order[place - 1] ?? 0]));
    const ids = [...idOf.values()];
    const seen = ctx.starter
      ? new Set(await visibleStudents({ ...ctx, user: ctx.starter }, ids, certificateApi.makeMany.access))
      : new Set(ids);
    const { notDone } = await makeCertificates(
      ctx.starter ? { ...ctx, user: ctx.starter } : ctx,
      { ...asked, runId: ctx.run },
      ids.filter((id) => seen.has(id)),
    );
    return new Map(
      places.flatMap((place) => {
        const id = idOf.get(place) ?? 0;
        const why = seen.has(id) ? notDone.get(id) : ({ status: 'Skipped', reason: outOfReach } as const);
        return why ? [[place, why] as const] : [];
      }),
    );
  },
};
export const certificateRuns = { [runKind]: issueInRun };

/** A certificate's row as its paper is set from it. */
export const keptOf = (
  { publicUrl }: Pick<Context, 'publicUrl'>,
  row: Pick<Selectable<StudentCertificate>, 'number' | 'issued_on' | 'facts' | 'details' | 'purpose' | 'code'>,
): Kept => ({
  number: row.number,
  issuedOn: row.issued_on,
  facts: row.facts as object,
  details: { ...(row.details as Record<string, string>), purpose: row.purpose },
  proof: row.code ? `${publicUrl}/c/${row.code}` : '',
});

export const runFile: Handler<typeof certificateApi.runFile> = async (ctx, { run }) => {
  const rows = await ctx.db
    .selectFrom('student_certificate as own')
    .where('own.run_id', '=', run)
    .select(['own.kind', 'own.number', 'own.issued_on', 'own.facts', 'own.details', 'own.purpose', 'own.code'])
    .select(['own.student_id', 'own.voided_at'])
    .orderBy('own.id')
    .execute();
  const ids = rows.map(({ student_id }) => student_id);
  const seen = new Set(await visibleStudents(ctx, ids, certificateApi.runFile.access));
  const pages = rows.filter(({ student_id, voided_at }) => seen.has(student_id) && voided_at === null);
  const [first] = pages;
  if (!first) throw notFound();
  if (pages.length > mostPages)
    throw new AppError(
      'conflict',
      text`This run has more than ${{ most: mostPages }} certificates. Open each from the list of certificates.`,
    );
  const act = {
    action: 'student.certificates-printed',
    entity: 'run',
    entityId: run,
    details: { rows: pages.length, Certificate: first.kind },
    names: pages.length,
  };
  return takeNames(ctx, act, async () => {
    const paper = certificatePaper(
      await ctx.readPaperHead(ctx),
      kindOf(ctx, first.kind),
      pages.map((row) => keptOf(ctx, row)),
    );
    const bytes = await ctx.makePaper(certificateTemplate, paper, ctx.caller);
    return { mediaType: 'application/pdf', name: `certificates-${run}.pdf`, bytes };
  });
};
