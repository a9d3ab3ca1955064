import type { Services } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

export { isOpenOn } from '#kit/server/security/open-account.ts';

/** The school's day, on which an account may or may not sign in. */
export const dayOf = ({ now }: Pick<Services, 'now'>): string => toLocalDate(now());
