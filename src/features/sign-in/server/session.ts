import { sql } from 'kysely';
import { pictureAddress } from '#access/server/picture.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { Context, Services, User } from '#kit/server/context.ts';
import { prepared } from '#kit/server/database/database.ts';
import { audit } from '#kit/server/security/audit.ts';
import { newToken, sessionCookie, tokenHash } from '#kit/server/security/session.ts';
import type { Method, SignInAnswer } from '../contract/sign-in.ts';
import { heldUntil } from './changed-address.ts';
import { dayOf, isOpenOn } from './may-sign-in.ts';

/** A session ends when unused for this long, or this long after its start (A19); by the database's clock (J15). */
export const isAlive = sql<boolean>`
  session.seen_at > now() - case when session.is_remembered then interval '14 days'
    when session.role = 'Admin' then interval '15 minutes' else interval '30 minutes' end
  and session.began_at > now() - case when session.is_remembered then interval '30 days' else interval '12 hours' end`;

const rememberedSeconds = 30 * 24 * 60 * 60;

/**
 * The user of a session cookie. Account and mapping are read every time, so that a change counts at once (A21) and a
 * substitute has rights on their days only.
 */
export async function findUser({ db, now }: Services, token: string, isBackground = false): Promise<User | undefined> {
  const id = tokenHash(token);
  const [row] = await findAlive(db, { id, day: dayOf({ now }) });
  if (!row) return undefined;
  const { isLongSeen, isHeld, branches, ...found } = row;
  const { granted, leadsDepartment, assesses, led, taught, covered, covers, ...account } = isHeld
    ? { ...found, ...noRights }
    : found;
  const sets = setsOf({ granted, led, taught, covers, leadsDepartment, assesses });
  const user = { ...account, sets, scope: { branches, led, taught, covered } };
  // Accurate to the minute, which saves a write on most requests.
  if (isLongSeen && !isBackground) {
    await db.updateTable('sign_in_session').set({ seen_at: sql`now()` }).where('id', '=', id).execute();
  }
  return user;
}

/** Of a session that an address began which others had changed (decision 0106). */
const noRights = {
  granted: [],
  led: [],
  taught: [],
  covered: [],
  covers: false,
  leadsDepartment: false,
  assesses: false,
};

/** The days after an interaction in which its assessors still write their outcomes. */
const daysToAssess = 7;
const assessesOn = (day: string) => sql<boolean>`exists (select from admission_slot_assessor where staff_id = staff.id
  and ends_at > ${day}::date - ${daysToAssess}::integer)`;

/** The days after a cover in which its register may still be changed; the register's lock decides. */
const daysToChange = 14;
/** The sections whose register a person takes for another teacher today. */
const coveredOn = (day: string) => sql<number[]>`array(select distinct section_id from cover
  where staff_id = staff.id and day = ${day}::date and state = 'Given' and subject_id is null)`;
const coversAbout = (
  day: string,
) => sql<boolean>`exists (select from cover where staff_id = staff.id and state = 'Given'
  and subject_id is null and day between ${day}::date - ${daysToChange}::integer and ${day}::date)`;

const findAlive = prepared((db, { id, day }: { id: Buffer; day: string }) =>
  db
    .selectFrom('sign_in_session as session')
    .innerJoin('sign_in_account as account', 'account.id', 'session.account_id')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    // A row without a last day holds until its year ends. `derivedRights` shows the same rights with their source.
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('academic_section_teacher as own')
          .innerJoin('academic_year as year', 'year.id', 'own.academic_year_id')
          .innerJoin('academic_section as section', 'section.id', 'own.section_id')
          .whereRef('own.staff_id', '=', 'account.staff_id')
          .where('session.role', '=', 'Staff')
          .where('section.is_active', '=', true)
          .where('own.effective_from', '<=', day)
          .where(sql<boolean>`coalesce(own.effective_to, year.ends_on) >= ${day}`)
          .select([
            sql<number[]>`array_agg(distinct own.section_id) filter (where own.subject_id is null)`.as('led'),
            sql<number[]>`array_agg(distinct own.section_id) filter (where own.subject_id is not null)`.as('taught'),
          ])
          .as('teaching'),
      (join) => join.onTrue(),
    )
    .where('session.id', '=', id)
    .where(isOpenOn(day))
    .where(sql<boolean>`case session.role when 'Admin' then account.is_admin else account.is_staff end`)
    .where(isAlive)
    .select([
      'account.id',
      'account.staff_id as staffId',
      'staff.name',
      'session.role',
      'account.sets as granted',
      sql<number[]>`array(select branch_id from sign_in_account_branch where account_id = account.id)`.as('branches'),
      sql<number[]>`coalesce(teaching.led, '{}')`.as('led'),
      sql<number[]>`coalesce(teaching.taught, '{}')`.as('taught'),
      sql<boolean>`session.role = 'Staff'
        and exists (select from academic_department where staff_id = staff.id and is_active)`.as('leadsDepartment'),
      sql<boolean>`session.role = 'Staff' and ${assessesOn(day)}`.as('assesses'),
      sql<number[]>`case session.role when 'Staff' then ${coveredOn(day)} else '{}' end`.as('covered'),
      sql<boolean>`session.role = 'Staff' and ${coversAbout(day)}`.as('covers'),
      'session.number as session',
      sql<boolean>`coalesce(session.held_until > now(), false)`.as('isHeld'),
      sql<number>`extract(epoch from now() - session.confirmed_at)::integer`.as('confirmedFor'),
      sql<boolean>`session.seen_at < now() - interval '1 minute'`.as('isLongSeen'),
    ]),
);

interface Rights {
  staffId: number;
  name: string;
  granted: string[];
  branches: number[];
  led: number[];
  taught: number[];
  covered: number[];
  covers: boolean;
  leadsDepartment: boolean;
  assesses: boolean;
}

/** What an account may do at this moment in a role, for work that it started and that goes on without a session. */
export async function findRights({ db, now }: Services, id: number, role: string): Promise<User | undefined> {
  const day = dayOf({ now });
  const { rows } = await sql<Rights>`
    with mapped as (
      select own.section_id, own.subject_id from sign_in_account account
      join academic_section_teacher own on own.staff_id = account.staff_id
      join academic_year year on year.id = own.academic_year_id
      join academic_section section on section.id = own.section_id and section.is_active
      where account.id = ${id} and ${role} = 'Staff' and own.effective_from <= ${day}
        and coalesce(own.effective_to, year.ends_on) >= ${day})
    select account.staff_id as "staffId", staff.name, account.sets as granted,
      array(select branch_id from sign_in_account_branch where account_id = account.id) as branches,
      array(select distinct section_id from mapped where subject_id is null) as led,
      array(select distinct section_id from mapped where subject_id is not null) as taught,
      ${role} = 'Staff' and exists (select from academic_department where staff_id = staff.id and is_active)
        as "leadsDepartment",
      ${role} = 'Staff' and ${assessesOn(day)} as assesses,
      case ${role} when 'Staff' then ${coveredOn(day)} else '{}' end as covered,
      ${role} = 'Staff' and ${coversAbout(day)} as covers
    from sign_in_account account join staff on staff.id = account.staff_id
    where account.id = ${id} and ${isOpenOn(day)}
      and case ${role} when 'Admin' then account.is_admin else account.is_staff end`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { staffId, name, branches, led, taught, covered } = row;
  const scope = { branches, led, taught, covered };
  return { id, staffId, name, role, sets: setsOf(row), scope, session: 0, confirmedFor: 0 };
}

/** The granted permission sets and those that follow from the mapping. */
const setsOf = ({
  granted,
  led,
  taught,
  covers,
  leadsDepartment,
  assesses,
}: Omit<Rights, 'staffId' | 'name' | 'branches' | 'covered'>) => [
  ...granted,
  ...(led.length > 0 ? ['classTeacher'] : []),
  ...(taught.length > 0 ? ['subjectTeacher'] : []),
  ...(covers ? ['substitute'] : []),
  ...(leadsDepartment ? ['headOfDepartment'] : []),
  ...(assesses ? ['assessor'] : []),
];

interface Beginning {
  accountId: number;
  role: 'Staff' | 'Admin';
  method: Method;
  isRemembered: boolean;
  /** A code was typed after the password: this browser needs no other for a while. */
  passedSecondStep?: boolean;
}

/** Starts a session under a fresh id, whatever cookie the browser sent, and returns the answer for the page (A18). */
export async function beginSession(
  ctx: Context,
  { accountId, role, method, isRemembered, passedSecondStep = false }: Beginning,
) {
  await endSession(ctx);
  const { value, hash } = newToken();
  const remembers = isRemembered && role === 'Staff';
  await ctx.db
    .insertInto('sign_in_session')
    .values({
      id: hash,
      account_id: accountId,
      role,
      method,
      is_remembered: remembers,
      device: ctx.http.header('user-agent').slice(0, 200),
      address: ctx.address,
      ...(role === 'Staff' && {
        held_until: sql<Date | null>`(select ${heldUntil(method === 'Mobile' ? 'Mobile' : 'Email')} from staff
          where id = (select staff_id from sign_in_account where id = ${accountId}))`,
      }),
    })
    .execute();
  ctx.http.setCookie(sessionCookie, value, remembers ? rememberedSeconds : undefined);
  await rememberDevice(ctx, accountId, passedSecondStep);
  return signedInAnswer(ctx, accountId);
}

export async function auditSignIn(
  ctx: Context,
  accountId: number,
  role: 'Staff' | 'Admin',
  details: Record<string, string>,
) {
  const { name } = await ctx.db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('account.id', '=', accountId)
    .select('staff.name')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    actor: name,
    action: 'sign-in.signed-in',
    entity: 'sign_in_account',
    entityId: accountId,
    details: { ...details, role },
  });
}

/** Ends the session of the browser's cookie, if any. */
export async function endSession({ db, http }: Context) {
  const token = http.cookie(sessionCookie);
  if (token) await db.deleteFrom('sign_in_session').where('id', '=', tokenHash(token)).execute();
}

const deviceCookie = '__Host-device';
const deviceSeconds = 400 * 24 * 60 * 60;

/** Marks this browser as one of the account's own, so that strangers' wrong passwords do not delay it (A13). */
async function rememberDevice(ctx: Context, accountId: number, passedSecondStep: boolean) {
  const known = await findDevice(ctx, accountId);
  const { value, hash } = newToken();
  if (!known) {
    await ctx.db.insertInto('sign_in_device').values({ id: hash, account_id: accountId }).execute();
    ctx.http.setCookie(deviceCookie, value, deviceSeconds);
  }
  if (!passedSecondStep) return;
  await ctx.db
    .updateTable('sign_in_device')
    .set({ second_step_at: sql`now()` })
    .where('id', '=', known?.id ?? hash)
    .execute();
}

/** How long a browser that has passed the second step is not asked again. */
const secondStepCounts = sql`interval '30 days'`;

export interface Device {
  /** The hash of the browser's cookie. */
  id: Buffer;
  passedSecondStep: boolean;
}

/** This browser, if the account knows it. Without an account the same query runs, so that the time reveals nothing. */
export async function findDevice({ db, http }: Context, accountId: number | undefined): Promise<Device | undefined> {
  const value = http.cookie(deviceCookie);
  if (!value) return undefined;
  return db
    .updateTable('sign_in_device')
    .set({ used_at: sql`now()` })
    .where('id', '=', tokenHash(value))
    .where('account_id', '=', accountId ?? 0)
    .returning([
      'id',
      sql<boolean>`coalesce(second_step_at > now() - ${secondStepCounts}, false)`.as('passedSecondStep'),
    ])
    .executeTakeFirst();
}

async function signedInAnswer({ db }: Context, accountId: number): Promise<SignInAnswer> {
  const { id, name, picture_id } = await db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('account.id', '=', accountId)
    .select(['staff.id', 'staff.name', 'staff.picture_id'])
    .executeTakeFirstOrThrow();
  const user = { userID: id, userName: name, userImagePath: picture_id ?? '' };
  return [{ messageVal: '', isSuccess: true, otPval: '', imageURL: pictureAddress, userMasterModel: [user] }];
}

/** The answer without a session. */
export const answerOf = (isSuccess: boolean, text: Text): SignInAnswer => [
  { messageVal: english(text), text, isSuccess, otPval: '', imageURL: pictureAddress, userMasterModel: [] },
];
