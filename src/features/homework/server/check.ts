import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage, problemMessage } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type CheckedRow, type checkApi, marksRefusal } from '../contract/check.ts';
import { homeworkGivers, homeworkMessages } from '../contract/words.ts';
import { requireOpen } from './change.ts';
import { lockDelivery } from './delivery.ts';
import { type Listed, readRoster } from './roster.ts';
import { withHomeworkMessages } from './rules.ts';

type Locked = Awaited<ReturnType<typeof lockDelivery>>;

async function lockPublished(ctx: UserContext, id: number): Promise<Locked> {
  const locked = await lockDelivery(ctx, { id }, { access: homeworkGivers });
  requireOpen(locked.given.state);
  if (locked.given.shownState !== 'Published') throw new AppError('conflict', homeworkMessages.notPublished);
  return locked;
}

const isHandedIn = ({ result }: CheckedRow) => result === 'Submitted' || result === 'Incomplete';

/** Why a row is refused, if it is. */
function refusalOf(row: CheckedRow, { given, content }: Locked, today: string): Text | undefined {
  if (isHandedIn(row)) {
    if (row.handedInOn === '' || row.handedInOn > today) return homeworkMessages.future;
    if (row.handedInOn < given.assigned_on) return homeworkMessages.beforeGiven;
  }
  const most = content.max_marks === null ? null : Number(content.max_marks);
  if (row.marks !== null && (most === null || row.marks > most)) return marksRefusal(most !== null);
  return undefined;
}

export const save: Handler<typeof checkApi.save> = async (ctx, { id, rows }) => {
  const locked = await lockPublished(ctx, id);
  const today = toLocalDate(ctx.now());
  const refusals = rows.flatMap((row, index): [string, Text][] => {
    const reason = refusalOf(row, locked, today);
    return reason ? [[`rows.${index}`, reason]] : [];
  });
  if (refusals.length > 0) throw new AppError('invalid', problemMessage, { fields: Object.fromEntries(refusals) });
  const listed = new Map((await readRoster(ctx, id, today)).map((child) => [child.studentId, child]));
  if (rows.some(({ studentId }) => !listed.has(studentId))) throw new AppError('not_found', notFoundMessage);
  const stale = rows.flatMap(({ studentId, version }) => {
    const child = listed.get(studentId);
    return child && child.version !== version ? [child.name] : [];
  });
  if (stale.length > 0)
    throw new AppError('stale', text`Another user changed ${{ names: stale.join(', ') }}. Check these results again.`);
  const changed = rows.filter((row) => differs(row, listed.get(row.studentId)));
  if (changed.length > 0) {
    await withHomeworkMessages(ctx, () => store(ctx, locked, changed));
    await auditResults(ctx, id, changed, listed);
  }
  return { saved: changed.length };
};

const differs = (row: CheckedRow, stored: Listed | undefined) =>
  row.result !== stored?.result ||
  (isHandedIn(row) && row.handedInOn !== stored.handedInOn) ||
  row.marks !== stored.marks ||
  row.feedback !== stored.feedback;

async function store(ctx: UserContext, { given }: Locked, rows: readonly CheckedRow[]) {
  const removed = rows.filter(({ result }) => result === '').map(({ studentId }) => studentId);
  if (removed.length > 0)
    await ctx.db
      .deleteFrom('homework_result')
      .where('homework_section_id', '=', given.id)
      .where('student_id', 'in', removed)
      .execute();
  const kept = rows.filter(({ result }) => result !== '');
  if (kept.length === 0) return;
  await ctx.db
    .insertInto('homework_result')
    .values(
      kept.map((row) => ({
        homework_section_id: given.id,
        student_id: row.studentId,
        academic_year_id: given.academic_year_id,
        result: row.result,
        handed_in_on: isHandedIn(row) ? row.handedInOn : null,
        marks: row.marks,
        feedback: row.feedback,
        checked_by: ctx.user.staffId,
        checked_at: ctx.now(),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['homework_section_id', 'student_id']).doUpdateSet((row) => ({
        result: row.ref('excluded.result'),
        handed_in_on: row.ref('excluded.handed_in_on'),
        marks: row.ref('excluded.marks'),
        feedback: row.ref('excluded.feedback'),
        checked_by: row.ref('excluded.checked_by'),
        checked_at: row.ref('excluded.checked_at'),
        version: sql<number>`homework_result.version + 1`,
      })),
    )
    .execute();
}

/** One entry for what was checked first, and the old and new result of each child whose result changed. */
async function auditResults(
  ctx: UserContext,
  id: number,
  rows: readonly CheckedRow[],
  listed: ReadonlyMap<number, Listed>,
) {
  const again = rows.flatMap((row) => {
    const before = listed.get(row.studentId);
    return before && before.version > 0 ? [`${before.name}: ${wordsOf(before)} → ${wordsOf(row)}`] : [];
  });
  const details = {
    first: rows.length - again.length,
    ...(again.length > 0 && { changed: again.join('; ').slice(0, 2000) }),
  };
  await audit(ctx, { action: 'homework.checked', entity: 'homework_section', entityId: id, details });
}

const wordsOf = ({ result, marks }: Pick<CheckedRow, 'result' | 'marks'>) =>
  [result || '–', marks === null ? '' : String(marks)].filter(Boolean).join(' ');

export const extend: Handler<typeof checkApi.extend> = async (ctx, { id, studentId, dueOn, reason }) => {
  const { given } = await lockPublished(ctx, id);
  const child = (await readRoster(ctx, id, toLocalDate(ctx.now()))).find((one) => one.studentId === studentId);
  if (!child || child.standing === 'Not on the list') throw new AppError('not_found', notFoundMessage);
  if (dueOn <= given.counts_until) throw fieldRefusal('dueOn', homeworkMessages.longer);
  const set = { due_on: dueOn, reason, staff_id: ctx.user.staffId, given_at: ctx.now() };
  await ctx.db
    .insertInto('homework_extension')
    .values({ homework_section_id: id, student_id: studentId, ...set })
    .onConflict((conflict) => conflict.columns(['homework_section_id', 'student_id']).doUpdateSet(set))
    .execute();
  const details = { student: child.name, due: showDate(dueOn) };
  await audit(ctx, { action: 'homework.extended', entity: 'homework_section', entityId: id, details });
  return {};
};

export const endExtension: Handler<typeof checkApi.endExtension> = async (ctx, { id, studentId }) => {
  await lockPublished(ctx, id);
  await ctx.db
    .deleteFrom('homework_extension')
    .where('homework_section_id', '=', id)
    .where('student_id', '=', studentId)
    .returning('due_on')
    .executeTakeFirstOrThrow(notFound);
  await audit(ctx, { action: 'homework.extension-ended', entity: 'homework_section', entityId: id });
  return {};
};
