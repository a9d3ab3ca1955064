import { type RawBuilder, sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { staffReaders } from '#access/contract/grants.ts';
import { pictureOf } from '#access/server/picture.ts';
import { inScope } from '#access/server/scope.ts';
import { hasSignedIn } from '#features/sign-in/api.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { conditionOf, listSource, serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { type signInStates, staffList } from '../contract/list.ts';
import { countDue, hasKeptDocuments, isDue, openDocuments } from './due-document.ts';
import { hasLeft, isPostOfDay, isSpellOfDay, joinsLater, statusOn } from './standing.ts';
import { sectionsTaught } from './taught.ts';
import { branchOn, isKept, isVisible } from './visible.ts';

const signInState = sql<(typeof signInStates)[number]>`case when account.id is null then 'No account'
  when not account.is_active then 'Suspended' when ${hasSignedIn} then 'Signs in' else 'Never signed in' end`;

/** The staff of these whom this user sees, with their spell and post of the day: by default those of the staff list. */
export const staffOf = (
  { db, user }: UserContext,
  day: string,
  seen = sql<boolean>`(${isVisible(user, day)} and ${inScope(user, staffReaders, { branch: branchOn(day) })})`,
) =>
  db
    .selectFrom('staff')
    .innerJoin('staff_employment as spell', (join) =>
      join.onRef('spell.staff_id', '=', 'staff.id').on(isSpellOfDay(day)),
    )
    .leftJoin('sign_in_account as account', 'account.staff_id', 'staff.id')
    .where(seen)
    .select((from) => [
      'staff.id',
      'staff.name',
      'staff.employee_number',
      'staff.mobile',
      'staff.picture_id',
      'spell.joined_on',
      signInState.as('sign_in'),
      statusOn(day).as('status'),
      jsonObjectFrom(
        from
          .selectFrom('staff_post as post')
          .innerJoin('academic_designation as designation', 'designation.id', 'post.designation_id')
          .innerJoin('academic_department as department', 'department.id', 'post.department_id')
          .innerJoin('academic_branch as branch', 'branch.id', 'post.branch_id')
          .leftJoin('hris_staff_category as category', 'category.id', 'post.staff_category_id')
          .leftJoin('hris_employment_type as type', 'type.id', 'post.employment_type_id')
          .whereRef('post.staff_id', '=', 'staff.id')
          .where(isPostOfDay(day))
          .select([
            'designation.name as designation',
            'department.name as department',
            'branch.name as branch',
            'category.name as category',
            'type.name as type',
          ]),
      ).as('post'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof staffOf>['executeTakeFirstOrThrow']>>;

const toRow = (row: Row) => ({
  id: row.id,
  designation: row.post?.designation ?? '',
  department: row.post?.department ?? '',
  staffCategory: row.post?.category ?? '',
  employmentType: row.post?.type ?? '',
  branch: row.post?.branch ?? '',
  joinedOn: row.joined_on,
  signIn: row.sign_in,
  status: row.status,
  picture: pictureOf(row.picture_id),
});

/** True in a query of `staff` of those who are away today, or in one half of it, as another feature knows. */
const isAway = (ctx: UserContext, half: '1' | '2' | '' = '') =>
  conditionOf(ctx, { list: staffList.name, filter: 'away' }, sql<number>`staff.id` as never, half);

type Away = OutputOf<typeof staffList.api.list>['rows'][number]['away'];

/** How those of some people are away who are away today. */
async function awayAmong(ctx: UserContext, ids: readonly number[]): Promise<Map<number, Away>> {
  const { rows } = await sql<{ id: number; away: Away }>`select id, case when first and second then 'Day'
      when first then 'First half' else 'Second half' end as away
    from (select staff.id, ${isAway(ctx, '1')} as first, ${isAway(ctx, '2')} as second from staff
      where staff.id = any(${[...ids]}::integer[])) as own where first or second`.execute(ctx.db);
  return new Map(rows.map(({ id, away }) => [id, away]));
}

/** Where the people of a list come from: those of the staff list, or others that are seen. */
export const staffListSource = (ctx: UserContext, seen?: RawBuilder<boolean>) => {
  const day = toLocalDate(ctx.now());
  const hasPost = (what: RawBuilder<unknown>) =>
    sql<boolean>`staff.id in (select staff_id from staff_post as post where ${what} and ${isPostOfDay(day)})`;
  // Not a bare `in`, which PostgreSQL would join: the documents are read once and hashed.
  const hasDocument = (what: RawBuilder<boolean>) =>
    sql<boolean>`(${hasKeptDocuments(ctx.user, day)}
      and coalesce(staff.id in (select staff_id from ${openDocuments(day)} as open where ${what}), false))`;
  return listSource(staffList, {
    query: staffOf(ctx, day, seen),
    id: 'staff.id',
    isPeople: true,
    record: { alias: 'staff', sees: () => isKept(ctx.user, day) },
    matches: (word) => sql`(${containsName('staff', word)}
      or lower(concat_ws(' ', staff.name, staff.employee_number, staff.mobile, staff.email)) like lower(${contains(word)}))`,
    tabs: {
      active: sql`not ${hasLeft(day)} and not ${joinsLater(day)}`,
      joining: joinsLater(day),
      due: hasDocument(isDue),
      left: hasLeft(day),
      all: undefined,
    },
    filters: {
      departmentId: (id) => hasPost(sql`department_id = ${Number(id)}`),
      designationId: (id) => hasPost(sql`designation_id = ${Number(id)}`),
      branchId: (id) => hasPost(sql`branch_id = ${Number(id)}`),
      staffCategoryId: (id) => hasPost(sql`staff_category_id = ${Number(id)}`),
      employmentTypeId: (id) => hasPost(sql`employment_type_id = ${Number(id)}`),
      signIn: (state) => sql`${signInState} = ${state}`,
      documents: (state) => hasDocument(sql`state = ${state}`),
      away: () => sql<boolean>`${isAway(ctx)}`,
    },
    sorts: {
      name: { by: sql`lower(staff.name)`, as: 'text' },
      employeeNumber: { by: sql`lower(staff.employee_number)`, as: 'text' },
      joinedOn: { by: sql`spell.joined_on`, as: 'date', id: 'spell.staff_id' },
    },
    toRows: async (rows: Row[]) => {
      const ids = rows.map(({ id }) => id);
      const [sections, due, away] = [
        await sectionsTaught(ctx, ids),
        await countDue(ctx, ids),
        await awayAmong(ctx, ids),
      ];
      return rows.map((row) => ({
        ...toRow(row),
        sections: sections.get(row.id) ?? [],
        documentsDue: due.get(row.id) ?? null,
        away: away.get(row.id) ?? ('' as const),
      }));
    },
  });
};

export const {
  routes: staffListRoutes,
  selected: staffSelected,
  figures: staffFigures,
  first: firstStaff,
} = serveList(staffList, (ctx) => staffListSource(ctx));
