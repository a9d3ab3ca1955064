import { sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { contactApi } from '../contract/contact.ts';
import {
  auditContact,
  contactKind,
  contactOwner,
  endAsked,
  enterContact,
  refuseBarred,
  sendToNew,
  tellOld,
} from './contact.ts';
import { guardians, isReached } from './guardians.ts';

/** Days in which the office puts back what a guardian changed: later the earlier number may be that of a stranger. */
const undoDays = 30;

interface Stored {
  id: number;
  guardianId: number;
  channel: 'sms' | 'email';
  value: string;
  old: string;
  /** What the guardian has now. */
  present: string;
}

const changes = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('guardian_contact_change as change')
    .innerJoin('guardian', 'guardian.id', 'change.guardian_id')
    .select(['change.id', 'change.guardian_id as guardianId', 'change.new_value as value', 'change.old_value as old'])
    .select([
      sql<Stored['channel']>`change.channel`.as('channel'),
      sql<string>`case change.channel when 'sms' then guardian.mobile else guardian.email end`.as('present'),
    ]);

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const inTheMeantime = text`The number or address was changed in the meantime. Reject the request, and ask the guardian.`;

/** A new number of a guardian who has lost the earlier one: the office compares the paper. */
export const contactApproval: ApprovalKind = {
  kind: contactKind,
  subject: 'guardian_contact_change_id',
  title: text`New number or address of a guardian`,
  notice: text`A guardian’s new number or address is waiting for your approval.`,
  sets: ['office', 'principal'],
  describe: async (ctx, ids) => {
    const rows = await changes(ctx)
      .leftJoin('approval', (join) => join.onRef('approval.guardian_contact_change_id', '=', 'change.id'))
      .where('change.id', 'in', [...ids])
      .select(['guardian.name', 'approval.student_id as studentId', 'change.version'])
      .execute();
    return new Map(
      rows.map(({ id, name, value, old, present, studentId, version }) => [
        id,
        {
          facts: [
            { label: text`Guardian`, value: verbatim(name) },
            { label: text`Until now`, value: verbatim(old || '–') },
            { label: text`New`, value: verbatim(value) },
          ],
          effect: [
            isSame(present, old)
              ? text`Links and phones of the earlier number or address end, and the link goes to the new one.`
              : inTheMeantime,
            text`Compare the paper first: it is in the card Family page of the child.`,
          ],
          to: studentId === null ? '' : `student/student-list/${studentId}`,
          basis: [version, present],
        },
      ]),
    );
  },
  lock: async ({ db }, ids) => {
    await sql`select from guardian where id in (select guardian_id from guardian_contact_change where id = any(${[...ids]}::integer[]))
      order by id for no key update`.execute(db);
    await sql`select from guardian_contact_change where id = any(${[...ids]}::integer[]) order by id for update`.execute(
      db,
    );
  },
  decide: async (ctx, ids, outcome) => {
    const rows = await changes(ctx)
      .where('change.id', 'in', [...ids])
      .orderBy('change.id')
      .execute();
    const state = outcome === 'Approved' ? 'Applied' : outcome === 'Rejected' ? 'Rejected' : 'Stale';
    await setState(ctx, ids, state);
    if (state !== 'Applied') return;
    // The days in which it can be put back begin now.
    await ctx.db
      .updateTable('guardian_contact_change')
      .set({ made_at: ctx.now() })
      .where('id', 'in', [...ids])
      .execute();
    for (const change of rows) {
      if (!isSame(change.present, change.old)) throw new AppError('conflict', inTheMeantime);
      await refuseBarred(ctx, change);
      await enterContact(ctx, change);
      await auditContact(ctx, 'family.contact.changed', change);
      await tellOld(ctx, change.id, change);
      await sendToNew(ctx, change);
    }
  },
};

const setState = ({ db }: UserContext, ids: readonly number[], state: string) =>
  db
    .updateTable('guardian_contact_change')
    .set({ state, version: sql`version + 1` })
    .where('id', 'in', [...ids])
    .execute();

async function requireGuardian(ctx: UserContext, id: number) {
  await guardians(ctx)
    .where('guardian.id', '=', id)
    .where(isReached(ctx.user, toLocalDate(ctx.now())))
    .executeTakeFirstOrThrow(notFound);
}

/** True of a change that the office can put back. */
export const mayUndo = (now: Date) => sql<boolean>`change.state = 'Applied'
  and change.made_at > ${now}::timestamptz - make_interval(days => ${undoDays})
  and lower(change.new_value) = lower(case change.channel when 'sms' then guardian.mobile else guardian.email end)`;

const undo: Handler<typeof contactApi.undo> = async (ctx, { id, changeId }) => {
  await requireGuardian(ctx, id);
  await ctx.db.selectFrom('guardian').where('id', '=', id).select('id').forNoKeyUpdate().execute();
  const found = await changes(ctx)
    .where('change.id', '=', changeId)
    .where('change.guardian_id', '=', id)
    .where(mayUndo(ctx.now()))
    .executeTakeFirst();
  if (!found)
    throw new AppError(
      'conflict',
      text`This number or address has been changed since, or too long ago. Correct it on the record of the guardian.`,
    );
  if (found.old !== '') await refuseBarred(ctx, { guardianId: id, value: found.old });
  await setState(ctx, [changeId], 'Undone');
  await endAsked(ctx, id);
  await enterContact(ctx, { guardianId: id, channel: found.channel, value: found.old });
  // A first number has nothing before it, and its phones end with it.
  await auditContact(ctx, 'family.contact.undone', { ...found, value: found.old, old: found.value });
  const back = found.old === '' ? await otherOf(ctx, id) : { channel: found.channel, value: found.old };
  if (back) await sendToNew(ctx, { guardianId: id, ...back });
  return {};
};

/** What a guardian has besides a first number or address that was put back. */
async function otherOf({ db }: UserContext, guardianId: number) {
  const { mobile, email } = await db
    .selectFrom('guardian')
    .where('id', '=', guardianId)
    .select(['mobile', 'email'])
    .executeTakeFirstOrThrow();
  if (mobile !== '') return { channel: 'sms' as const, value: mobile };
  return email === '' ? undefined : { channel: 'email' as const, value: email };
}

const paper: Handler<typeof contactApi.paper> = async (ctx, { id }) => {
  await requireGuardian(ctx, id);
  const row = await ctx.db
    .selectFrom('guardian_contact_change')
    .where('guardian_id', '=', id)
    // Of one that was approved too: the office may have to put the earlier one back.
    .where('state', 'in', ['Asked', 'Applied'])
    .where('paper_id', 'is not', null)
    .orderBy('id', 'desc')
    .select(['id', 'paper_id'])
    .executeTakeFirst();
  if (!row?.paper_id) throw new AppError('not_found', notFoundMessage);
  await audit(ctx, { action: 'family.contact.paper-opened', entity: 'guardian', entityId: id });
  return readFile(ctx, contactOwner(row.id), row.paper_id);
};

export const contactOfficeRoutes = routes(contactApi, { undo, paper });
