import { type Selectable, sql } from 'kysely';
import { pictureOf } from '#access/server/picture.ts';
import type { Staff } from '#database/types.ts';
import { derivedRights } from '#features/account/api.ts';
import { type Channel, endOldContact } from '#features/sign-in/api.ts';
import { AppError, notFoundMessage, problemMessage, staleMessage } from '#kit/contract/errors.ts';
import { takenMessage } from '#kit/contract/master.ts';
import { english, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { refuseUnproved } from '#kit/server/security/session.ts';
import { addStaff } from '../api.ts';
import { personLabels, personNames, type StaffPerson, staffRecordApi } from '../contract/record.ts';
import { addPost, changesOf, employment, readPosts, savePost } from './employment.ts';
import { ownDataOf } from './own-data.ts';
import { isPostOfDay } from './standing.ts';
import { requireOwnBranch, seeKeptStaff, seeStaff } from './visible.ts';

const ownContact = text`Change your own on your page, where a code confirms it.`;
const adminContact = text`Only an Admin can change this of an Admin.`;
const grantedContact = text`Ask an Admin, or let them change it on their own page: they have permissions.`;

export const staffMessages = {
  table: 'staff',
  fields: {},
  constraintMessages: {
    staff_email_key: { field: 'email', message: takenMessage },
    staff_mobile_key: { field: 'mobile', message: takenMessage },
    staff_employee_number_unique: { field: 'employeeNumber', message: takenMessage },
  },
};

const create: Handler<typeof staffRecordApi.create> = async (
  ctx,
  { name, mobile, email, gender, joinedOn, employeeNumber, ...post },
) => {
  requireOwnBranch(ctx.user, post.branchId);
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
      ...personChanges(undefined, person),
      'Joining date': joinedOn,
      ...(first && changesOf(undefined, first)),
    },
  });
  return { id, version };
};

const columns = [
  'staff.name',
  'staff.employee_number',
  'staff.mobile',
  'staff.email',
  'staff.gender',
  'staff.birth_date',
  'staff.blood_group',
  'staff.marital_status',
  'staff.personal_email',
  'staff.address',
  'staff.emergency_name',
  'staff.emergency_relation',
  'staff.emergency_mobile',
  'staff.aadhaar_last4',
  'staff.pan_last4',
] as const;

type Column = (typeof columns)[number] extends `staff.${infer Name}` ? Name : never;

const toPerson = (row: Pick<Selectable<Staff>, Column>): StaffPerson => ({
  name: row.name,
  employeeNumber: row.employee_number,
  mobile: row.mobile ?? '',
  email: row.email ?? '',
  gender: row.gender,
  birthDate: row.birth_date ?? '',
  bloodGroup: row.blood_group,
  maritalStatus: row.marital_status,
  personalEmail: row.personal_email,
  address: row.address,
  emergencyName: row.emergency_name,
  emergencyRelation: row.emergency_relation,
  emergencyMobile: row.emergency_mobile,
  aadhaarLast4: row.aadhaar_last4,
  panLast4: row.pan_last4,
});

const toRow = (person: StaffPerson) => ({
  name: person.name,
  employee_number: person.employeeNumber,
  mobile: person.mobile || null,
  email: person.email || null,
  gender: person.gender,
  birth_date: person.birthDate || null,
  blood_group: person.bloodGroup,
  marital_status: person.maritalStatus,
  personal_email: person.personalEmail,
  address: person.address,
  emergency_name: person.emergencyName,
  emergency_relation: person.emergencyRelation,
  emergency_mobile: person.emergencyMobile,
  aadhaar_last4: person.aadhaarLast4,
  pan_last4: person.panLast4,
});

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
    isKept: seen.isKept,
    isAccountKept: ctx.user.role === 'Admin',
    status: isWhole ? seen.status : null,
    lastDay: isWhole ? seen.lastDay : '',
    person: isWhole ? toPerson(row) : null,
  };
};

/** The person, locked until the transaction ends; throws `not_found`. */
async function lockPerson({ db }: Pick<Context, 'db'>, id: number) {
  const row = await db
    .selectFrom('staff')
    .where('id', '=', id)
    .select([...columns, 'version'])
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', notFoundMessage);
  return { version: row.version, person: toPerson(row) };
}

const update: Handler<typeof staffRecordApi.update> = async (ctx, { id, version, ...entered }) => {
  await seeKeptStaff(ctx, id);
  const before = await lockPerson(ctx, id);
  if (before.version !== version)
    throw new AppError('stale', staleMessage, { data: { version: before.version, saved: before.person } });
  const person = {
    ...entered,
    email: entered.email.toLowerCase(),
    panLast4: entered.panLast4.toUpperCase(),
  };
  const changed = personNames.filter((name) => person[name] !== before.person[name]);
  if (changed.length === 0) return { id, version };
  const channels = (['email', 'mobile'] as const).filter((channel) => changed.includes(channel));
  const account = await refuseContact(ctx, id, channels);
  await withConstraintMessages(ctx, staffMessages, () =>
    ctx.db
      .updateTable('staff')
      .set({ ...toRow(person), version: sql`version + 1` })
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
    details: personChanges(before.person, person),
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

/** The audit log never has these values. */
const unlogged: readonly (keyof StaffPerson)[] = ['aadhaarLast4', 'panLast4', 'bloodGroup'];

/** The history's words for an empty value, and for one that it does not show. */
const [nothing, hidden] = ['–', '••••'];

/** What changes of a person, by label; without `before` everything that is filled in. */
function personChanges(before: StaffPerson | undefined, after: StaffPerson): Record<string, string> {
  const shown = (person: StaffPerson | undefined, name: keyof StaffPerson) => {
    const value = person?.[name];
    if (!value) return nothing;
    return unlogged.includes(name) ? hidden : value;
  };
  return Object.fromEntries(
    personNames
      .filter((name) => (before?.[name] ?? '') !== after[name])
      .map((name) => [
        english(personLabels[name]),
        before ? `${shown(before, name)} → ${shown(after, name)}` : shown(after, name),
      ]),
  );
}

const ownData: Handler<typeof staffRecordApi.ownData> = async (ctx) => {
  const row = await ctx.db
    .selectFrom('staff')
    .where('id', '=', ctx.user.staffId)
    .select(columns)
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: 'staff.own-data-saved', entity: 'staff', entityId: ctx.user.staffId });
  return ownDataOf(ctx, toPerson(row));
};

const history: Handler<typeof staffRecordApi.history> = async (ctx, { id, before }) => {
  await seeKeptStaff(ctx, id);
  return readHistory(ctx, 'staff', { id, before });
};

export const recordRoutes = routes(staffRecordApi, { create, read, update, history, employment, ownData, savePost });
