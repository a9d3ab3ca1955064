import { sql } from 'kysely';
import {
  boardMaster,
  gradeMaster,
  programMaster,
  sectionMaster,
  type stages,
} from '#features/academic/contract/masters.ts';
import { lockOpenYear } from '#features/calendar/api.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { addUsualSubjects } from '#features/subject/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { Master, Values } from '#kit/contract/master.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { createEntered } from '#kit/server/master/create-all.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { classes, type classParts, hasStreams, placeOf, type setUpApi, setUpMessages } from '../contract/set-up.ts';
import { setUp } from './set-up-from.ts';

type Input = Parameters<Handler<typeof setUpApi.classes>>[1];
type Part = (typeof classParts)[number];
type Class = (typeof classes)[number];

/** Adds what the classes of the form lack, after a preview. Nothing that is there changes. */
export const addClasses: Handler<typeof setUpApi.classes> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const year = await currentYear(ctx);
    const parts: { part: Part; added: number; alreadyThere: number }[] = [];
    const branches = await ctx.db.selectFrom('academic_branch').select(['id', 'name']).orderBy('id').execute();
    const branch = await addMissing(ctx, branchMaster, branches.slice(0, 1), [
      { name: branches[0]?.name ?? 'Main campus', code: 'MAIN' },
    ]);
    parts.push({ part: 'Branches', ...branch.count });
    const boards = await ctx.db.selectFrom('academic_board').select(['id', 'name']).execute();
    const board = await addMissing(ctx, boardMaster, boards, [{ name: input.board }]);
    parts.push({ part: 'Boards', ...board.count });
    const programs = await ctx.db
      .selectFrom('academic_program')
      .where('board_id', '=', board.ids[0] ?? 0)
      .select(['id', 'name'])
      .execute();
    const wanted = classes.slice(placeOf(input.firstClass), placeOf(input.lastClass) + 1);
    const groups = groupByProgram(wanted, input.streams);
    const program = await addMissing(
      ctx,
      programMaster,
      programs,
      groups.map(({ name }) => ({ name, boardId: board.ids[0] })),
    );
    parts.push({ part: 'Programs', ...program.count });
    const grades = await addGrades(ctx, wanted, input.word);
    parts.push({ part: 'Classes', ...grades.count });
    const sections: Count[] = [];
    const subjects: Count[] = [];
    for (const [index, { names, stream }] of groups.entries()) {
      const place = { academicYearId: year.id, branchId: branch.ids[0] ?? 0, programId: program.ids[index] ?? 0 };
      const taught = names.map((name) => ({ gradeId: grades.ids[wanted.indexOf(name)] ?? 0, level: levelOf(name) }));
      const gradeIds = taught.map(({ gradeId }) => gradeId);
      sections.push(await addSections(ctx, place, gradeIds, input));
      if (input.hasSubjects) subjects.push(await addUsualSubjects(ctx, { ...place, stream }, taught, setUp));
    }
    parts.push({ part: 'Sections', ...sumOf(sections) });
    if (input.hasSubjects) parts.push({ part: 'Subjects of classes', ...sumOf(subjects) });
    return { answer: { parts }, basis: [input, parts] };
  });

interface Count {
  added: number;
  alreadyThere: number;
}

const sumOf = (all: readonly Count[]): Count => ({
  added: all.reduce((sum, { added }) => sum + added, 0),
  alreadyThere: all.reduce((sum, { alreadyThere }) => sum + alreadyThere, 0),
});

/** The classes of each program: the highest belong to each chosen stream, the others to Regular. */
function groupByProgram(wanted: readonly Class[], streams: string) {
  const chosen = streams.split(',').filter(Boolean);
  const isOfStream = (name: string) => chosen.length > 0 && hasStreams(name);
  const [upper, regular] = [wanted.filter(isOfStream), wanted.filter((name) => !isOfStream(name))];
  return [
    ...(regular.length > 0 ? [{ name: 'Regular', stream: '', names: regular }] : []),
    ...(upper.length > 0 ? chosen.map((name) => ({ name, stream: name, names: upper })) : []),
  ];
}

async function currentYear(ctx: UserContext) {
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${toLocalDate(ctx.now())}::date)`)
    .select('id')
    .executeTakeFirst();
  if (!year) throw new AppError('conflict', setUpMessages.noYear);
  return lockOpenYear(ctx, year.id);
}

interface Named {
  id: number;
  name: string;
}

/** The ids of entries by their names, in order, after adding those that are missing. */
async function addMissing(ctx: UserContext, master: Master, there: readonly Named[], wanted: readonly Values[]) {
  const known = new Map(there.map(({ id, name }) => [sameText(name), id]));
  const missing = wanted.filter(({ name }) => !known.has(sameText(String(name))));
  const added = await createEntered(ctx, master, missing, setUp);
  for (const [index, { id }] of added.entries()) known.set(sameText(String(missing[index]?.name)), id);
  return {
    ids: wanted.map(({ name }) => known.get(sameText(String(name))) ?? 0),
    count: { added: added.length, alreadyThere: wanted.length - added.length },
  };
}

/** How many years after Nursery a class is, which begins at three. */
const yearsOf = (name: string) => placeOf(name) + 3;
/** 1 is Class 1; Nursery is -2. */
const levelOf = (name: string) => placeOf(name) - placeOf('1') + 1;

function stageOf(years: number): (typeof stages)[number] {
  if (years < 8) return 'Foundational';
  if (years < 11) return 'Preparatory';
  return years < 14 ? 'Middle' : 'Secondary';
}

/** Adds classes, each of which leads to the next one, as the last one before them and their last one do. */
async function addGrades(ctx: UserContext, wanted: readonly string[], word: Input['word']) {
  const there = await ctx.db
    .selectFrom('academic_grade')
    .select(['id', 'name', 'code', 'next_grade_id'])
    .orderBy('position')
    .execute();
  const rowOf = (name: string) => ({
    name: levelOf(name) > 0 ? `${word} ${name}` : name,
    code: levelOf(name) > 0 ? `${word.charAt(0)}${name}` : name.slice(0, 3).toUpperCase(),
    stage: stageOf(yearsOf(name)),
    minAgeMonths: yearsOf(name) * 12,
  });
  const rows = wanted.map(rowOf);
  // A class that has another name is found by its code.
  const idOf = (name: string) => {
    const row = rowOf(name);
    const is = (of: 'name' | 'code') => there.find((one) => sameText(one[of]) === sameText(row[of]));
    return (is('code') ?? is('name'))?.id;
  };
  const byCode = wanted.flatMap((name) => {
    const id = idOf(name);
    return id === undefined ? [] : [{ id, name: rowOf(name).name }];
  });
  const made = await addMissing(ctx, gradeMaster, [...byCode, ...there], rows);
  const all = classes.flatMap((name) => made.ids[wanted.indexOf(name)] ?? idOf(name) ?? []);
  const isNew = (id: number | undefined) => there.every((one) => one.id !== id);
  const hasNext = new Set(there.flatMap(({ id, next_grade_id }) => (next_grade_id === null ? [] : [id])));
  const next = all.flatMap((id, index) => {
    const after = all[index + 1];
    return after && !hasNext.has(id) && (isNew(id) || isNew(after)) ? [{ id, after }] : [];
  });
  await sql`update academic_grade as own set next_grade_id = input.after
    from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as input (id integer, after integer)
    where own.id = input.id`.execute(ctx.db);
  // Lower classes that are added later stand before the others.
  if (all.some((id, index) => isNew(id) && index + 1 < all.length && !isNew(all[index + 1])))
    await sql`update academic_grade as own set position = input.position
      from (select grade.id, row_number() over (order by coalesce(place.number, 1000), grade.position) as position
        from academic_grade grade
        left join unnest(${all}::integer[]) with ordinality as place (id, number) on place.id = grade.id) as input
      where own.id = input.id`.execute(ctx.db);
  return made;
}

interface ProgramOfBranch {
  academicYearId: number;
  branchId: number;
  programId: number;
}

/** Adds the sections A, B, … that each class lacks. */
async function addSections(ctx: UserContext, place: ProgramOfBranch, gradeIds: readonly number[], input: Input) {
  const there = await ctx.db
    .selectFrom('academic_section')
    .where('academic_year_id', '=', place.academicYearId)
    .where('branch_id', '=', place.branchId)
    .where('program_id', '=', place.programId)
    .select(['grade_id', 'name'])
    .execute();
  const known = new Set(there.map(({ grade_id, name }) => `${grade_id} ${sameText(name)}`));
  const letters = Array.from({ length: input.sections ?? 0 }, (_, index) => String.fromCharCode(65 + index));
  const wanted = gradeIds.flatMap((gradeId) => letters.map((name) => ({ gradeId, name })));
  const missing = wanted.filter(({ gradeId, name }) => !known.has(`${gradeId} ${sameText(name)}`));
  const { capacity, medium } = input;
  await createEntered(
    ctx,
    sectionMaster,
    missing.map((section) => ({ ...place, ...section, capacity, medium })),
    setUp,
  );
  return { added: missing.length, alreadyThere: wanted.length - missing.length };
}
