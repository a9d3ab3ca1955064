import { type Endpoint, isGranted } from '#kit/contract/endpoint.ts';
import type { User } from '#kit/server/context.ts';

/** Which operations the user may call, by the access that guards each. What a record's state allows is added to it. */
export const mayCall = <Act extends string>(user: User, operations: Readonly<Record<Act, Pick<Endpoint, 'access'>>>) =>
  Object.fromEntries(
    Object.entries<Pick<Endpoint, 'access'>>(operations).map(([act, { access }]) => [act, isGranted(access, user)]),
  ) as Record<Act, boolean>;
