import { previewToParents, sendToParents, type ToParents } from '#features/admission-form/api.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type RunAct, type RunContext, startRun, undoSeconds } from '#kit/server/job/runs.ts';
import { slotApi } from '../../contract/slot.ts';
import { timeChoiceApi } from '../../contract/time-choice.ts';
import { messages } from '../messages.ts';
import { isReachedByStarter, outOfReach } from '../scope.ts';

const kind = 'admission.meeting';

interface Child {
  id: number;
  name: string;
}

/** Tells families of the meeting that they have now, as a run that its starter can undo for a moment. */
export async function tellFamilies(ctx: UserContext, children: readonly Child[]) {
  if (children.length === 0) return;
  await startRun(ctx, {
    kind,
    input: {},
    rows: children.map(({ id, name }) => ({ id, name })),
    told: { title: text`Invite to interactions`, path: '/school-erp/admission/process-admission?show=slots' },
    access: slotApi.plan.access,
    waitSeconds: undoSeconds,
  });
}

const noContact = text`Has no email address and no mobile number.`;

/** A later change sends another message: the key names the run. */
const tellOne: RunAct = (ctx, id) => sendOne(ctx, id, { template: kind, key: `meeting ${id} ${ctx.run}` });

async function sendOne(ctx: RunContext, id: number, message: Pick<ToParents, 'template' | 'key'>) {
  const reached = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .where('inquiry.id', '=', id)
    .where(isReachedByStarter(ctx))
    .select('id')
    .executeTakeFirst();
  if (!reached) return outOfReach;
  const sent = await sendToParents(ctx, ctx.actor, { inquiryId: id, ...message });
  return sent === 0 ? noContact : undefined;
}

const invitation = 'admission.choose-time';

/** Asks families to choose a time, as a run that its starter can undo for a moment. */
export const inviteFamilies = (ctx: UserContext, children: readonly Child[], choiceId: number) =>
  startRun(ctx, {
    kind: invitation,
    input: { choiceId },
    rows: children.map(({ id, name }) => ({ id, name })),
    told: { title: text`Let families choose a time`, path: '/school-erp/admission/process-admission?show=slots' },
    access: timeChoiceApi.offer.access,
    waitSeconds: undoSeconds,
  });

const inviteOne: RunAct = (ctx, id) => sendOne(ctx, id, { template: invitation, key: `choose ${id} ${ctx.run}` });

export const meetingRuns = { [kind]: tellOne, [invitation]: inviteOne };

/** The invitation as the first of these families would read it. */
export const exampleOfInvitation = (ctx: UserContext, children: readonly Child[]) =>
  exampleOf(ctx, children, invitation);

/** The message as the first of these families would read it. */
export const exampleOfMeeting = (ctx: UserContext, children: readonly Child[]) => exampleOf(ctx, children, kind);

async function exampleOf(ctx: UserContext, [child]: readonly Child[], template: ToParents['template']) {
  const message = child && (await previewToParents(ctx, { inquiryId: child.id, template }, messages[template]));
  return message ? { name: child.name, ...message } : null;
}
