import * as z from 'zod/mini';
import { roles, signedIn } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { methods } from './sign-in.ts';

/** Refuses to remove the last Admin. */
export const lastAdmin = text`The school needs an Admin who can sign in. Add another Admin first.`;

export const session = z.object({
  number: z.number(),
  role: z.enum(roles),
  method: z.enum(methods),
  device: z.string(),
  address: z.string(),
  beganAt: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  /** The session of this request. */
  isOwn: z.boolean(),
});
export type Session = z.infer<typeof session>;

const path = '/sign-in/session';
const nothing = z.object({});

/** One's own sessions, on every device (A22). */
export const sessionApi = {
  list: endpoint({
    method: 'GET',
    path,
    access: signedIn,
    shows: ['session'],
    input: nothing,
    output: z.array(session),
  }),
  end: endpoint({
    method: 'DELETE',
    path: `${path}/:number`,
    access: signedIn,
    changes: ['session'],
    input: z.object({ number: id }),
    output: nothing,
  }),
  endOthers: endpoint({
    method: 'DELETE',
    path,
    access: signedIn,
    changes: ['session'],
    input: nothing,
    output: nothing,
  }),
};

/** The name of a browser and its system, from its user agent. */
export function deviceOf(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : 'Browser';
  const [system] = /Android|Windows|iPhone|iPad|Mac OS|Linux/.exec(agent) ?? [];
  return system ? `${browser}, ${system}` : browser;
}
