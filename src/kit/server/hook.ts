import type { Hook } from '#kit/contract/hook.ts';
import type { ActingContext, HookAnswer } from './context.ts';

/** How an answer to a hook takes part in the act that asks. */
interface Part<Input> {
  /** The feature that answers; what an answer keeps is stored under this word. */
  by: string;
  /** Its place in the order of locks (docs/guide/locks.md). */
  step: number;
  /** Locks the rows that the answer changes, by id; no answer acts before all have locked. */
  lock?: (ctx: ActingContext, input: Input) => Promise<unknown>;
}

/** Declares a feature's answer to a hook, for its server manifest. */
export const answer = <Input, Output>(
  { name }: Hook<Input, Output>,
  { by, step, lock }: Part<Input>,
  act: (ctx: ActingContext, input: Input) => Promise<Output>,
): HookAnswer => ({ hook: name, by, step, ...(lock && { lock }), act });

/** Takes the locks of all answers to the hook, by their steps. */
async function lockFor<Input, Output>(ctx: ActingContext, { name }: Hook<Input, Output>, input: Input): Promise<void> {
  const locking = ctx.answers.filter(({ hook }) => hook === name).toSorted((one, other) => one.step - other.step);
  for (const { lock } of locking) await lock?.(ctx, input as never);
}

/** Asks every feature that answers the hook: all locks first, then the acts in the order of the features. */
export async function ask<Input, Output>(
  ctx: ActingContext,
  hook: Hook<Input, Output>,
  input: Input,
): Promise<{ by: string; output: Output }[]> {
  await lockFor(ctx, hook, input);
  const answered = [];
  for (const { by, act } of ctx.answers.filter((one) => one.hook === hook.name))
    answered.push({ by, output: (await act(ctx, input as never)) as Output });
  return answered;
}
