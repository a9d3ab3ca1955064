import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { yearNames } from '#features/school/api.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { fieldErrors, normalMobile } from '#kit/contract/fields.ts';
import { type Named, refsOf } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { nextNumbers } from '#kit/server/database/numbering.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { type ImportLine, importRows, isWritten, mapRows, twiceMessage } from '#kit/server/import/import-rows.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { lookUpNames, readCell } from '#kit/server/master/cells.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { importedStaff, staffFile, staffImportApi } from '../contract/import.ts';
import { staffMessages } from './record.ts';
import { isKept, otherBranch, reachesBranch } from './visible.ts';

/** A row of the file as it is stored. */
type Draft = z.infer<typeof importedStaff>;

/** What a file changes of somebody who is there. */
const changeable = ['name', 'mobile', 'email', 'gender', 'birthDate'] as const;
const postNames = ['designationId', 'departmentId', 'branchId', 'staffCategoryId', 'employmentTypeId'] as const;

interface Line extends ImportLine {
  draft: Draft;
  /** The id of the row, once it is written. */
  id?: number;
}

type Known = Awaited<ReturnType<typeof readStaff>>[number];

const notChanged = text`An import can’t change this. Leave it empty.`;

const importAll = (ctx: UserContext, input: ParsedOf<typeof staffImportApi.import>) => {
  const table = namedRows(ctx.table());
  return importRows(ctx, {
    input,
    rules: staffMessages,
    lockTable: () => sql`lock table staff in share row exclusive mode`.execute(ctx.db),
    compare: () => compareRows(ctx, table),
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
async function compareRows(ctx: UserContext, table: TableRow[]): Promise<Line[]> {
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
  const seen = new Map<string, number>();
  return mapRows(table, ({ line, cells }) => {
    const messages: FieldErrors = {};
    const typed: Record<string, unknown> = { reportsToId: '' };
    for (const name of Object.keys(staffFile)) {
      const { value, problem } = readCell({ fields: staffFile }, name, cells[name] ?? '', names);
      typed[name] = value ?? '';
      if (problem) messages[name] = problem;
    }
    // A school with one branch does not write it in every row.
    if (!cells.branchId && branches.length === 1) typed.branchId = branches[0]?.id;
    const number = plain(typed.employeeNumber);
    const before = number
      ? find.number.get(number)
      : (find.mobile.get(normalMobile(String(typed.mobile))) ?? find.email.get(plain(typed.email)));
    const parsed = importedStaff.safeParse(before ? completed(typed, before) : typed);
    for (const [name, message] of Object.entries(parsed.error ? fieldErrors(parsed.error) : {}))
      messages[name] ??= message;
    const draft = { ...typed, ...parsed.data, email: plain(typed.email) || (before?.email ?? '') } as Draft;
    if (before ? !before.isKept : !reachesBranch(ctx.user, draft.branchId ?? null)) messages.branchId ??= otherBranch;
    if (before) Object.assign(messages, refusedChanges(draft, cells, before), messages);
    for (const [name, value] of Object.entries({ mobile: draft.mobile, email: draft.email, employeeNumber: number })) {
      if (!value) continue;
      const key = `${name} ${value}`;
      const twice = seen.get(key);
      if (twice) messages[name] ??= twiceMessage(twice);
      else seen.set(key, line);
    }
    const displayName = String(cells.name ?? '').slice(0, 120);
    const known = { line, displayName, draft, before };
    if (Object.keys(messages).length > 0) return { ...known, status: 'wrong', messages };
    const isSame = before && changeable.every((name) => draft[name] === before[name]);
    return { ...known, status: before ? (isSame ? 'same' : 'changed') : 'added', messages };
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

/** Refuses what a file would change beyond the person: the record does that, from a day on. */
function refusedChanges(draft: Draft, cells: Record<string, string>, before: Known): FieldErrors {
  const kept = [...postNames, 'joinedOn' as const, ...(before.hasAccount ? (['mobile', 'email'] as const) : [])];
  const changed = kept.filter((name) => cells[name] && draft[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, notChanged]));
}

/** Everybody, with the latest spell of employment and the latest post. */
async function readStaff({ db, user, now }: UserContext) {
  const { rows } = await sql<{
    id: number;
    version: number;
    name: string;
    employeeNumber: string;
    mobile: string;
    email: string;
    gender: string;
    birthDate: string;
    joinedOn: string;
    hasAccount: boolean;
    isKept: boolean;
    designationId: number | null;
    departmentId: number | null;
    branchId: number | null;
    staffCategoryId: number | null;
    employmentTypeId: number | null;
  }>`select staff.id, staff.version, staff.name, staff.employee_number as "employeeNumber",
      coalesce(staff.mobile, '') as mobile, coalesce(staff.email, '') as email, staff.gender,
      coalesce(staff.birth_date::text, '') as "birthDate", coalesce(spell.joined_on::text, '') as "joinedOn",
      account.id is not null as "hasAccount", ${isKept(user, toLocalDate(now()))} as "isKept", post.designation_id as "designationId",
      post.department_id as "departmentId", post.branch_id as "branchId", post.staff_category_id as "staffCategoryId",
      post.employment_type_id as "employmentTypeId"
    from staff
    left join sign_in_account account on account.staff_id = staff.id
    left join lateral (select joined_on from staff_employment where staff_id = staff.id
      order by joined_on desc limit 1) spell on true
    left join lateral (select * from staff_post where staff_id = staff.id
      order by effective_from desc limit 1) post on true`.execute(db);
  return rows;
}

async function write(ctx: UserContext, lines: Line[]) {
  const { db } = ctx;
  const added = lines.filter(({ before }) => !before);
  const numberOf = await drawNumbers(
    ctx,
    added.filter(({ draft }) => draft.employeeNumber === ''),
  );
  const rows = added.map((line) => ({ line, row: rowOf(line.draft, line.draft.employeeNumber || numberOf.get(line)) }));
  if (rows.length > 0) {
    const { rows: made } = await sql<{ id: number; number: string }>`
      insert into staff (name, mobile, email, gender, birth_date, employee_number)
      select name, mobile, email, gender, birth_date, employee_number
        from json_populate_recordset(null::staff, ${JSON.stringify(rows.map(({ row }) => row))}::json)
      returning id, employee_number as number`.execute(db);
    const idOf = new Map(made.map(({ id, number }) => [number, id]));
    for (const { line, row } of rows) line.id = idOf.get(row.employee_number) ?? 0;
    await insertRows(
      db,
      'staff_employment',
      rows.map(({ line: { id = 0, draft } }) => ({ staff_id: id, joined_on: draft.joinedOn })),
    );
    await insertRows(
      db,
      'staff_post',
      rows.map(({ line: { id = 0, draft } }) => ({
        staff_id: id,
        effective_from: draft.joinedOn,
        designation_id: draft.designationId ?? 0,
        department_id: draft.departmentId ?? 0,
        branch_id: draft.branchId ?? 0,
        staff_category_id: draft.staffCategoryId,
        employment_type_id: draft.employmentTypeId,
      })),
    );
  }
  const changed = lines.flatMap(({ before, draft }) => (before ? [{ id: before.id, ...rowOf(draft) }] : []));
  for (const line of lines) line.id ??= line.before?.id;
  if (changed.length > 0)
    await sql`update staff set name = new.name, mobile = new.mobile, email = new.email, gender = new.gender,
        birth_date = new.birth_date, version = staff.version + 1
      from json_populate_recordset(null::staff, ${JSON.stringify(changed)}::json) as new
      where staff.id = new.id`.execute(db);
}

/** Employee numbers for lines without one, each from the series of its branch. */
async function drawNumbers(ctx: UserContext, lines: readonly Line[]): Promise<Map<Line, string>> {
  const years = await yearNames(ctx);
  const numberOf = new Map<Line, string>();
  // By number, so that two imports lock the series in the same order.
  const branches = [...new Set(lines.map(({ draft }) => draft.branchId ?? 0))].sort((left, right) => left - right);
  for (const branchId of branches) {
    const ofBranch = lines.filter(({ draft }) => (draft.branchId ?? 0) === branchId);
    const numbers = await nextNumbers(ctx.db, { code: 'staff', branchId }, years, ofBranch.length);
    for (const [index, line] of ofBranch.entries()) numberOf.set(line, numbers[index] ?? '');
  }
  return numberOf;
}

const rowOf = (draft: Draft, number = '') => ({
  name: draft.name,
  mobile: draft.mobile || null,
  email: draft.email || null,
  gender: draft.gender,
  birth_date: draft.birthDate || null,
  employee_number: number,
});

export const importRoutes = routes(staffImportApi, importHandlers({ name: 'staff', fields: staffFile }, importAll));
