import type { Hook } from '#kit/contract/hook.ts';
import type { ActingContext, HookAnswer } from './context.ts';

/** Declares the answer of the feature `by`, for its server manifest. */
export const answer = <Input, Output>(
  { name }: Hook<Input, Output>,
  by: string,
  act: (ctx: ActingContext, input: Input) => Promise<Output>,
): HookAnswer => ({ hook: name, by, act });

/** Asks every feature that answers the hook, in the order of the features. */
export async function ask<Input, Output>(
  ctx: ActingContext,
  { name }: Hook<Input, Output>,
  input: Input,
): Promise<{ by: string; output: Output }[]> {
  const answered = [];
  for (const { hook, by, act } of ctx.answers)
    if (hook === name) answered.push({ by, output: (await act(ctx, input as never)) as Output });
  return answered;
}
