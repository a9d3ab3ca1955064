import type { GrantedSet } from '#access/contract/grants.ts';
import { createAccount } from '#features/account/api.ts';
import { beginSession } from '#features/sign-in/server/session.ts';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { Context } from '#kit/server/context.ts';
import type { Answer, Sent } from './exchange.ts';
import { nextNumber } from './numbers.ts';

/** The parts of a school that a browser and an account need. */
interface Server {
  send: (request: Sent) => Promise<Answer>;
  context: () => Context;
}

/** A browser that keeps the cookies it receives. */
export interface Browser {
  cookies: Map<string, string>;
  send: (request: Sent) => Promise<Answer>;
  /** Calls an operation as the pages do; throws the AppError of a refusal. */
  call: <Operation extends Endpoint>(operation: Operation, input: InputOf<Operation>) => Promise<OutputOf<Operation>>;
}

/** A signed-in user. */
export interface Person extends Browser {
  /** The account. */
  id: number;
  staffId: number;
  name: string;
  email: string;
  mobile: string;
}

export interface NewPerson {
  name?: string;
  role?: 'Staff' | 'Admin';
  /** Those that an Admin grants; `teach` of teachers.ts gives those that follow from the mapping. */
  sets?: readonly GrantedSet[];
  branchIds?: readonly number[];
}

export function openBrowser(school: Pick<Server, 'send'>): Browser {
  const cookies = new Map<string, string>();
  const browser: Browser = {
    cookies,
    send: async ({ headers, ...request }) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await school.send({
        ...request,
        headers: { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }), ...headers },
      });
      if (String(answer.headers['clear-site-data']).includes('"cookies"')) cookies.clear();
      for (const line of [answer.headers['set-cookie'] ?? []].flat().map(String)) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
    call: async ({ method, path, files }, input) => {
      if (files) throw new Error('Operations with files are sent, not called.');
      const rest: Record<string, unknown> = { ...(input as object) };
      const filled = path.replace(/:(\w+)/g, (_, name: string) => {
        const value = rest[name];
        delete rest[name];
        return encodeURIComponent(String(value));
      });
      const query = method === 'GET' ? new URLSearchParams(rest as Record<string, string>).toString() : '';
      const url = `/api${filled}${query && `?${query}`}`;
      const { status, json } = await browser.send({ method, url, ...(method !== 'GET' && { body: rest }) });
      if (status === 200) return json;
      const { code, text, texts, data } = json.error;
      throw new AppError(code, text, { fields: texts, data });
    },
  };
  return browser;
}

export const password = 'Teak-Bridge-48';
/** An Argon2id hash at the lowest cost: a real one takes 14 ms to create or compare. */
const cheapHash = '$argon2id$v=19$m=8,t=1,p=1$+1MH3C1XG6rXDKsiDU044w$he4qo1jJBQPbAXpxUcuMTjH3HpAOGkpg8tc7WijAz7E';

interface NewAccount {
  name?: string;
  userName?: string;
  isAdmin?: boolean;
  isStaff?: boolean;
  sets?: readonly GrantedSet[];
  branchIds?: readonly number[];
}

/** An account that may sign in by every method, unless given otherwise; it has no session. */
export async function openAccount(
  school: Pick<Server, 'context'>,
  values: NewAccount = {},
  hashed: 'at least cost' | 'at full cost' | 'no password' = 'at least cost',
) {
  const number = nextNumber();
  const facts = {
    name: `Person ${number}`,
    userName: `person${number}`,
    email: `person${number}@staff.example`,
    mobile: String(7_000_000_000 + number),
    isAdmin: true,
    isStaff: true,
    ...values,
  };
  const ctx = school.context();
  const isReal = hashed === 'at full cost';
  const { id, staffId } = await createAccount(ctx, 'Test', {
    ...facts,
    ...(isReal ? { password } : { userName: null }),
  });
  if (hashed === 'at least cost')
    await ctx.db
      .updateTable('sign_in_account')
      .set({ user_name: facts.userName?.toLowerCase() ?? null, password_hash: cheapHash, password_set_at: ctx.now() })
      .where('id', '=', id)
      .execute();
  return { ...facts, password, id, staffId };
}

/** A member of staff who has just signed in. */
export async function openPerson(
  school: Server,
  { name, role = 'Staff', sets = [], branchIds = [] }: NewPerson = {},
): Promise<Person> {
  const browser = openBrowser(school);
  const isAdmin = role === 'Admin';
  const given = { ...(name && { name }), sets, branchIds, isAdmin, isStaff: !isAdmin };
  const account = await openAccount(school, given, 'no password');
  const { id, staffId, email, mobile } = account;
  const person = { ...browser, id, staffId, name: account.name, email, mobile };
  await signIn(school, person, role);
  return person;
}

/** A new session of an account in its browser. */
export async function signIn(
  school: Pick<Server, 'context'>,
  { id, cookies }: Pick<Person, 'id' | 'cookies'>,
  role: 'Staff' | 'Admin',
): Promise<void> {
  const ctx = school.context();
  const http = { ...ctx.http, setCookie: (cookie: string, value: string) => void cookies.set(cookie, value) };
  const method = role === 'Admin' ? 'UserNameNPassword' : 'Email';
  await beginSession({ ...ctx, http }, { accountId: id, role, method, isRemembered: false });
}
