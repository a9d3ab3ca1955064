import { sql } from 'kysely';
import { endAccess } from '#features/sign-in/api.ts';
import { lastAdmin } from '#features/sign-in/contract/session.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toRow } from '#kit/server/database/row-map.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { goneMessage, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import { readLastSpell } from '../api.ts';
import { relieveHook } from '../contract/hooks.ts';
import { afterLastDay, hasLeft, leavingApi, onlyByAdmin, stillHere } from '../contract/leaving.ts';
import { postFields } from '../contract/record.ts';
import type { PostValues } from './employment.ts';
import { endLeading, readLed } from './leading.ts';
import { requireOwnBranch, seeKeptStaff } from './visible.ts';

/** Locks a person's record, so that acts on their employment run one after the other. */
async function lockPerson({ db }: UserContext, id: number) {
  return db.selectFrom('staff').where('id', '=', id).select('name').forUpdate().executeTakeFirstOrThrow(notFound);
}

/** Locks the years that a last day touches, before any person, as acts of the years do. */
const lockYears = ({ db }: UserContext, lastDay: string) =>
  db
    .selectFrom('academic_year')
    .where('status', '<>', 'Closed')
    .where('ends_on', '>=', lastDay)
    .select('id')
    .orderBy('id')
    .forShare()
    .execute();

const relieve: Handler<typeof leavingApi.relieve> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { id, lastDay, endsAccessNow, isOverridden } = input;
    await seeKeptStaff(ctx, id);
    await lockYears(ctx, lastDay);
    const { name } = await lockPerson(ctx, id);
    const today = toLocalDate(ctx.now());
    const spell = await endSpell(ctx, input);
    const posts = await endPosts(ctx, id, lastDay, spell.last_day);
    const others = (await ask(ctx, relieveHook, { staffId: id, lastDay })).map(({ output }) => output);
    const led = await readLed(ctx, id);
    await endLeading(ctx, today, id);
    const team = await endTeam(ctx, id, lastDay);
    const endsOn = endsAccessNow && lastDay >= today ? addDays(today, -1) : lastDay;
    const account = await endAccess(ctx, id, endsOn);
    if (account?.isAdmin && ctx.user.role !== 'Admin') throw new AppError('forbidden', onlyByAdmin);

    const day = showDate(lastDay);
    const uncovered = others.flatMap(({ blocks }) => blocks);
    const blocks = [...(isOverridden ? [] : uncovered), ...(account?.isLastAdmin ? [lastAdmin] : [])];
    const ends: Text[] = [
      ...posts,
      ...others.flatMap(({ ends }) => ends),
      ...(isOverridden ? uncovered : []),
      ...led.map(({ kind, name }) =>
        kind === 'academic_house'
          ? text`House master of ${{ name }} until ${{ day }}`
          : text`Head of ${{ name }} until ${{ day }}`,
      ),
      ...(team.length > 0
        ? [text`Report to ${{ name }} until ${{ day }}: ${{ people: team.map((row) => row.name).join(', ') }}`]
        : []),
      ...(account ? [accessWords(endsOn < today, day, account.devices)] : []),
    ];
    const versions = [
      others.map(({ basis }) => basis),
      led,
      team.map(({ id, version }) => [id, version]),
      account?.version ?? null,
    ];
    return {
      answer: { ends, blocks },
      basis: [input, today, spell.id, spell.version, ends, versions],
      isRefused: blocks.length > 0,
    };
  });

const accessWords = (isNow: boolean, day: string, devices: number) =>
  isNow
    ? text(
        {
          message:
            'The account: {devices, plural, =0 {no more sign-in from now} one {no more sign-in from now, and # device is signed out} other {no more sign-in from now, and # devices are signed out}}',
        },
        { devices },
      )
    : text`The account: signs in until ${{ day }}`;

interface Leaving {
  id: number;
  lastDay: string;
  separationReasonId: number | null;
  remark: string;
}

/** Sets the last day of the present spell of employment. Audited first: this row is the one that is reported. */
async function endSpell(ctx: UserContext, { id, lastDay, separationReasonId, remark }: Leaving) {
  const { db } = ctx;
  const reason = await db
    .selectFrom('hris_separation_reason')
    .where('id', '=', separationReasonId)
    .where('is_active', '=', true)
    .select('name')
    .executeTakeFirst();
  if (!reason) throw fieldRefusal('separationReasonId', goneMessage);
  const spell = await readLastSpell(ctx, id);
  if (!spell || (spell.last_day !== null && spell.last_day < toLocalDate(ctx.now())))
    throw new AppError('conflict', hasLeft);
  if (lastDay < spell.joined_on)
    throw fieldRefusal('lastDay', text`Enter a day on or after ${{ day: showDate(spell.joined_on) }}, the first day.`);
  await db
    .updateTable('staff_employment')
    .set({ last_day: lastDay, separation_reason_id: separationReasonId, remark, version: sql`version + 1` })
    .where('id', '=', spell.id)
    .execute();
  const details = { 'Last day': lastDay, Reason: reason.name, ...(remark && { Remark: remark }) };
  await audit(ctx, { action: 'staff.relieved', entity: 'staff', entityId: id, details });
  return spell;
}

/** Ends the post of the last day, also where it ended with an earlier last day, and removes planned ones. */
async function endPosts({ db }: UserContext, staffId: number, lastDay: string, lastDayBefore: string | null) {
  await db.deleteFrom('staff_post').where('staff_id', '=', staffId).where('effective_from', '>', lastDay).execute();
  const ended = await db
    .updateTable('staff_post')
    .from('academic_designation as designation')
    .whereRef('designation.id', '=', 'staff_post.designation_id')
    .where('staff_id', '=', staffId)
    .where(
      sql<boolean>`(coalesce(effective_to, 'infinity') > ${lastDay}::date or effective_to = ${lastDayBefore}::date)`,
    )
    .set({ effective_to: lastDay, version: sql`staff_post.version + 1` })
    .returning('designation.name')
    .execute();
  return ended.map(({ name }) => text`${{ name }} until ${{ day: showDate(lastDay) }}`);
}

/** Ends the reporting line of a leaver’s team from the next day on. */
async function endTeam(ctx: UserContext, staffId: number, lastDay: string) {
  const { db } = ctx;
  const nextDay = addDays(lastDay, 1);
  const rows = await db
    .selectFrom('staff_post as post')
    .innerJoin('staff', 'staff.id', 'post.staff_id')
    .where('post.reports_to_id', '=', staffId)
    .where(sql<boolean>`coalesce(post.effective_to, 'infinity') > ${lastDay}::date`)
    .selectAll('post')
    .select('staff.name')
    .orderBy('staff.name')
    .orderBy('post.id')
    .forUpdate('post')
    .execute();
  const changed = rows.filter(({ effective_from }) => effective_from <= lastDay);
  const idsOf = (posts: typeof rows) => posts.map(({ id }) => id);
  const planned = rows.filter(({ effective_from }) => effective_from > lastDay);
  await db
    .updateTable('staff_post')
    .set({ reports_to_id: null, version: sql`version + 1` })
    .where('id', '=', sql<number>`any(${idsOf(planned)}::integer[])`)
    .execute();
  await db
    .updateTable('staff_post')
    .set({ effective_to: lastDay, version: sql`version + 1` })
    .where('id', '=', sql<number>`any(${idsOf(changed)}::integer[])`)
    .execute();
  if (changed.length > 0)
    await db
      .insertInto('staff_post')
      .values(
        changed.map(({ id: _, version: __, name: ___, ...post }) => ({
          ...post,
          effective_from: nextDay,
          reports_to_id: null,
        })),
      )
      .execute();
  await auditEach(
    ctx,
    { action: 'staff.manager-left', entity: 'staff', details: { From: nextDay } },
    rows.map(({ staff_id }) => staff_id),
  );
  return rows;
}

const postRules = {
  table: 'staff_post',
  fields: {},
  constraintMessages: Object.fromEntries([
    ['staff_post_loop', { field: 'reportsToId', message: text`This person reports to them. Choose someone else.` }],
    ...[
      ['designation_id', 'designationId'],
      ['department_id', 'departmentId'],
      ['branch_id', 'branchId'],
      ['staff_category_id', 'staffCategoryId'],
      ['employment_type_id', 'employmentTypeId'],
      ['reports_to_id', 'reportsToId'],
    ].map(([column, field = '']) => [`staff_post_${column}_fkey`, { field, message: goneMessage }] as const),
  ]),
};

/** Re-joins a person: another spell of employment and a post. The account is unchanged. */
const rejoin: Handler<typeof leavingApi.rejoin> = async (ctx, { id, joinedOn, ...post }) => {
  await seeKeptStaff(ctx, id);
  requireOwnBranch(ctx.user, post.branchId);
  await startAgain(ctx, id, joinedOn, post);
  return {};
};

/** Adds a spell of employment with its post to the record of a person who has left. */
export async function startAgain(ctx: UserContext, id: number, joinedOn: string, post: PostValues) {
  await lockPerson(ctx, id);
  const spell = await readLastSpell(ctx, id);
  if (spell && spell.last_day === null) throw new AppError('conflict', stillHere);
  if (spell?.last_day && joinedOn <= spell.last_day) throw fieldRefusal('joinedOn', afterLastDay(spell.last_day));
  await withConstraintMessages(ctx, postRules, async () => {
    await ctx.db.insertInto('staff_employment').values({ staff_id: id, joined_on: joinedOn }).execute();
    await ctx.db
      .insertInto('staff_post')
      .values({
        staff_id: id,
        effective_from: joinedOn,
        ...toRow(postFields, post),
      })
      .execute();
  });
  await audit(ctx, { action: 'staff.rejoined', entity: 'staff', entityId: id, details: { 'Joining date': joinedOn } });
}

export const leavingRoutes = routes(leavingApi, { relieve, rejoin });
