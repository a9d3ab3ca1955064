import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, problemMessage } from '#kit/contract/errors.ts';
import { inactiveMessage, namesOf, omit, pick, type Stored } from '#kit/contract/field.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { columnsIn, toOutput, toRow, toWire } from '#kit/server/database/row-map.ts';
import { addDays } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { inactiveAmong } from '#kit/server/master/choices.ts';
import { goneMessage, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { nothing } from '#kit/server/record/changes.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { postChanged } from '../contract/hooks.ts';
import { postFields, type StaffPost, type StaffSpell, spell, type staffRecordApi } from '../contract/record.ts';
import { requireOwnBranch, seeKeptStaff, seeWholeStaff } from './visible.ts';

/** What a person works as; null where the form has refused a missing choice. */
export type PostValues = Stored<typeof postFields>;

const beforeJoining = (day: string) =>
  text`The person joins on ${{ day: showDate(day) }}. Enter that day or a later one.`;
const afterLeaving = (day: string) =>
  text`The last day of work is ${{ day: showDate(day) }}. Enter that day or an earlier one.`;
const loop = text`Choose a person who does not report to this staff member.`;
const notEmployed = text`This person will have left by then. Choose another one.`;

const constraintMessages: Record<string, { field: string; message: Text }> = {
  staff_post_loop: { field: 'reportsToId', message: loop },
  staff_post_designation_id_fkey: { field: 'designationId', message: goneMessage },
  staff_post_department_id_fkey: { field: 'departmentId', message: goneMessage },
  staff_post_branch_id_fkey: { field: 'branchId', message: goneMessage },
  staff_post_staff_category_id_fkey: { field: 'staffCategoryId', message: goneMessage },
  staff_post_employment_type_id_fkey: { field: 'employmentTypeId', message: goneMessage },
  staff_post_reports_to_id_fkey: { field: 'reportsToId', message: goneMessage },
};

const entries = omit(postFields, 'reportsToId');

/** Refuses inactive entries and managers who have left; what the person had before may stay. */
async function refuseInactive({ db }: Context, from: string, chosen: PostValues, before?: PostValues) {
  const changed = namesOf(entries).filter((name) => chosen[name] !== before?.[name]);
  const { rows } = await sql<{ name: string }>`${sql.join(
    [
      ...inactiveAmong({ fields: entries }, pick(chosen, ...changed)),
      sql`select 'reportsToId' as name from staff where id = ${chosen.reportsToId} and not exists
        (select from staff_employment where staff_id = staff.id and coalesce(last_day, 'infinity') >= ${from})`,
    ],
    sql` union all `,
  )}`.execute(db);
  if (rows.length === 0) return;
  const fields = rows.map(({ name }) => [name, name === 'reportsToId' ? notEmployed : inactiveMessage] as const);
  throw new AppError('invalid', problemMessage, { fields: Object.fromEntries(fields) });
}

interface Span {
  from: string;
  /** Null without an end. */
  until: string | null;
}

/** Adds a post. The caller has made room for it; a refusal stands at its field. */
export async function addPost(
  ctx: Context,
  staffId: number,
  { from, until }: Span,
  post: PostValues,
  before?: PostValues,
) {
  await refuseInactive(ctx, from, post, before);
  await withConstraintMessages(ctx, { table: 'staff_post', fields: {}, constraintMessages }, () =>
    ctx.db
      .insertInto('staff_post')
      .values({
        staff_id: staffId,
        effective_from: from,
        effective_to: until,
        ...toRow(postFields, pick(post, ...namesOf(postFields))),
      })
      .execute(),
  );
}

/** The posts of a person, the latest first. */
export async function readPosts({ db }: Pick<Context, 'db'>, staffId: number): Promise<StaffPost[]> {
  const rows = await db
    .selectFrom('staff_post as post')
    .innerJoin('academic_designation as designation', 'designation.id', 'post.designation_id')
    .innerJoin('academic_department as department', 'department.id', 'post.department_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'post.branch_id')
    .leftJoin('hris_staff_category as category', 'category.id', 'post.staff_category_id')
    .leftJoin('hris_employment_type as type', 'type.id', 'post.employment_type_id')
    .leftJoin('staff as manager', 'manager.id', 'post.reports_to_id')
    .where('post.staff_id', '=', staffId)
    .select([
      'post.id',
      'post.effective_from',
      'post.effective_to',
      'designation.name as designation',
      'department.name as department',
      'branch.name as branch',
      'category.name as category',
      'type.name as type',
      'manager.name as manager',
      ...columnsIn('post', postFields),
    ])
    .orderBy('post.effective_from', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    from: row.effective_from,
    until: row.effective_to ?? '',
    designation: row.designation,
    department: row.department,
    branch: row.branch,
    staffCategory: row.category ?? '',
    employmentType: row.type ?? '',
    reportsTo: row.reports_to_id === null ? null : { id: row.reports_to_id, name: row.manager ?? '' },
    values: toWire(postFields, row),
  }));
}

/** The spells of employment of a person, the latest first. */
export async function readSpells({ db }: Pick<Context, 'db'>, staffId: number): Promise<StaffSpell[]> {
  const rows = await db
    .selectFrom('staff_employment as spell')
    .leftJoin('hris_separation_reason as reason', 'reason.id', 'spell.separation_reason_id')
    .where('spell.staff_id', '=', staffId)
    .select([
      'spell.id',
      'spell.joined_on',
      'spell.last_day',
      'spell.probation_ends_on',
      'spell.confirmed_on',
      'reason.name as separation_reason',
      'spell.remark',
    ])
    .orderBy('spell.joined_on', 'desc')
    .execute();
  return rows.map((row) => toOutput(spell, row, {}));
}

export const employment: Handler<typeof staffRecordApi.employment> = async (ctx, { id }) => {
  await seeWholeStaff(ctx, id);
  return { posts: await readPosts(ctx, id), spells: await readSpells(ctx, id) };
};

/** The spell that a day belongs to; refuses days before joining and after the last day. */
async function findSpell({ db }: Context, staffId: number, day: string) {
  const spells = await db
    .selectFrom('staff_employment')
    .where('staff_id', '=', staffId)
    .select(['joined_on', 'last_day'])
    .orderBy('joined_on')
    .execute();
  const found = spells.find(({ joined_on, last_day }) => joined_on <= day && (last_day === null || last_day >= day));
  if (found) return found;
  const next = spells.find(({ joined_on }) => joined_on > day);
  if (next) throw fieldRefusal('from', beforeJoining(next.joined_on));
  throw fieldRefusal('from', afterLeaving(spells.at(-1)?.last_day ?? day));
}

export const savePost: Handler<typeof staffRecordApi.savePost> = async (ctx, { id, version, from, ...post }) => {
  await seeKeptStaff(ctx, id);
  requireOwnBranch(ctx.user, post.branchId);
  const { db } = ctx;
  const person = await db
    .selectFrom('staff')
    .where('id', '=', id)
    .select('version')
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  requireVersion(person, version, { version: person.version });
  const spell = await findSpell(ctx, id, from);
  const posts = await readPosts(ctx, id);
  const before = posts.find((other) => other.from <= from && (other.until === '' || other.until >= from));
  const next = posts.findLast((other) => other.from > from);
  await db.deleteFrom('staff_post').where('staff_id', '=', id).where('effective_from', '=', from).execute();
  await db
    .updateTable('staff_post')
    .set({ effective_to: addDays(from, -1), version: sql`version + 1` })
    .where('staff_id', '=', id)
    .where('effective_from', '<', from)
    .where((row) => row.or([row('effective_to', 'is', null), row('effective_to', '>=', from)]))
    .execute();
  const ends = [next && addDays(next.from, -1), spell.last_day].filter((day): day is string => Boolean(day)).sort();
  await addPost(ctx, id, { from, until: ends[0] ?? null }, post, before?.values);
  await db.updateTable('staff').set({ version: sql`version + 1` }).where('id', '=', id).execute();
  await ask(ctx, postChanged, { staffId: id, from });
  const after = (await readPosts(ctx, id)).find((other) => other.from === from);
  await audit(ctx, {
    action: 'staff.post-changed',
    entity: 'staff',
    entityId: id,
    version: version + 1,
    details: { From: from, ...(after && changesOfPost(before, after)) },
  });
  return {};
};

/** What a post changes of the one before it, by label. */
export function changesOfPost(before: StaffPost | undefined, after: StaffPost): Record<string, string> {
  const shown = (post: StaffPost | undefined, name: keyof PostValues) => {
    const value = post?.[name.replace(/Id$/, '') as 'designation' | 'reportsTo'] ?? '';
    return (typeof value === 'string' ? value : value.name) || nothing;
  };
  return Object.fromEntries(
    namesOf(postFields)
      .map((name) => [english(postFields[name].label), shown(before, name), shown(after, name)] as const)
      .filter(([, was, is]) => was !== is)
      .map(([label, was, is]) => [label, before ? `${was} → ${is}` : is]),
  );
}
