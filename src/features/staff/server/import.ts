import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { otherBranch, reachesBranch } from '#access/server/scope.ts';
import { employmentTypeMaster } from '#features/hris/contract/masters.ts';
import { yearNames } from '#features/school/api.ts';
import { departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { showDate } from '#kit/contract/day.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { asOptional, type Named, namesOf, omit, pick, refsOf } from '#kit/contract/field.ts';
import { fieldErrors, isRealDate, normalMobile } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertRows, updateRows } from '#kit/server/database/bulk.ts';
import { drawNumbers } from '#kit/server/database/numbering.ts';
import { columnsIn, columnsOf, toRow, toWire } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { type ImportLine, importRows, isWritten, twiceMessage } from '#kit/server/import/import-rows.ts';
import type { ImportTarget } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { type Answers, answered } from '#kit/server/import/row-question.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { lookUpNames, readCell } from '#kit/server/master/cells.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { importedPerson, importedStaff, staffFile, staffImportApi } from '../contract/import.ts';
import { afterLastDay, leftWithThis } from '../contract/leaving.ts';
import { personFields, postFields } from '../contract/record.ts';
import { alikeStaff } from './alike.ts';
import { startAgain } from './leaving.ts';
import { staffMessages } from './returning.ts';
import { isKept } from './visible.ts';

/** A row of the file as it is stored. */
type Draft = z.infer<typeof importedStaff>;

const changeable = namesOf(importedPerson);
/** A person may have no post yet. */
const importedPost = {
  ...omit(postFields, 'reportsToId'),
  designationId: asOptional(postFields.designationId),
  departmentId: asOptional(postFields.departmentId),
  branchId: asOptional(postFields.branchId),
};
const postNames = namesOf(importedPost);
const known = { employeeNumber: personFields.employeeNumber, ...importedPerson };

interface Line extends ImportLine {
  draft: Draft;
  /** The person has left and comes back. */
  rejoins: boolean;
  /** The person was added without the school's number, with an account: the row has it. */
  takesNumber: boolean;
  /** The person has no post yet: the row's is their first one. */
  getsPost: boolean;
}

type Known = Awaited<ReturnType<typeof readStaff>>[number];

const target: ImportTarget = {
  kind: staffImportApi.import.path,
  name: 'staff',
  fields: staffFile,
  creates: {
    departmentId: { master: departmentMaster },
    designationId: { master: designationMaster },
    employmentTypeId: { master: employmentTypeMaster },
  },
  undo: {
    table: 'staff',
    isKept: true,
    parts: [
      { table: 'staff_post', column: 'staff_id' },
      { table: 'staff_employment', column: 'staff_id' },
    ],
  },
};

const notChanged = text`An import can’t change this. Leave it empty.`;

const importAll = (ctx: UserContext, input: Omit<ParsedOf<typeof staffImportApi.import>, 'shown'>) => {
  const table = namedRows(ctx.table());
  return importRows(ctx, {
    input,
    target,
    rules: staffMessages,
    lockTable: () => sql`lock table staff in share row exclusive mode`.execute(ctx.db),
    compare: () => compareRows(ctx, table, input.plan),
    write: (lines) => write(ctx, lines),
    audit: (lines, { wrong: _, ...counts }) =>
      auditAll(ctx, [
        ...lines.filter(isWritten).map(({ id = 0, status, draft }) => ({
          action: status === 'added' ? 'staff.created' : 'staff.changed',
          entity: 'staff',
          entityId: id,
          details: { From: 'file', Name: draft.name },
        })),
        { action: 'staff.imported', entity: 'staff', entityId: 0, details: counts },
      ]),
  });
};

/** Reads each row of the file, and compares it with the person it is about. */
async function compareRows(ctx: UserContext, table: TableRow[], plan: Answers | undefined): Promise<Line[]> {
  const targets = refsOf({ fields: staffFile }).flatMap(([name, { to }]): [string, Named][] =>
    to === 'self' ? [] : [[name, to]],
  );
  const names = await lookUpNames(ctx, targets);
  const branches = [...(names.branchId?.values() ?? [])].flat().filter(({ isActive }) => isActive);
  const people = await readStaff(ctx);
  const find = {
    number: indexOf(people, 'employeeNumber'),
    mobile: indexOf(people, 'mobile'),
    email: indexOf(people, 'email'),
  };
  const today = toLocalDate(ctx.now());
  const seen = new Map<string, number>();
  const read = table.map(({ line, cells }) => {
    const messages: FieldErrors = {};
    const typed: Record<string, unknown> = { reportsToId: '' };
    for (const name of Object.keys(staffFile)) {
      const { value, problem } = readCell({ fields: staffFile }, name, cells[name] ?? '', names);
      typed[name] = value ?? '';
      if (problem) messages[name] = problem;
    }
    return { line, cells, messages, typed };
  });
  const alike = await alikeStaff(
    ctx,
    read.map(({ typed }) => ({
      name: String(typed.name),
      birthDate: isRealDate(String(typed.birthDate)) ? String(typed.birthDate) : '',
    })),
  );
  const personOf = new Map(people.map((person) => [person.id, person]));
  const twinOf = new Map(
    read.map(({ line }, index) => [line, (alike[index] ?? []).flatMap((id) => personOf.get(id) ?? [])[0]]),
  );
  return mapRows(read, ({ line, cells, messages, typed }) => {
    // A school with one branch does not write it in every row.
    if (!cells.branchId && branches.length === 1) typed.branchId = branches[0]?.id;
    const number = plain(typed.employeeNumber);
    const byContact = find.mobile.get(normalMobile(String(typed.mobile))) ?? find.email.get(plain(typed.email));
    const byNumber = find.number.get(number);
    const asked = number && !byNumber && byContact && isNumbered(byContact, today) ? byContact : undefined;
    const same = asked && answered(plan, line, samePerson(asked, cells));
    const takesNumber = same?.answer === 'same';
    const found = number && !takesNumber ? byNumber : byContact;
    // Somebody of this name and birth date, whom neither number nor contact of the row names.
    const twin = found || asked ? undefined : twinOf.get(line);
    const twice = twin && answered(plan, line, sameName(twin));
    const before = twice?.answer === 'same' ? twin : found;
    const getsPost = before !== undefined && before.designationId === null && before.lastDay === '';
    const parsed = importedStaff.safeParse(before ? completed(typed, before) : typed);
    for (const [name, message] of Object.entries(parsed.error ? fieldErrors(parsed.error) : {}))
      messages[name] ??= message;
    const draft = { ...typed, ...parsed.data, email: plain(typed.email) || (before?.email ?? '') } as Draft;
    if (before ? !before.isKept : !reachesBranch(ctx.user, draft.branchId ?? null)) messages.branchId ??= otherBranch;
    const left = before && leftFor(draft, cells, before, today);
    const question = same ?? twice ?? (before && left && answered(plan, line, comeBack(before, left)));
    if (twice && twice.answer === undefined) messages[twice.field] ??= twice.text;
    const rejoins = question?.answer === 'rejoin';
    if (before && rejoins) Object.assign(messages, refusedReturn(ctx, draft, cells, before), messages);
    else if (before) Object.assign(messages, refusedChanges(draft, cells, before, left), messages);
    else if (same) messages[same.field] ??= text`Someone with an account has this. Answer the question of the row.`;
    for (const [name, value] of Object.entries({ mobile: draft.mobile, email: draft.email, employeeNumber: number })) {
      if (!value) continue;
      const key = `${name} ${value}`;
      const earlier = seen.get(key);
      if (earlier) messages[name] ??= twiceMessage(earlier);
      else seen.set(key, line);
    }
    const displayName = String(cells.name ?? '').slice(0, 120);
    const row = {
      line,
      displayName,
      draft,
      before,
      stored: { ...typed, ...parsed.data },
      rejoins,
      takesNumber,
      getsPost,
      ...(question && { question }),
    };
    if (Object.keys(messages).length > 0) return { ...row, status: 'wrong', messages };
    const isSame = before && changeable.every((name) => draft[name] === before[name]);
    const isMore = rejoins || takesNumber || getsPost;
    const status = !before ? 'added' : isSame && !isMore ? 'same' : 'changed';
    return { ...row, status, isBeyondUndo: rejoins || getsPost, messages };
  });
}

const plain = (value: unknown) => sameText(String(value ?? ''));

const indexOf = (people: Known[], name: 'employeeNumber' | 'mobile' | 'email') =>
  new Map(people.flatMap((person) => (person[name] ? [[plain(person[name]), person] as const] : [])));

/** The row with the person's own values where its cells are empty. */
const completed = (typed: Record<string, unknown>, before: Known) => ({
  ...typed,
  ...Object.fromEntries(
    [...changeable, ...postNames, 'employeeNumber' as const, 'joinedOn' as const]
      .filter((name) => typed[name] === '')
      .map((name) => [name, before[name] ?? '']),
  ),
});

const keptNames = ({ hasAccount }: Known) => (hasAccount ? (['mobile', 'email'] as const) : []);
const changedOf = (draft: Draft, cells: Record<string, string>, before: Known) =>
  [...(before.designationId === null ? [] : [...postNames, 'joinedOn' as const]), ...keptNames(before)].filter(
    (name) => cells[name] && draft[name] !== before[name],
  );

/** The field by which a row takes a person who has left for a new colleague, or lets them return. */
function leftFor(draft: Draft, cells: Record<string, string>, before: Known, today: string) {
  if (!before.isKept || before.lastDay === '' || before.lastDay >= today) return undefined;
  // Without the number of their record the row is taken for a new colleague, and with another joining date for a return.
  if (cells.employeeNumber) return changedOf(draft, cells, before).find((name) => name === 'joinedOn');
  return cells.mobile && normalMobile(cells.mobile) === before.mobile ? 'mobile' : 'email';
}

/** Whether a row with another number may be about this person: who was added with an account has no post yet. */
const isNumbered = ({ isKept, hasAccount, designationId, lastDay }: Known, today: string) =>
  isKept && hasAccount && designationId === null && (lastDay === '' || lastDay >= today);

const samePerson = (before: Known, cells: Record<string, string>) => ({
  kind: 'number',
  field: cells.mobile && normalMobile(cells.mobile) === before.mobile ? 'mobile' : 'email',
  text: text`${{ name: before.name }} (${{ number: before.employeeNumber }}) has this.`,
  choices: [{ key: 'same', label: text`The same person` }],
});

/** A row with the name and birth date of a person, and other contacts: the same person only if the row may change that one. */
const sameName = (person: Known) => ({
  kind: 'name',
  field: 'name',
  text: text`${{ name: person.name }} (${{ number: person.employeeNumber }}) has this name and birth date.`,
  choices: [
    ...(person.isKept && person.lastDay === '' ? [{ key: 'same', label: text`The same person` }] : []),
    { key: 'other', label: text`Another person` },
  ],
});

/** Another person can't have the contact, so that the other answer is a corrected cell. */
const comeBack = (before: Known, field: string) => ({
  kind: 'colleague',
  field,
  text: text`${{ name: before.name }} (${{ number: before.employeeNumber }}) left on ${{ day: showDate(before.lastDay) }} and has this.`,
  choices: [{ key: 'rejoin', label: text`They come back` }],
});

/** Refuses what a file would change beyond the person: the record does that, from a day on. */
function refusedChanges(
  draft: Draft,
  cells: Record<string, string>,
  before: Known,
  left: string | undefined,
): FieldErrors {
  if (left) return { [left]: leftWithThis({ ...before, number: before.employeeNumber }) };
  return Object.fromEntries(changedOf(draft, cells, before).map((name) => [name, notChanged]));
}

/** Refuses a return that the record would refuse; an empty cell of the post means the last one. */
function refusedReturn(ctx: UserContext, draft: Draft, cells: Record<string, string>, before: Known): FieldErrors {
  const isEarly = draft.joinedOn <= before.lastDay;
  return {
    ...(isEarly && { joinedOn: afterLastDay(before.lastDay) }),
    ...(!reachesBranch(ctx.user, draft.branchId ?? null) && { branchId: otherBranch }),
    ...Object.fromEntries(
      keptNames(before).flatMap((name) =>
        cells[name] && draft[name] !== before[name] ? [[name, notChanged] as const] : [],
      ),
    ),
  };
}

/** Everybody, with the latest spell of employment and the latest post. */
async function readStaff({ db, user, now }: UserContext) {
  const rows = await db
    .selectFrom('staff')
    .leftJoin('sign_in_account as account', 'account.staff_id', 'staff.id')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('staff_employment')
          .whereRef('staff_id', '=', 'staff.id')
          .select(['joined_on', 'last_day'])
          .orderBy('joined_on', 'desc')
          .limit(1)
          .as('spell'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('staff_post')
          .whereRef('staff_id', '=', 'staff.id')
          .select(columnsOf(importedPost))
          .orderBy('effective_from', 'desc')
          .limit(1)
          .as('post'),
      (join) => join.onTrue(),
    )
    .select(['staff.id', 'staff.version', 'spell.joined_on', 'spell.last_day', 'account.id as account_id'])
    .select([...columnsIn('staff', known), ...columnsIn('post', importedPost)])
    .select(isKept(user, toLocalDate(now())).as('isKept'))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    ...toWire(known, row),
    ...toWire(importedPost, row),
    joinedOn: row.joined_on ?? '',
    lastDay: row.last_day ?? '',
    hasAccount: row.account_id !== null,
    isKept: row.isKept,
  }));
}

async function write(ctx: UserContext, lines: Line[]) {
  const { db } = ctx;
  const added = lines.filter(({ before }) => !before);
  const numberOf = await numbersFor(
    ctx,
    added.filter(({ draft }) => draft.employeeNumber === ''),
    lines.map(({ draft }) => draft.employeeNumber),
  );
  if (added.length > 0) {
    const rows = added.map((line) => ({
      ...rowOf(line.draft),
      employee_number: line.draft.employeeNumber || (numberOf.get(line) ?? ''),
    }));
    await insertRows(db, 'staff', rows);
    const made = await db
      .selectFrom('staff')
      .where('employee_number', '=', sql<string>`any(${rows.map(({ employee_number }) => employee_number)}::text[])`)
      .select(['id', 'employee_number'])
      .execute();
    const idOf = new Map(made.map(({ id, employee_number }) => [employee_number, id]));
    for (const [index, line] of added.entries()) line.id = idOf.get(rows[index]?.employee_number ?? '') ?? 0;
    await insertRows(
      db,
      'staff_employment',
      added.map(({ id = 0, draft }) => ({ staff_id: id, joined_on: draft.joinedOn })),
    );
    await insertRows(
      db,
      'staff_post',
      added.map(({ id = 0, draft }) => ({
        staff_id: id,
        effective_from: draft.joinedOn,
        ...toRow(postFields, pick(draft, ...namesOf(postFields))),
      })),
    );
  }
  const changed = lines.flatMap(({ before, draft }) => (before ? [{ id: before.id, ...rowOf(draft) }] : []));
  for (const line of lines) line.id ??= line.before?.id;
  await updateRows(db, 'staff', changed);
  await startPosts(ctx, lines);
  for (const { before, draft, rejoins } of lines)
    if (before && rejoins)
      await startAgain(ctx, before.id, draft.joinedOn, { ...pick(draft, ...namesOf(importedPost)), reportsToId: null });
}

/** Gives those who were added with an account their number, their day and their first post. */
async function startPosts({ db }: UserContext, lines: readonly Line[]) {
  const numbered = lines.flatMap(({ before, draft, takesNumber }) =>
    before && takesNumber ? [{ id: before.id, employee_number: draft.employeeNumber }] : [],
  );
  await updateRows(db, 'staff', numbered);
  const posted = lines.flatMap(({ before, draft, getsPost }) => (before && getsPost ? [{ id: before.id, draft }] : []));
  for (const { id, draft } of posted)
    await db
      .updateTable('staff_employment')
      .set({ joined_on: draft.joinedOn })
      .where('staff_id', '=', id)
      .where('last_day', 'is', null)
      .execute();
  await insertRows(
    db,
    'staff_post',
    posted.map(({ id, draft }) => ({
      staff_id: id,
      effective_from: draft.joinedOn,
      ...toRow(postFields, pick(draft, ...namesOf(postFields))),
    })),
  );
}

/** Employee numbers for lines without one, each from the series of its branch, but none of those given in the file. */
async function numbersFor(
  ctx: UserContext,
  lines: readonly Line[],
  given: readonly string[],
): Promise<Map<Line, string>> {
  const years = await yearNames(ctx);
  const numberOf = new Map<Line, string>();
  if (lines.length === 0) return numberOf;
  const stored = await ctx.db.selectFrom('staff').select('employee_number').execute();
  const taken = new Set([...stored.map((row) => row.employee_number ?? ''), ...given].map(sameText));
  // By number, so that two imports lock the series in the same order.
  const branches = [...new Set(lines.map(({ draft }) => draft.branchId ?? 0))].sort((left, right) => left - right);
  for (const branchId of branches) {
    const ofBranch = lines.filter(({ draft }) => (draft.branchId ?? 0) === branchId);
    const free: string[] = [];
    // A number that was entered by hand may be ahead of the series; each further draw replaces those.
    while (free.length < ofBranch.length) {
      const drawn = await drawNumbers(ctx.db, { code: 'staff', branchId }, years, ofBranch.length - free.length);
      free.push(...drawn.map(({ number }) => number).filter((number) => !taken.has(sameText(number))));
    }
    for (const [index, line] of ofBranch.entries()) numberOf.set(line, free[index] ?? '');
  }
  return numberOf;
}

const rowOf = (draft: Draft) => toRow(importedPerson, pick(draft, ...changeable));

export const importRoutes = routes(staffImportApi, importHandlers(target, importAll));
