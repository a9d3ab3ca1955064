import { previewToParents, sendToParents } from '#features/admission-form/api.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type RunAct, startRun, undoSeconds } from '#kit/server/job/runs.ts';
import { slotApi } from '../../contract/slot.ts';
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
const tellOne: RunAct = async (ctx, id) => {
  const reached = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .where('inquiry.id', '=', id)
    .where(isReachedByStarter(ctx))
    .select('id')
    .executeTakeFirst();
  if (!reached) return outOfReach;
  const sent = await sendToParents(ctx, ctx.actor, {
    inquiryId: id,
    template: 'admission.meeting',
    key: `meeting ${id} ${ctx.run}`,
  });
  return sent === 0 ? noContact : undefined;
};

export const meetingRuns = { [kind]: tellOne };

/** The message as the first of these families would read it. */
export async function exampleOfMeeting(ctx: UserContext, [child]: readonly Child[]) {
  const message =
    child &&
    (await previewToParents(
      ctx,
      { inquiryId: child.id, template: 'admission.meeting' },
      messages['admission.meeting'],
    ));
  return message ? { name: child.name, ...message } : null;
}
