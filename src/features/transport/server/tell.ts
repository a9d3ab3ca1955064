import type { UserContext } from '#kit/server/context.ts';
export const tellOfActs = async (_ctx: UserContext, _acts: readonly string[]): Promise<number> => 0;
