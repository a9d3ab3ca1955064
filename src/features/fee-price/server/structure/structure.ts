import { sql } from 'kysely';
import { feeDeciders, feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope, reachesBranch } from '#access/server/scope.ts';
import { requestApprovals } from '#features/approval/api.ts';
import { lockOpenYear, requireOpen } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toRow } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit, auditAll } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { readSetting } from '#kit/server/settings.ts';
import {
  type Structure,
  type StructureLine,
  type StructureState,
  type structureApi,
  structureFields,
  structureList,
  structureMessages,
} from '../../contract/structure.ts';
import { secondPublishes } from '../settings.ts';
import { copy } from './copy-structures.ts';

const rules: ConstraintMessages = {
  table: 'fee_structure',
  fields: {},
  constraintMessages: {},
};

/** The structures of the branches that this user reaches. */
const structures = ({ db, user }: UserContext) =>
  db
    .selectFrom('fee_structure as structure')
    .innerJoin('academic_year as year', 'year.id', 'structure.academic_year_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'structure.branch_id')
    .innerJoin('academic_program as program', 'program.id', 'structure.program_id')
    .leftJoin('academic_lookup as category', 'category.id', 'structure.category_id')
    .where(inScope(user, feeReaders, { branch: sql`structure.branch_id`, section: sql`null::integer` }))
    .select(['structure.id', 'structure.name', 'structure.status', 'structure.version_no as versionNo'])
    .select(['structure.admission_type as admissionType', 'year.name as year', 'branch.name as branch'])
    .select(['program.name as program', sql<string>`coalesce(category.name, '')`.as('category')])
    .select([
      sql<string>`(select string_agg(grade.name, ', ' order by grade.position) from fee_structure_grade as of_grade
        join academic_grade as grade on grade.id = of_grade.grade_id where structure_id = structure.id)`.as('grades'),
      sql<number>`(select coalesce(sum(annual), 0)::bigint from fee_structure_line
        where structure_id = structure.id)`.as('total'),
    ]);

type ListedRow = Awaited<ReturnType<ReturnType<typeof structures>['executeTakeFirstOrThrow']>>;

export const {
  routes: structureListRoutes,
  figures: structureFigures,
  selected: structuresSelected,
} = serveList(structureList, (ctx) => ({
  query: structures(ctx),
  id: 'structure.id',
  matches: (word) => sql`structure.name ilike ${contains(word)}`,
  tabs: {
    inUse: sql`structure.status = 'Published'`,
    draft: sql`structure.status in ('Draft', 'Waiting for approval')`,
    all: undefined,
  },
  filters: {
    academicYearId: (id) => sql`structure.academic_year_id = ${Number(id)}`,
    gradeId: (id) => sql`exists (select from fee_structure_grade
      where structure_id = structure.id and grade_id = ${Number(id)})`,
    branchId: (id) => sql`structure.branch_id = ${Number(id)}`,
    categoryId: (id) => sql`structure.category_id = ${Number(id)}`,
  },
  // The first grade comes before the name, so that Grade 2 stands before Grade 10.
  sorts: {
    name: {
      by: sql`(select lpad(coalesce(min(grade.position), 0)::text, 6, '0') from fee_structure_grade as of_grade
        join academic_grade as grade on grade.id = of_grade.grade_id where structure_id = structure.id)
        || left(lower(structure.name), 100)`,
      as: 'text',
    },
  },
  toRows: async (rows: ListedRow[]) =>
    rows.map((row) => ({
      ...row,
      grades: row.grades ?? '',
      status: row.status as StructureState,
      admissionType: row.admissionType as Structure['admissionType'],
    })),
}));

export type Found = Omit<Structure, 'may'> & { total: number; yearClosedAt: Date | null };

/** The structures with these ids, without those of branches beyond the user’s reach. */
export async function readSome(ctx: UserContext, ids: readonly number[]): Promise<Found[]> {
  if (ids.length === 0) return [];
  const found = await structures(ctx)
    .where('structure.id', 'in', ids)
    .leftJoin('staff as editor', 'editor.id', 'structure.edited_by')
    .leftJoin('staff as publisher', 'publisher.id', 'structure.published_by')
    .select(['structure.version', 'structure.academic_year_id as academicYearId', 'structure.branch_id as branchId'])
    .select(['structure.program_id as programId', 'structure.category_id as categoryId'])
    .select(['year.starts_on as startsOn', 'year.ends_on as endsOn', 'year.closed_at as yearClosedAt'])
    .select(['structure.published_at', 'structure.valid_from'])
    .select([
      sql<string>`coalesce(editor.name, '')`.as('editedBy'),
      sql<string>`coalesce(publisher.name, '')`.as('publishedBy'),
      sql<Structure['grades']>`(select coalesce(jsonb_agg(jsonb_build_object('id', grade.id, 'name', grade.name)
        order by grade.position), '[]') from fee_structure_grade as of_grade
        join academic_grade as grade on grade.id = of_grade.grade_id where structure_id = structure.id)`.as(
        'gradeRows',
      ),
      sql<StructureLine[]>`(select coalesce(jsonb_agg(jsonb_build_object('feeHeadId', head.id, 'head', head.name,
          'appliesTo', head.applies_to,
        'frequencyId', line.frequency_id, 'annual', line.annual, 'months', line.months)
        order by head.priority, lower(head.name)), '[]') from fee_structure_line as line
        join fee_head as head on head.id = line.fee_head_id where structure_id = structure.id)`.as('lines'),
    ])
    .execute();
  return found.map(({ gradeRows, published_at: publishedAt, valid_from: validFrom, ...rest }) => ({
    ...rest,
    grades: gradeRows,
    status: rest.status as StructureState,
    admissionType: rest.admissionType as Structure['admissionType'],
    publishedOn: publishedAt ? toLocalDate(publishedAt) : '',
    validFrom: validFrom ?? '',
  }));
}

async function readOne(ctx: UserContext, id: number): Promise<Found> {
  const [found] = await readSome(ctx, [id]);
  if (!found) throw new AppError('not_found', notFoundMessage);
  return found;
}

/** Whether the user publishes prices without a second person. */
export const publishesAlone = async (ctx: UserContext) =>
  isGranted(feeDeciders, ctx.user) && !(await readSetting(ctx, secondPublishes));

const read: Handler<typeof structureApi.read> = async (ctx, { id }) => {
  const { yearClosedAt, total: _, ...structure } = await readOne(ctx, id);
  const [isDraft, isOpen] = [structure.status === 'Draft', yearClosedAt === null];
  const writes = isOpen && isGranted(feeWriters, ctx.user);
  const isReady = isOpen && isDraft && structure.lines.length > 0;
  const isAlone = await publishesAlone(ctx);
  return {
    ...structure,
    may: {
      edit: writes && isDraft,
      remove: writes && isDraft,
      renew: writes && structure.status === 'Published',
      ask: isReady && writes && !isAlone,
      publish: isReady && isAlone,
    },
  };
};

type Draft = Parameters<Handler<typeof structureApi.create>>[1];

/** Throws where the user does not reach the branch or the year is closed. */
async function checkPlace(ctx: UserContext, { branchId, academicYearId }: Pick<Draft, 'branchId' | 'academicYearId'>) {
  if (!reachesBranch(ctx.user, branchId)) throw fieldRefusal('branchId', text`Choose one from the list.`);
  await lockOpenYear(ctx, academicYearId, 'money');
}

/** The grades have the columns of their structure, so that only one published structure has prices for each. */
const addGrades = ({ db }: UserContext, structureId: number, gradeIds: readonly number[]) =>
  sql`insert into fee_structure_grade (structure_id, grade_id, academic_year_id, branch_id, program_id, category_key,
      admission_type, status)
    select id, grade, academic_year_id, branch_id, program_id, category_key, admission_type, status
    from fee_structure, unnest(${[...new Set(gradeIds)]}::integer[]) as grade where id = ${structureId}`.execute(db);

/** Prices in words, for the audit log. */
export const detailsOf = ({
  name,
  year,
  branch,
  program,
  category,
  admissionType,
  grades,
  lines,
  validFrom,
}: Found) => ({
  Name: name,
  Year: year,
  Place: [branch, program, category, admissionType].filter(Boolean).join(', '),
  Grades: grades.map((grade) => grade.name).join(', '),
  Prices: lines
    .map(({ head, annual, months }) => `${head} ${showMoney(annual)}${months === null ? '' : ' in some months'}`)
    .join('; '),
  'Valid from': validFrom && showDate(validFrom),
});

const create: Handler<typeof structureApi.create> = async (ctx, draft) => {
  await checkPlace(ctx, draft);
  const made = await withConstraintMessages(ctx, rules, async () => {
    const row = await ctx.db
      .insertInto('fee_structure')
      .values({ ...toRow(structureFields, draft), edited_by: ctx.user.staffId })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await addGrades(ctx, row.id, draft.gradeIds);
    return row;
  });
  const details = detailsOf(await readOne(ctx, made.id));
  await audit(ctx, { action: 'fee-structure.created', entity: rules.table, entityId: made.id, version: 1, details });
  return made;
};

/** Locks a structure; throws `stale` when the given version is not the current one, and where its year is closed. */
async function lockStructure(ctx: UserContext, { id, version }: { id: number; version: number }): Promise<Found> {
  const { academicYearId } = await readOne(ctx, id);
  await lockOpenYear(ctx, academicYearId, 'money');
  await ctx.db.selectFrom('fee_structure').where('id', '=', id).select('id').forUpdate().execute();
  const found = await readOne(ctx, id);
  requireVersion(found, version, { saved: found });
  return found;
}

function requireDraft({ status }: Found) {
  if (status === 'Waiting for approval') throw new AppError('conflict', structureMessages.asked);
  if (status !== 'Draft') throw new AppError('conflict', structureMessages.published);
}

/** Prices keep an inactive head, but none can add it. */
async function refuseInactive(
  { db }: UserContext,
  before: Found,
  lines: readonly { feeHeadId: number | null }[],
): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from fee_head where not is_active
    and id = any(${lines.map(({ feeHeadId }) => feeHeadId)}::integer[])
    and id <> all(${before.lines.map(({ feeHeadId }) => feeHeadId)}::integer[])`.execute(db);
  const place = lines.findIndex(({ feeHeadId }) => rows.some(({ id }) => id === feeHeadId));
  if (place >= 0) throw fieldRefusal(`lines.${place}.feeHeadId`, text`Choose one from the list.`);
}

const update: Handler<typeof structureApi.update> = async (ctx, { id, version, lines, ...draft }) => {
  const before = await lockStructure(ctx, { id, version });
  requireDraft(before);
  await checkPlace(ctx, draft);
  await refuseInactive(ctx, before, lines);
  const saved = await withConstraintMessages(ctx, rules, async () => {
    await ctx.db.deleteFrom('fee_structure_grade').where('structure_id', '=', id).execute();
    await ctx.db.deleteFrom('fee_structure_line').where('structure_id', '=', id).execute();
    const row = await ctx.db
      .updateTable('fee_structure')
      .set({ ...toRow(structureFields, draft), edited_by: ctx.user.staffId, version: sql`version + 1` })
      .where('id', '=', id)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await addGrades(ctx, id, draft.gradeIds);
    if (lines.length > 0)
      await ctx.db
        .insertInto('fee_structure_line')
        .values(
          lines.map(({ feeHeadId, annual, frequencyId, months }) => ({
            structure_id: id,
            fee_head_id: Number(feeHeadId),
            annual: Number(annual),
            frequency_id: Number(frequencyId),
            months,
          })),
        )
        .execute();
    return row;
  });
  const [was, is] = [detailsOf(before), detailsOf(await readOne(ctx, id))] as Record<string, string>[];
  const changed = Object.keys(is ?? {}).filter((name) => was?.[name] !== is?.[name]);
  const details = Object.fromEntries(changed.map((name) => [name, `${was?.[name]} → ${is?.[name]}`]));
  const act = { action: 'fee-structure.changed', entity: rules.table, entityId: id, version: saved.version };
  await audit(ctx, { ...act, details });
  return saved;
};

const renew: Handler<typeof structureApi.renew> = async (ctx, asked) => {
  const found = await lockStructure(ctx, asked);
  if (found.status !== 'Published') throw new AppError('conflict', text`Only published prices get a new version.`);
  const made = await ctx.db
    .insertInto('fee_structure')
    .values({
      ...toRow(structureFields, found),
      version_no: found.versionNo + 1,
      replaces_id: found.id,
      edited_by: ctx.user.staffId,
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await addGrades(
    ctx,
    made.id,
    found.grades.map(({ id }) => id),
  );
  await sql`insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id, months)
    select ${made.id}, fee_head_id, annual, frequency_id, months from fee_structure_line
    where structure_id = ${found.id}`.execute(ctx.db);
  const details = { ...detailsOf(found), Version: String(found.versionNo + 1) };
  await audit(ctx, { action: 'fee-structure.created', entity: rules.table, entityId: made.id, version: 1, details });
  return made;
};

/** Publishes locked structures, each in place of the version that it replaces. */
export async function publishAll(ctx: UserContext, found: readonly Found[]) {
  for (const { year, yearClosedAt } of found) requireOpen({ name: year, closed_at: yearClosedAt }, 'money');
  const ids = found.map(({ id }) => id);
  await requirePublishable(ctx, ids);
  const saved = await withConstraintMessages(ctx, rules, async () => {
    await sql`update fee_structure set status = 'Superseded', version = version + 1
      where id in (select replaces_id from fee_structure where id = any(${ids})) and status = 'Published'`.execute(
      ctx.db,
    );
    return ctx.db
      .updateTable('fee_structure')
      .set({ status: 'Published', published_by: ctx.user.staffId, published_at: ctx.now(), version: sql`version + 1` })
      .where('id', 'in', ids)
      .returning(['id', 'version'])
      .execute();
  });
  const versions = new Map(saved.map(({ id, version }) => [id, version]));
  await auditAll(
    ctx,
    found.map((structure) => ({
      action: 'fee-structure.published',
      entity: rules.table,
      entityId: structure.id,
      version: versions.get(structure.id),
      details: detailsOf(structure),
    })),
  );
}

/** The structures with other instalments of a head than plans have from the version that is replaced, with the reason. */
export async function findOtherInstalments({ db }: UserContext, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; head: string }>`
    select new.id, (array_agg(head.name order by head.priority, head.id))[1] as head
    from fee_structure new join fee_structure_line line on line.structure_id = new.id
    join fee_structure_line old on old.structure_id = new.replaces_id and old.fee_head_id = line.fee_head_id
    join fee_head head on head.id = line.fee_head_id
    where new.id = any(${[...ids]}::integer[])
      and (old.frequency_id, old.months) is distinct from (line.frequency_id, line.months)
      and exists (select from fee_plan_stage stage join fee_plan plan on plan.id = stage.plan_id and plan.status = 'Active'
        where stage.structure_id = new.replaces_id and stage.fee_head_id = line.fee_head_id)
    group by new.id`.execute(db);
  return new Map(rows.map(({ id, head }) => [id, structureMessages.otherInstalments(head)]));
}

/** The structures with grades that have other published prices, with the reason; a version may replace its own. */
export async function findTakenGrades({ db }: UserContext, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; name: string; grades: string }>`
    select distinct on (own.structure_id) own.structure_id as id, other.name,
      string_agg(grade.name, ', ' order by grade.position) as grades
    from fee_structure_grade own
    join fee_structure_grade taken using (academic_year_id, branch_id, program_id, grade_id, category_key, admission_type)
    join fee_structure new on new.id = own.structure_id
    join fee_structure other on other.id = taken.structure_id
    join academic_grade grade on grade.id = grade_id
    where own.structure_id = any(${[...ids]}::integer[]) and taken.status = 'Published'
      and taken.structure_id is distinct from new.replaces_id
    group by own.structure_id, other.id order by own.structure_id, other.name`.execute(db);
  return new Map(rows.map(({ id, name, grades }) => [id, structureMessages.takenBy(name, grades)]));
}

/** Refuses structures that cannot be published beside what is published. */
async function requirePublishable(ctx: UserContext, ids: readonly number[]) {
  for (const found of [await findTakenGrades(ctx, ids), await findOtherInstalments(ctx, ids)]) {
    const [why] = found.values();
    if (why) throw new AppError('conflict', why);
  }
}

/** Why prices have no such first day: only a later version has one, within its year. */
export function whyNoSuchDay({ versionNo, startsOn, endsOn, year }: Found, day: string) {
  if (versionNo === 1) return undefined;
  if (day === '') return structureMessages.noDay;
  return day < startsOn || day > endsOn ? structureMessages.otherYear(year) : undefined;
}

/** Keeps the first day of later versions. */
export const storeValidFrom = ({ db }: UserContext, ids: readonly number[], day: string) =>
  sql`update fee_structure set valid_from = case when version_no > 1 then ${day || null}::date end
    where id = any(${[...ids]}::integer[])`.execute(db);

/** Asks a second person to publish each of these locked structures. */
export async function askAll(ctx: UserContext, found: readonly Found[]) {
  await ctx.db
    .updateTable('fee_structure')
    .set({ status: 'Waiting for approval', version: sql`version + 1` })
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .execute();
  await requestApprovals(
    ctx,
    found.map(({ id, name, branchId, total }) => ({
      kind: 'fee.structure',
      subjectId: id,
      branchId,
      title: text`Publish the prices “${{ name }}”`,
      amount: total,
    })),
  );
}

const publish: Handler<typeof structureApi.publish> = async (ctx, { validFrom, ...asked }) => {
  const draft = await lockStructure(ctx, asked);
  requireDraft(draft);
  const why = whyNoSuchDay(draft, validFrom);
  if (why) throw fieldRefusal('validFrom', why);
  await storeValidFrom(ctx, [draft.id], validFrom);
  const found = await readOne(ctx, draft.id);
  if (found.lines.length === 0) throw new AppError('conflict', structureMessages.noLines);
  await requirePublishable(ctx, [found.id]);
  if (await publishesAlone(ctx)) {
    await publishAll(ctx, [found]);
    return { id: found.id, status: 'Published' };
  }
  await askAll(ctx, [found]);
  return { id: found.id, status: 'Waiting for approval' };
};

const remove: Handler<typeof structureApi.remove> = async (ctx, asked) => {
  const found = await lockStructure(ctx, asked);
  requireDraft(found);
  await ctx.db.deleteFrom('fee_structure').where('id', '=', found.id).execute();
  const act = { action: 'fee-structure.removed', entity: rules.table, entityId: found.id, version: found.version };
  await audit(ctx, { ...act, details: detailsOf(found) });
  return {};
};

const history: Handler<typeof structureApi.history> = async (ctx, asked) => {
  await readOne(ctx, asked.id);
  return readHistory(ctx, rules.table, asked);
};

export const structureHandlers = { read, history, create, update, renew, copy, publish, remove };
