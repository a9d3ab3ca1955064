// Simulates fifty parents: sends requests at fixed moments, from a process of its own.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { answerAll } from './child.ts';
import { atPace, type Taken } from './pace.ts';
import { type Ask, uploadStep, visitSteps } from './visit.ts';

export interface Load {
  port: number;
  seconds: number;
  specialty: { id: number; sectorId: number };
  /** Link values; each family, and each family that sends a picture, is visited at most once. */
  families: string[];
  uploaders: string[];
  perSecond: number;
  uploadsPerSecond: number;
  signInsPerSecond: number;
  /** The Admins who sign in, in turns, all with the same password. */
  admins: string[];
  password: string;
}

/** A list that a signed-in user requests again and again. */
export interface Listing {
  port: number;
  path: string;
  cookie: string;
  times: number;
  /** The number of requests that wait for an answer at any moment. */
  atOnce: number;
}

export const parents = 50;

/** The number of connections that a browser opens. */
const agents = Array.from({ length: parents }, () => new Agent({ keepAlive: true, maxSockets: 6 }));

answerAll({
  run: async (load: Load): Promise<{ mix: Taken; uploads: Taken; signIns: Taken }> => {
    const steps = await visitSteps(load.specialty);
    const upload = await uploadStep();
    const { seconds } = load;
    const [mix, uploads, signIns] = await Promise.all([
      atPace({ perSecond: load.perSecond, seconds }, (index) => {
        // Parents take turns; each goes through one family's form after another. They start at different steps, or
        // fifty saves would follow fifty reads.
        const parent = index % parents;
        const turn = Math.floor(index / parents) + (parent % steps.even.length);
        const family = Math.floor(turn / steps.even.length) * parents + parent;
        const step = (family % 2 === 0 ? steps.even : steps.odd)[turn % steps.even.length] as Ask;
        return { kind: step.kind, end: ask(load.port, index, step, load.families[family]) };
      }),
      atPace({ perSecond: load.uploadsPerSecond, seconds }, (index) => ({
        kind: upload.kind,
        end: ask(load.port, index, upload, load.uploaders[index]),
      })),
      atPace({ perSecond: load.signInsPerSecond, seconds }, (index) => ({ kind: 'sign-in', end: signIn(load, index) })),
    ]);
    return { mix, uploads, signIns };
  },
  /** Signs in every Admin once and returns the last session cookie. */
  signIn: async (load: Load) => {
    let cookie: unknown;
    for (const index of load.admins.keys()) cookie = await signIn(load, index);
    return cookie as string;
  },
  /** The duration of each request in milliseconds. */
  list: async ({ port, path, cookie, times, atOnce }: Listing): Promise<number[]> => {
    const taken: number[] = [];
    let left = times;
    const ask = async (agent: Agent | undefined) => {
      while (left-- > 0) {
        const start = performance.now();
        const { status, text } = await send({ port, agent, path, headers: { cookie } });
        if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`);
        taken.push(performance.now() - start);
      }
    };
    await Promise.all(agents.slice(0, atOnce).map(ask));
    return taken;
  },
});

/** The cookies of browsers that have signed in before: only unknown browsers wait for others from their address. */
const marks = new Map<string, string>();

async function signIn({ port, admins, password }: Load, index: number): Promise<unknown> {
  const UserName = admins[index % admins.length] ?? '';
  const draft = { AuthenicateUserBy: 'UserNameNPassword', UserName, Password: password };
  const body = Buffer.from(JSON.stringify(draft));
  const cookie = marks.get(UserName);
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    ...(cookie && { cookie }),
  };
  const path = '/api/sign-in/authenticate-user';
  const { status, text, cookies } = await send({ port, agent: agents[index % parents], path, headers, body });
  if (status !== 200 || !text.includes('"isSuccess":true')) throw new Error(`sign-in: ${status} ${text.slice(0, 200)}`);
  const [mark] = /__Host-device=[^;]+/.exec(cookies.join('\n')) ?? [];
  if (mark) marks.set(UserName, mark);
  return /__Host-session=[^;]+/.exec(cookies.join('\n'))?.[0];
}

interface Sending {
  port: number;
  agent: Agent | undefined;
  path: string;
  headers: Record<string, string | number>;
  body?: Buffer;
}

function send({
  port,
  agent,
  path,
  headers,
  body,
}: Sending): Promise<{ status: number; text: string; cookies: string[] }> {
  return new Promise((done, fail) => {
    const method = body ? 'POST' : 'GET';
    const sent = request({ port, host: '127.0.0.1', agent, method, path, headers, timeout: 20_000 });
    sent.once('timeout', () => sent.destroy(new Error('No answer within 20 s')));
    sent.once('error', fail);
    sent.once('response', (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.once('end', () =>
        done({ status: answer.statusCode ?? 0, text, cookies: answer.headers['set-cookie'] ?? [] }),
      );
      answer.once('error', fail);
    });
    sent.end(body);
  });
}

async function ask(
  port: number,
  index: number,
  { path, body, type = '' }: Ask,
  link: string | undefined,
): Promise<void> {
  const { status, text } = await send({
    port,
    agent: agents[index % parents],
    path: `/api/admission/${path}?inquiryNo=${link}`,
    headers: body ? { 'content-type': type, 'content-length': body.length, 'idempotency-key': randomUUID() } : {},
    ...(body && { body }),
  });
  // Every form is filled in, so a read that finds nothing is a failure too.
  if (status !== 200 || text.includes('"isSuccess":false')) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`);
}
