import { sql } from 'kysely';
import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { readSectionWords } from '#features/academic/api.ts';
import { subjectMaster } from '#features/subject/contract/masters.ts';
import { showDate } from '#kit/contract/day.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import { AppError, type FieldErrors } from '#kit/contract/errors.ts';
import { inputOf, namesOf } from '#kit/contract/field.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { addDays, atLocalHour, toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { type ImportLine, importRows, twiceMessage } from '#kit/server/import/import-rows.ts';
import type { ImportTarget } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { answered } from '#kit/server/import/row-question.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { lookUpNames, readCell } from '#kit/server/master/cells.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { readSettings } from '#kit/server/settings.ts';
import { diaryFile, diaryImportApi } from '../contract/import.ts';
import { type Limit, loadOf, mondayOf, type Over, overLimit, type Stage, spread } from '../contract/load.ts';
import { homeworkMessages } from '../contract/words.ts';
import { overWords, readItems, readLimits, readSchoolDays, type StoredItem, spanOf, weeksAround } from './load.ts';
import { homeworkRules } from './rules.ts';
import { blocksOver } from './settings.ts';

/** The hour at which homework of a file is published, before the digest of its day. */
const publishHour = 16;

interface Given {
  sectionId: number;
  gradeId: number;
  section: string;
  subjectId: number;
  title: string;
  instructions: string;
  minutes: number;
  kind: string;
  assignedOn: string;
  dueOn: string;
  /** Null for a draft. */
  publishAt: Date | null;
  /** Given on a day that has passed: no message tells of it. */
  isLate: boolean;
}

interface Line extends ImportLine {
  given?: Given;
  giverId?: number;
  overReason?: string;
}

const target: ImportTarget = {
  kind: diaryImportApi.import.path,
  name: 'homework-diary',
  fields: diaryFile,
  undo: { table: 'homework', parts: [{ table: 'homework_section', column: 'homework_id' }] },
};

type Input = Omit<ParsedOf<typeof diaryImportApi.import>, 'shown'>;

const importAll = async (ctx: UserContext, input: Input) => {
  const table = namedRows(ctx.table());
  return importRows(ctx, {
    input,
    target,
    rules: homeworkRules,
    lockTable: () => sql`lock table homework, homework_section in share row exclusive mode`.execute(ctx.db),
    compare: () => compareRows(ctx, input, table),
    write: (lines) => write(ctx, lines),
    audit: (lines) =>
      auditAll(
        ctx,
        lines.flatMap(({ status, id, given }) =>
          status === 'added' && id !== undefined && given
            ? [
                {
                  action: 'homework.imported',
                  entity: 'homework',
                  entityId: id,
                  details: { section: given.section, given: showDate(given.assignedOn), due: showDate(given.dueOn) },
                },
              ]
            : [],
        ),
      ),
  });
};

/** The academic year of today. Throws `conflict` without one. */
async function readYearOfToday({ db }: UserContext, today: string) {
  const { rows } = await sql<{ id: number; endsOn: string }>`
    select id, ends_on::text as "endsOn" from academic_year where ${today}::date between starts_on and ends_on
    order by id limit 1`.execute(db);
  if (!rows[0]) throw new AppError('conflict', homeworkMessages.outsideYear);
  return rows[0];
}

async function compareRows(ctx: UserContext, { plan }: Input, table: TableRow[]): Promise<Line[]> {
  const today = toLocalDate(ctx.now());
  const year = await readYearOfToday(ctx, today);
  const find = await readSectionWords(ctx, year.id);
  const names = await lookUpNames(ctx, [['subjectId', namedBy(subjectMaster)]]);
  const row = z.object(inputOf(diaryFile));
  const fields = namesOf(diaryFile);
  const lines = await mapRows(table, ({ line, cells }): Line => {
    const messages: FieldErrors = {};
    const typed: Record<string, unknown> = {};
    for (const name of fields) {
      const { value, problem } = readCell({ fields: diaryFile }, name, cells[name] ?? '', names);
      typed[name] = value;
      if (problem) messages[name] = problem;
    }
    const { data, error } = row.safeParse(typed);
    for (const [name, message] of Object.entries(error ? fieldErrors(error) : {})) messages[name] ??= message;
    Object.assign(typed, data);
    const [section, another] = find(String(typed.section ?? ''), String(typed.grade ?? ''));
    if (!section) messages.section ??= text`“${{ words: String(typed.section ?? '').slice(0, 60) }}” does not exist.`;
    else if (another) messages.section ??= text`More than one section matches. Enter its whole name.`;
    const given = givenOf(ctx, typed, section ?? { id: 0, gradeId: 0, name: '' });
    if (given.isLate && given.assignedOn < mondayOf(today))
      messages.givenOn ??= text`Enter a day of this week, or a later one.`;
    if (given.dueOn < given.assignedOn) messages.dueOn ??= homeworkMessages.beforeAssigned;
    else if (given.dueOn > year.endsOn) messages.dueOn ??= homeworkMessages.outsideYear;
    const displayName = [section?.name ?? typed.section, cells.subjectId, given.title]
      .filter(Boolean)
      .join(': ')
      .slice(0, 120);
    const status = Object.keys(messages).length > 0 ? 'wrong' : 'added';
    if (status === 'added' && given.publishAt === null && typed.givenOn)
      messages.givenOn = text`A draft is given on the day it is published.`;
    return {
      line,
      displayName,
      status,
      messages,
      before: undefined,
      given,
      stored: { ...typed, section: section?.name ?? '' },
    };
  });
  await judgePlaces(ctx, lines);
  await findTwice(ctx, lines);
  await markLoads(ctx, lines, plan);
  return lines;
}

/** What a row gives, and when: a draft has no day before it is published. */
function givenOf(
  { now }: UserContext,
  typed: Record<string, unknown>,
  section: { id: number; gradeId: number; name: string },
): Given {
  const today = toLocalDate(now());
  const isDraft = typed.becomes !== 'Published on its day';
  const assignedOn = isDraft ? today : String(typed.givenOn || today);
  return {
    sectionId: section.id,
    gradeId: section.gradeId,
    section: section.name,
    subjectId: Number(typed.subjectId),
    title: String(typed.title),
    instructions: String(typed.instructions ?? ''),
    minutes: Number(typed.minutes),
    kind: String(typed.kind),
    assignedOn,
    dueOn: String(typed.dueOn),
    publishAt: isDraft ? null : new Date(Math.max(now().getTime(), atLocalHour(assignedOn, publishHour).getTime())),
    isLate: assignedOn < today,
  };
}

const good = (lines: readonly Line[]) =>
  lines.flatMap((line) => (line.status === 'added' && line.given ? [{ line, given: line.given }] : []));

const refuse = (line: Line, field: string, message: Text) => {
  line.status = 'wrong';
  line.messages = { ...line.messages, [field]: message };
};

/** Refuses what the user may not give, and days without school; the giver is the user, else the teacher of the subject. */
async function judgePlaces(ctx: UserContext, lines: readonly Line[]) {
  const { user, db } = ctx;
  const asked = good(lines).map(({ given }) => given);
  if (asked.length === 0) return;
  const pairs = new Map(
    asked.map((one) => [keyOf(one), { section: one.sectionId, subject: one.subjectId, day: one.assignedOn }]),
  );
  const { rows } = await sql<{
    section: number;
    subject: number;
    day: string;
    giverId: number | null;
    isTaught: boolean;
  }>`
    select asked.section, asked.subject, asked.day::text as day,
      case when homework_may_give(asked.section, asked.subject, ${user.staffId}, asked.day) then ${user.staffId}::integer
        when ${inScope(user, [staff('principal')], { branch: sql`section.branch_id` })} then (
          select own.staff_id from academic_section_teacher own
          where own.section_id = asked.section and homework_may_give(asked.section, asked.subject, own.staff_id, asked.day)
          order by own.subject_id is null, own.role, own.id limit 1) end as "giverId",
      exists (select from configuration_grade_subject taught where taught.academic_year_id = section.academic_year_id
        and taught.program_id = section.program_id and taught.grade_id = section.grade_id
        and taught.subject_id = asked.subject) as "isTaught"
    from jsonb_to_recordset(${JSON.stringify([...pairs.values()])}::jsonb) as asked (section integer, subject integer, day date)
    join academic_section section on section.id = asked.section`.execute(db);
  const found = new Map(rows.map((row) => [`${row.section} ${row.subject} ${row.day}`, row]));
  const days = asked.map(({ dueOn }) => dueOn).toSorted();
  const span = { first: days[0] ?? '', last: days.at(-1) ?? '' };
  const schoolDays = await readSchoolDays(ctx, [...new Set(asked.map(({ gradeId }) => gradeId))], span);
  for (const { line, given } of good(lines)) {
    const place = found.get(keyOf(given));
    if (!place?.isTaught || place.giverId === null) refuse(line, 'subjectId', homeworkMessages.notMappedHere);
    else if (!schoolDays.get(given.gradeId)?.includes(given.dueOn))
      refuse(line, 'dueOn', homeworkMessages.noSchoolAtAll);
    else line.giverId = place.giverId;
  }
}

const keyOf = ({ sectionId, subjectId, assignedOn }: Given) => `${sectionId} ${subjectId} ${assignedOn}`;
const sameAs = ({ sectionId, subjectId, title, dueOn }: Omit<Given, 'given'>) =>
  `${sectionId} ${subjectId} ${dueOn} ${sameText(title)}`;

/** Refuses a row that the file repeats, and skips homework that the section already has. */
async function findTwice({ db }: UserContext, lines: readonly Line[]) {
  const asked = good(lines);
  const { rows } = await sql<Given>`
    select own.section_id as "sectionId", own.subject_id as "subjectId", content.title, own.due_on::text as "dueOn"
    from homework_section own join homework content on content.id = own.homework_id
    where own.section_id = any(${[...new Set(asked.map(({ given }) => given.sectionId))]}::integer[]) and own.state <> 'Cancelled'
      and own.due_on = any(${[...new Set(asked.map(({ given }) => given.dueOn))]}::date[])`.execute(db);
  const there = new Set(rows.map(sameAs));
  const seen = new Map<string, number>();
  for (const { line, given } of asked) {
    const key = sameAs(given);
    const twice = seen.get(key);
    if (twice) refuse(line, 'title', twiceMessage(twice));
    else if (there.has(key)) line.status = 'same';
    seen.set(key, twice ?? line.line);
  }
}

const choices = [
  { key: 'give', label: text`Give it: the other teachers agreed` },
  { key: 'leave', label: text`Leave it out` },
];
/** What a record keeps of the first answer. */
const agreed = 'The other teachers agreed';

/** Marks the rows with which a section passes its limit, together with what it has and the other rows of the file. */
async function markLoads(ctx: UserContext, lines: readonly Line[], plan: Input['plan']) {
  const isLeft = (line: Line) => plan?.answers[line.line] === 'leave' || plan?.alike.over === 'leave';
  const asked = good(lines);
  if (asked.length === 0) return;
  const found = await findOverOf(
    ctx,
    asked.map(({ line, given }) => ({ id: -line.line, given })),
  );
  const isBlocked = (await readSettings(ctx, { blocksOver })).blocksOver;
  for (const { line, given } of asked) {
    const over = found.get(-line.line);
    if (!over) continue;
    const says = overWords({ section: given.section, ...over });
    if (given.publishAt === null) line.messages = { ...line.messages, minutes: says };
    else if (isBlocked) refuse(line, 'minutes', says);
    else {
      line.question = answered(plan, line.line, { kind: 'over', text: says, field: 'minutes', choices });
      if (isLeft(line)) line.status = 'same';
      else if (line.question.answer === 'give') line.overReason = agreed;
      else refuse(line, 'minutes', says);
    }
  }
}

/** The worst period of each row with which a child passes the limit. */
async function findOverOf(ctx: UserContext, asked: readonly { id: number; given: Given }[]) {
  const sectionIds = [...new Set(asked.map(({ given }) => given.sectionId))];
  const pairs = [...new Map(asked.map(({ given }) => [keyOf(given), given])).values()];
  const { rows } = await sql<{ key: string; stage: Stage; children: number[] }>`
    select asked.section || ' ' || asked.subject || ' ' || asked.day as key, grade.stage, array(
      select own.student_id from student_on(asked.day) own
      join configuration_grade_subject taught on taught.academic_year_id = own.academic_year_id
        and taught.program_id = own.program_id and taught.grade_id = own.grade_id and taught.subject_id = asked.subject
      where own.section_id = asked.section and (taught.is_compulsory or exists (select from student_subject taken
        where taken.enrollment_id = own.enrollment_id and taken.subject_id = taught.subject_id))) as children
    from jsonb_to_recordset(${JSON.stringify(pairs.map((one) => ({ section: one.sectionId, subject: one.subjectId, day: one.assignedOn })))}::jsonb)
      as asked (section integer, subject integer, day date)
    join academic_section section on section.id = asked.section
    join academic_grade grade on grade.id = section.grade_id`.execute(ctx.db);
  const placeOf = new Map(rows.map((row) => [row.key, row]));
  const span = weeksAround(asked.flatMap(({ given }) => [given.assignedOn, given.dueOn]));
  const stored = await readItems(ctx, sectionIds, { first: span.first, last: addDays(span.last, 60) });
  const own = asked.map(({ id, given }) => ({
    ...given,
    id,
    children: (placeOf.get(keyOf(given))?.children ?? []).map((studentId) => ({ studentId, dueOn: given.dueOn })),
  }));
  const items: (Pick<StoredItem, 'sectionId' | 'kind' | 'minutes' | 'assignedOn' | 'children'> & { id: number })[] = [
    ...stored,
    ...own,
  ];
  const schoolDays = await readSchoolDays(
    ctx,
    asked.map(({ given }) => given.gradeId),
    spanOf(items, span),
  );
  const limits = await readLimits(ctx);
  const found = new Map<number, Over & { limit: Limit }>();
  for (const [sectionId, rowsOf] of Map.groupBy(own, (one) => one.sectionId)) {
    const days = schoolDays.get(rowsOf[0]?.gradeId ?? 0) ?? [];
    const load = loadOf(
      items.filter((item) => item.sectionId === sectionId),
      days,
    );
    for (const row of rowsOf) {
      const limit = limits[placeOf.get(keyOf(row))?.stage ?? 'Middle'];
      const touched = [...spread(row, row.dueOn, days).keys()];
      const [worst] = overLimit(
        load,
        row.children.map(({ studentId }) => studentId),
        touched,
        limit,
      );
      if (worst) found.set(row.id, { ...worst, limit });
    }
  }
  return found;
}

/** Adds a content and a delivery for each row. */
async function write(ctx: UserContext, lines: Line[]) {
  const { db } = ctx;
  const today = toLocalDate(ctx.now());
  const rows = lines.flatMap((line) =>
    line.given && line.giverId ? [{ line, given: line.given, giverId: line.giverId }] : [],
  );
  const year = await readYearOfToday(ctx, today);
  const contents = await insertTogether(
    db,
    'homework',
    rows.map(({ given, giverId }) => ({
      academic_year_id: year.id,
      subject_id: given.subjectId,
      owner_id: giverId,
      title: given.title,
      instructions: given.instructions,
      kind: given.kind,
      minutes: given.minutes,
    })),
    ['id'],
  );
  rows.forEach(({ line }, place) => {
    line.id = contents[place]?.id;
  });
  const deliveries = rows.map(({ line, given, giverId }) => ({
    homeworkId: line.id,
    ...given,
    giverId: given.publishAt && giverId,
    // As told on that day: a family reads on its page what was given then.
    toldOn: given.isLate ? given.assignedOn : null,
    overReason: line.overReason ?? '',
  }));
  await sql`
    insert into homework_section (homework_id, academic_year_id, branch_id, program_id, grade_id, section_id, subject_id, assigned_on,
      due_on, state, publish_at, given_by, news, digest_on, over_reason)
    select own."homeworkId", academic_year_id, branch_id, program_id, grade_id, section.id, own."subjectId", own."assignedOn",
      own."dueOn", case when own."publishAt" is null then 'Draft' else 'Published' end, own."publishAt", own."giverId",
      case when own."publishAt" is not null then 'New' end, own."toldOn", own."overReason"
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as own ("homeworkId" integer, "sectionId" integer,
      "subjectId" integer, "assignedOn" date, "dueOn" date, "publishAt" timestamptz, "giverId" integer, "toldOn" date, "overReason" text)
    join academic_section section on section.id = own."sectionId" order by own."homeworkId"`.execute(db);
}

/** Written, at once, and by a teacher who says no more. */
const usual = async () => ({ kind: 'Written', minutes: '20', becomes: 'Draft' });

const handlers = importHandlers(target, importAll, usual);

/** What was published or changed since is known to families or somebody's work. */
async function refuseKnown({ db, now }: UserContext, importId: number) {
  const { rows } = await sql<{ name: string }>`
    select line.name from file_import_line line join homework_section given on given.homework_id = line.record_id
    where line.import_id = ${importId} and (given.state <> 'Draft' and given.publish_at <= ${now()} or given.version > 1)
    order by line.line limit 1`.execute(db);
  if (rows[0])
    throw new AppError(
      'conflict',
      text`“${{ name: rows[0].name }}” was published or changed since. Cancel or delete single homework.`,
    );
}

export const diaryImportRoutes = routes(diaryImportApi, {
  ...handlers,
  importUndo: async (ctx, input) => {
    const own = await ctx.db
      .selectFrom('file_import')
      .where('id', '=', input.importId)
      .where('kind', '=', target.kind)
      .where('account_id', '=', ctx.user.id)
      .select('id')
      .executeTakeFirstOrThrow(notFound);
    await refuseKnown(ctx, own.id);
    return handlers.importUndo(ctx, input);
  },
});
