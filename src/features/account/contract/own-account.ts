import * as z from 'zod/mini';
import { permissionSets, roles, signedIn } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';

/** What a person's own page says of their account. */
const ownAccount = z.object({
  userName: z.string(),
  roles: z.array(z.enum(roles)),
  sets: z.array(z.enum(permissionSets)),
  hasPassword: z.boolean(),
  /** Changing email and mobile needs a sign-in with the password, as for an Admin. */
  needsPassword: z.boolean(),
});
export type OwnAccount = z.infer<typeof ownAccount>;

export const ownAccountApi = {
  read: endpoint({
    method: 'GET',
    path: '/staff/own-account',
    access: signedIn,
    shows: ['account'],
    input: z.object({}),
    output: ownAccount,
  }),
};
