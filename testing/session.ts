import { randomUUID } from 'node:crypto';
import { auditSignIn, beginSession } from '../src/features/sign-in/server/session.ts';
import { contextOutside, type Services } from '../src/kit/server/context.ts';

export interface NewSession {
  accountId: number;
  role: 'Staff' | 'Admin';
  /** The browser's user agent. */
  device?: string;
}

/** Signs a user in as the sign-in page does, and returns the cookies of the browser by name. */
export async function openSession(services: Services, { accountId, role, device = '' }: NewSession) {
  const cookies: Record<string, string> = {};
  const ctx = contextOutside(services, randomUUID());
  const http = {
    ...ctx.http,
    header: (name: string) => (name === 'user-agent' ? device : ctx.http.header(name)),
    setCookie: (name: string, value: string) => {
      cookies[name] = value;
    },
  };
  const method = role === 'Admin' ? 'UserNameNPassword' : 'Email';
  await services.db.transaction().execute(async (db) => {
    await beginSession({ ...ctx, http, db }, { accountId, role, method, isRemembered: false });
    await auditSignIn({ ...ctx, db }, accountId, role, { method });
  });
  return cookies;
}
