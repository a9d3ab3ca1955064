import { sql } from 'kysely';
import { derivedRights } from '#access/server/derived-right.ts';
import { pictureOf } from '#access/server/picture.ts';
import { type Channel, endOldContact } from '#features/sign-in/api.ts';
import { AppError, problemMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { columnsIn, toRow, toWire } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { removeFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { removeAdded, wasAddedToday } from '#kit/server/record/added.ts';
import { changedFields, changesOf } from '#kit/server/record/changes.ts';
import { readFields } from '#kit/server/record/read-fields.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { refuseUnproved } from '#kit/server/security/session.ts';
import { addStaff } from '../api.ts';
import { personFields, staffRecordApi } from '../contract/record.ts';
import { addPost, changesOfPost, employment, readPosts, savePost } from './employment.ts';
import { ownDataOf } from './own-data.ts';
import { refuseReturning, staffMessages } from './returning.ts';
import { isPostOfDay } from './standing.ts';
import { requireOwnBranch, seeKeptStaff, seeStaff } from './visible.ts';

const ownContact = text`Change your own on your page, where a code confirms it.`;
const adminContact = text`Only an Admin can change this of an Admin.`;
const grantedContact = text`Ask an Admin, or let them change it on their own page: they have permissions.`;

const create: Handler<typeof staffRecordApi.create> = async (
  ctx,
  { name, mobile, email, gender, joinedOn, employeeNumber, ...post },
) => {
  requireOwnBranch(ctx.user, post.branchId);
  await refuseReturning(ctx, { mobile, email: email.toLowerCase() });
  const id = await withConstraintMessages(ctx, staffMessages, () =>
    addStaff(ctx, {
      name,
      gender,
      mobile: mobile || null,
      email: email.toLowerCase() || null,
      joinedOn,
      branchId: post.branchId,
      ...(employeeNumber && { employeeNumber }),
    }),
  );
  await addPost(ctx, id, { from: joinedOn, until: null }, post);
  const { version, person } = await lockPerson(ctx, id);
  const [first] = await readPosts(ctx, id);
  await audit(ctx, {
    action: 'staff.created',
    entity: 'staff',
    entityId: id,
    version,
    details: {
      ...changesOf(personFields, undefined, person),
      'Joining date': joinedOn,
      ...(first && changesOfPost(undefined, first)),
    },
  });
  return { id, version };
};

const columns = columnsIn('staff', personFields);

const read: Handler<typeof staffRecordApi.read> = async (ctx, { id }) => {
  const seen = await seeStaff(ctx, id);
  const today = toLocalDate(ctx.now());
  const row = await ctx.db
    .selectFrom('staff')
    .leftJoin('staff_post as post', (join) => join.onRef('post.staff_id', '=', 'staff.id').on(isPostOfDay(today)))
    .leftJoin('academic_designation as designation', 'designation.id', 'post.designation_id')
    .leftJoin('academic_department as department', 'department.id', 'post.department_id')
    .where('staff.id', '=', id)
    .select([
      ...columns,
      'staff.version',
      'staff.picture_id',
      'designation.name as designation',
      'department.name as department',
    ])
    .executeTakeFirstOrThrow();
  const isWhole = seen.isOwn || seen.isKept;
  return {
    id,
    version: row.version,
    card: {
      name: row.name,
      picture: pictureOf(row.picture_id),
      designation: row.designation ?? '',
      department: row.department ?? '',
      email: row.email ?? '',
    },
    isOwn: seen.isOwn,
    may: {
      update: seen.isKept,
      keepAccount: ctx.user.role === 'Admin',
      remove: seen.isKept && !seen.isOwn && (await wasAddedToday(ctx, { ...addedHere, id })),
    },
    status: isWhole ? seen.status : null,
    lastDay: isWhole ? seen.lastDay : '',
    person: isWhole ? toWire(personFields, row) : null,
  };
};

/** The person, locked until the transaction ends; throws `not_found`. */
async function lockPerson(ctx: Pick<Context, 'db'>, id: number) {
  const { version, saved } = await readFields(ctx, 'staff', personFields, id, { locks: true });
  return { version, person: saved };
}

const update: Handler<typeof staffRecordApi.update> = async (ctx, { id, version, ...entered }) => {
  await seeKeptStaff(ctx, id);
  const before = await lockPerson(ctx, id);
  requireVersion(before, version, { version: before.version, saved: before.person });
  const person = {
    ...entered,
    email: entered.email.toLowerCase(),
    panLast4: entered.panLast4.toUpperCase(),
  };
  const changed = changedFields(personFields, before.person, person);
  if (changed.length === 0) return { id, version };
  const channels = (['email', 'mobile'] as const).filter((channel) => changed.includes(channel));
  const account = await refuseContact(ctx, id, channels);
  await withConstraintMessages(ctx, staffMessages, () =>
    ctx.db
      .updateTable('staff')
      .set({ ...toRow(personFields, person), version: sql`version + 1` })
      .where('id', '=', id)
      .execute(),
  );
  if (account) {
    const old = channels.map((channel) => [channel, before.person[channel] || null]);
    await endOldContact(ctx, account, Object.fromEntries(old));
  }
  await audit(ctx, {
    action: 'staff.changed',
    entity: 'staff',
    entityId: id,
    version: version + 1,
    details: changesOf(personFields, before.person, person),
  });
  return { id, version: version + 1 };
};

/**
 * An account is signed in to by these addresses, so changing them needs a fresh proof of identity, and those of an account
 * with permissions an Admin. One's own needs a code (`sign-in/server/own-contact.ts`). Returns the account, if any.
 */
async function refuseContact(ctx: UserContext, staffId: number, channels: readonly Channel[]) {
  if (channels.length === 0) return undefined;
  const refusal = (message: typeof ownContact) => {
    const act = { action: 'contact.refused', entity: 'staff', entityId: staffId, result: 'refused' } as const;
    ctx.onRollback((db) => audit({ ...ctx, db }, { ...act, details: { channel: channels.join(' ') } }));
    return new AppError('invalid', problemMessage, {
      fields: Object.fromEntries(channels.map((name) => [name, message])),
    });
  };
  if (staffId === ctx.user.staffId) throw refusal(ownContact);
  const account = await ctx.db
    .selectFrom('sign_in_account')
    .where('staff_id', '=', staffId)
    .select(['id', 'is_admin', 'sets'])
    // Permissions that are granted at this moment come before this change or after it.
    .forUpdate()
    .executeTakeFirst();
  if (!account) return undefined;
  const isGranted = account.sets.length > 0 || (await derivedRights(ctx, [staffId])).has(staffId);
  if (ctx.user.role !== 'Admin') {
    if (account.is_admin) throw refusal(adminContact);
    if (isGranted) throw refusal(grantedContact);
  }
  refuseUnproved(ctx.user);
  return { id: account.id, isAdmin: account.is_admin, isGranted };
}

/** How the log says that a record was added. */
const addedHere = { entity: 'staff', action: 'staff.created' };

/** What hangs on a member of staff, as far as it has words of its own. */
const hanging = {
  sign_in_account: text`The account`,
  staff_post: text`Posts`,
  staff_employment: text`Spells of employment`,
  staff_document: text`Documents`,
  staff_qualification: text`Qualifications`,
  staff_experience: text`Work at other employers`,
  academic_section_teacher: text`Sections and subjects taught`,
  academic_department: text`Departments led`,
  guardian: text`Adults of students`,
};

const remove: Handler<typeof staffRecordApi.remove> = async (ctx, { id, version }) => {
  await seeKeptStaff(ctx, id);
  const { version: stored, person } = await lockPerson(ctx, id);
  requireVersion({ version: stored }, version, { version: stored, saved: person });
  const { picture_id } = await ctx.db
    .selectFrom('staff')
    .where('id', '=', id)
    .select('picture_id')
    .executeTakeFirstOrThrow();
  const parts = ['staff_post', 'staff_employment'] as const;
  const blocks = await removeAdded(ctx, { table: 'staff', id, parts, words: hanging }, async () => {
    for (const table of parts) await ctx.db.deleteFrom(table).where('staff_id', '=', id).execute();
  });
  if (blocks.length > 0) return { blocks };
  await removeFile(ctx, picture_id);
  await audit(ctx, {
    action: 'staff.removed',
    entity: 'staff',
    entityId: id,
    details: { Name: person.name, 'Employee number': person.employeeNumber },
  });
  return { blocks };
};

const ownData: Handler<typeof staffRecordApi.ownData> = async (ctx) => {
  const { saved } = await readFields(ctx, 'staff', personFields, ctx.user.staffId);
  await audit(ctx, { action: 'staff.own-data-saved', entity: 'staff', entityId: ctx.user.staffId });
  return ownDataOf(ctx, saved);
};

const history: Handler<typeof staffRecordApi.history> = async (ctx, { id, before }) => {
  await seeKeptStaff(ctx, id);
  return readHistory(ctx, 'staff', { id, before });
};

export const recordRoutes = routes(staffRecordApi, {
  create,
  read,
  update,
  remove,
  history,
  employment,
  ownData,
  savePost,
});
