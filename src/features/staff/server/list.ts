import { type Expression, sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { recordListRoutes } from '#kit/server/list/record-list.ts';
import { pictureOf } from '../api.ts';
import { type signInStates, staffList } from '../contract/list.ts';
import type { staffStatuses } from '../contract/record.ts';

/** Accounts whose owner has signed in at least once. The audit log is never shortened. */
const hasSignedIn = sql<boolean>`exists (select from audit
  where entity = 'sign_in_account' and action = 'sign-in.signed-in' and entity_id = account.id)`;

const signInState = sql<(typeof signInStates)[number]>`case when account.id is null then 'No account'
  when not account.is_active then 'Suspended' when ${hasSignedIn} then 'Signs in' else 'Never signed in' end`;

/** True of a person's dated row of the day, or else their next one, or else the last one. */
const isOfDay = (
  day: string,
  alias: string,
  { table, from, until }: { table: string; from: string; until: string },
) => {
  const own = (column: string) => sql.ref(`${alias}.${column}`);
  const other = (column: string) => sql.ref(`other.${column}`);
  const isPast = (end: Expression<unknown>) => sql`coalesce(${end}, 'infinity') < ${day}`;
  return sql<boolean>`not exists (select from ${sql.table(table)} as other
    where ${other('staff_id')} = ${own('staff_id')} and case when ${isPast(own(until))}
      then ${other(from)} > ${own(from)}
      else ${other(from)} < ${own(from)} and not ${isPast(other(until))} end)`;
};

/** The staff with their spell and post of the day. Only those who keep the records see people who have left. */
const staffOf = ({ db, user }: UserContext, day: string) => {
  const isKeeper = user.role === 'Admin' || user.sets.includes('hr');
  return db
    .selectFrom('staff')
    .innerJoin('staff_employment as spell', (join) =>
      join
        .onRef('spell.staff_id', '=', 'staff.id')
        .on(isOfDay(day, 'spell', { table: 'staff_employment', from: 'joined_on', until: 'last_day' })),
    )
    .leftJoin('staff_post as post', (join) =>
      join
        .onRef('post.staff_id', '=', 'staff.id')
        .on(isOfDay(day, 'post', { table: 'staff_post', from: 'effective_from', until: 'effective_to' })),
    )
    .leftJoin('academic_designation as designation', 'designation.id', 'post.designation_id')
    .leftJoin('academic_department as department', 'department.id', 'post.department_id')
    .leftJoin('academic_branch as branch', 'branch.id', 'post.branch_id')
    .leftJoin('hris_staff_category as category', 'category.id', 'post.staff_category_id')
    .leftJoin('sign_in_account as account', 'account.staff_id', 'staff.id')
    .$if(!isKeeper, (query) => query.where(sql<boolean>`not ${hasLeft(day)}`))
    .select([
      'staff.id',
      'staff.name',
      'staff.employee_number',
      'staff.mobile',
      'staff.email',
      'staff.picture_id',
      'spell.joined_on',
      'designation.name as designation',
      'department.name as department',
      'branch.name as branch',
      'category.name as category',
      signInState.as('sign_in'),
      sql<(typeof staffStatuses)[number]>`case when ${hasLeft(day)} then 'Left'
        when ${joinsLater(day)} then 'Joining' else 'Active' end`.as('status'),
    ]);
};

const hasLeft = (day: string) => sql<boolean>`coalesce(spell.last_day < ${day}, false)`;
const joinsLater = (day: string) => sql<boolean>`spell.joined_on > ${day}`;

type Row = Awaited<ReturnType<ReturnType<typeof staffOf>['executeTakeFirstOrThrow']>>;

const toRow = (row: Row) => ({
  id: row.id,
  name: row.name,
  employeeNumber: row.employee_number,
  designation: row.designation ?? '',
  department: row.department ?? '',
  staffCategory: row.category ?? '',
  branch: row.branch ?? '',
  mobile: row.mobile ?? '',
  email: row.email ?? '',
  joinedOn: row.joined_on,
  signIn: row.sign_in,
  status: row.status,
  picture: pictureOf(row.picture_id),
});

export const staffListRoutes = recordListRoutes(staffList, (ctx) => {
  const day = toLocalDate(ctx.now());
  return {
    query: staffOf(ctx, day),
    id: 'staff.id',
    isPeople: true,
    // The expression of the index `staff_list_search`.
    matches: (pattern) => sql`(staff.name || ' ' || staff.employee_number || ' ' || coalesce(staff.mobile, '') || ' '
      || coalesce(staff.email, '')) ilike ${pattern}`,
    tabs: {
      active: sql`not ${hasLeft(day)} and not ${joinsLater(day)}`,
      joining: joinsLater(day),
      left: hasLeft(day),
      all: undefined,
    },
    filters: {
      departmentId: (id) => sql`post.department_id = ${Number(id)}`,
      designationId: (id) => sql`post.designation_id = ${Number(id)}`,
      branchId: (id) => sql`post.branch_id = ${Number(id)}`,
      staffCategoryId: (id) => sql`post.staff_category_id = ${Number(id)}`,
      employmentTypeId: (id) => sql`post.employment_type_id = ${Number(id)}`,
      signIn: (state) => sql`${signInState} = ${state}`,
    },
    sorts: {
      name: { by: sql`lower(staff.name)`, as: 'text' },
      employeeNumber: { by: sql`lower(staff.employee_number)`, as: 'text' },
      joinedOn: { by: sql`spell.joined_on`, as: 'date', id: 'spell.staff_id' },
    },
    toRow,
  };
});
