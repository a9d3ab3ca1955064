import { sql } from 'kysely';
import { closedYear } from '#features/calendar/contract/closed-year.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { mostPublished, structureApi, structureMessages } from '../../contract/structure.ts';
import {
  askAll,
  type Found,
  findOtherInstalments,
  findTakenGrades,
  publishAll,
  publishesAlone,
  readSome,
  storeValidFrom,
  structureHandlers,
  structuresSelected,
  whyNoSuchDay,
} from './structure.ts';

/** Locks structures and their years, in the order of every act that publishes. */
async function lockAll(ctx: UserContext, ids: readonly number[]): Promise<Found[]> {
  await sql`select from academic_year where id in (select academic_year_id from fee_structure
    where id = any(${[...ids]}::integer[])) order by id for share`.execute(ctx.db);
  await sql`select from fee_structure where id = any(${[...ids]}::integer[]) order by id for update`.execute(ctx.db);
  return (await readSome(ctx, ids)).sort((one, other) => one.id - other.id);
}

/** Of structures with prices for the same grade only the first can be published: the others with the reason. */
async function findRivals({ db }: UserContext, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; name: string; grades: string }>`
    select distinct on (later.structure_id) later.structure_id as id, first.name,
      string_agg(grade.name, ', ' order by grade.position) as grades
    from fee_structure_grade later
    join fee_structure_grade own using (academic_year_id, branch_id, program_id, grade_id, category_key, admission_type)
    join fee_structure first on first.id = own.structure_id
    join academic_grade grade on grade.id = grade_id
    where later.structure_id = any(${[...ids]}::integer[]) and own.structure_id = any(${[...ids]}::integer[])
      and own.structure_id < later.structure_id
    group by later.structure_id, first.id order by later.structure_id, first.id`.execute(db);
  return new Map(rows.map(({ id, name, grades }) => [id, structureMessages.takenBy(name, grades)]));
}

const closedBy = ({ year, yearClosedAt }: Found): Text | undefined =>
  yearClosedAt ? closedYear(year, toLocalDate(yearClosedAt), 'money') : undefined;

/** Publishes the selected drafts, or asks a second person for each. */
const publishMany: Handler<typeof structureApi.publishMany> = async (ctx, { selection, validFrom, confirmToken }) => {
  const ids = await structuresSelected(ctx, selection);
  if (ids.length > mostPublished) throw new AppError('conflict', structureMessages.manyAtOnce);
  return previewOrApply(ctx, confirmToken, async () => {
    const all = await lockAll(ctx, ids);
    const [taken, other] = [await findTakenGrades(ctx, ids), await findOtherInstalments(ctx, ids)];
    const isAlone = await publishesAlone(ctx);
    const whyNot = (one: Found): Text | undefined => {
      if (one.status === 'Waiting for approval') return structureMessages.asked;
      if (one.status !== 'Draft') return structureMessages.published;
      if (one.lines.length === 0) return structureMessages.noLines;
      return closedBy(one) ?? whyNoSuchDay(one, validFrom) ?? taken.get(one.id) ?? other.get(one.id);
    };
    const able = all.filter((one) => !whyNot(one));
    const rivals = await findRivals(
      ctx,
      able.map(({ id }) => id),
    );
    const ready = able
      .filter(({ id }) => !rivals.has(id))
      .map((one) => (one.versionNo > 1 ? { ...one, validFrom } : one));
    const skipped = all.flatMap((one) => {
      const reason = whyNot(one) ?? rivals.get(one.id);
      return reason ? [{ id: one.id, name: one.name, reason }] : [];
    });
    if (ready.length > 0) {
      await storeValidFrom(
        ctx,
        ready.map(({ id }) => id),
        validFrom,
      );
      await (isAlone ? publishAll : askAll)(ctx, ready);
    }
    return {
      answer: {
        changed: ready.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        status: isAlone ? ('Published' as const) : ('Waiting for approval' as const),
      },
      basis: [
        validFrom,
        isAlone,
        ready.map(({ id, version }) => [id, version]),
        skipped.map(({ id, reason }) => [id, reason.id]),
      ],
      isRefused: ready.length === 0,
    };
  });
};

export default routes(structureApi, { ...structureHandlers, publishMany });
