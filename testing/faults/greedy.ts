import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openFamily, openOwnSchool, type Postgres } from '../school.ts';
import { sendTo, startApp } from './app.ts';
import { begin, type Outcome } from './outcome.ts';
import { drip, openClient } from './slow-client.ts';

/** Addresses of this machine that stand for two clients elsewhere. */
const greedy = '127.0.0.2';
const parent = '127.0.0.3';

/** The percentage of a parent's requests that must be answered within this many milliseconds during every attack. */
const answered = { percent: 95, withinMs: 500 };

type Attack = (port: number, signal: AbortSignal) => Promise<unknown>;

/** What one address does with all its connections until it is stopped. */
const attacks = {
  /** 410 bodies sent just fast enough not to be ended. */
  'slow bodies': (port, signal) => each(410, signal, () => sendSlowly(port, signal)),
  /** 120 connections that send again after each answer: made-up links, public pages, wrong passwords. */
  busy: (port, signal) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 120, localAddress: greedy });
    return each(120, signal, (client, turn) => askOnce(agent, port, client % 3, turn)).finally(() => agent.destroy());
  },
  /** 1000 idle connections. */
  idle: (port, signal) =>
    each(1000, signal, async () => {
      const client = await openClient(port, greedy);
      signal.addEventListener('abort', () => client.socket.destroy());
      await client.ended;
      await pause(100);
    }),
} satisfies Record<string, Attack>;

/** This many clients at once; each starts again when it has ended. */
async function each(clients: number, signal: AbortSignal, act: (client: number, turn: number) => Promise<unknown>) {
  const all = Array.from({ length: clients }, async (_, client) => {
    for (let turn = 0; !signal.aborted; turn++) await act(client, turn);
  });
  await Promise.all(all);
}

async function sendSlowly(port: number, signal: AbortSignal) {
  const client = await openClient(port, greedy);
  signal.addEventListener('abort', () => client.socket.destroy());
  const head = ['POST /api/admission/new-link HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  client.send(`${[...head, 'Content-Length: 60000'].join('\r\n')}\r\n\r\n`);
  drip(client, 'x'.repeat(1300), 1000);
  await client.ended;
  await pause(100);
}

/** Sends a request and ignores the result. */
function askOnce(agent: Agent, port: number, kind: number, turn: number): Promise<void> {
  const body = kind === 2 ? JSON.stringify(signIn(turn)) : undefined;
  const madeUp = turn.toString(16).padStart(32, '0');
  const path = [`/admission/inquiry?inquiryNo=${madeUp}`, '/app-configuration', '/sign-in/authenticate-user'][kind];
  return new Promise((done) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const to = { host: '127.0.0.1', port, agent, path: `/api${path}`, method: body === undefined ? 'GET' : 'POST' };
    const asked = request({ ...to, headers }, (answer) => {
      answer.resume().once('close', () => done());
    });
    asked.once('error', () => done());
    asked.end(body);
  });
}

const signIn = (turn: number) => ({
  AuthenicateUserBy: 'UserNameNPassword',
  UserName: `nobody${turn}`,
  Password: 'Wrong-Bridge-48',
});

/** One address takes all it can get; a parent at another address is served as if alone (W4). */
export async function greedyClients(
  kind: keyof typeof attacks,
  seconds: number,
  postgres?: Postgres,
): Promise<Outcome> {
  const outcome = begin(`greedy clients: ${kind}`);
  const school = await openOwnSchool({}, postgres);
  const app = await startApp(school);
  const over = new AbortController();
  try {
    const send: typeof app.send = (sent) => sendTo(app.port, sent, parent);
    const openForm = async () => {
      const { id, inquiryNo, link } = await school.inquiry();
      return openFamily({ send, sql: school.sql }, { id, inquiryNo, value: link });
    };
    let family = await openForm();
    const attacking = attacks[kind](app.port, over.signal);
    await pause(2000);

    const took: number[] = [];
    const refused: string[] = [];
    const visit = [
      () => family.get('inquiry'),
      () => family.saveAdditionalInfo(),
      () => send({ url: '/admission' }),
      () => send({ url: '/api/app-configuration' }),
    ];
    const until = performance.now() + seconds * 1000;
    for (let turn = 0; performance.now() < until; turn++) {
      // A form may be saved 200 times an hour; after 150 saves the test uses another family.
      if (turn > 0 && turn % (150 * visit.length) === 0) family = await openForm();
      const sent = performance.now();
      const status = await visit[turn % visit.length]?.().then(
        (answer) => answer.status,
        (error: Error) => error.message,
      );
      const ms = performance.now() - sent;
      if (status === 200) took.push(ms);
      else refused.push(String(status));
      if (status === 200 && turn % visit.length === 1) outcome.acknowledged++;
      await pause(50);
    }
    over.abort();
    await attacking;

    outcome.runs = took.length + refused.length;
    const inTime = took.filter((ms) => ms < answered.withinMs).length;
    outcome.worstFirstAnswer = Math.max(0, ...took);
    if (inTime < (outcome.runs * answered.percent) / 100) {
      const others = [...new Set(refused)].map(
        (why) => `${refused.filter((reason) => reason === why).length} x ${why}`,
      );
      outcome.breaches.push(
        `${inTime} of ${outcome.runs} answers to a parent came within ${answered.withinMs} ms; ${others.join(', ')}`,
      );
    }
    const failure = /.*Request failed.*/.exec(app.log())?.[0];
    if (failure) outcome.breaches.push(`a failure was logged: ${failure.slice(0, 300)}`);
    const lines = app.log().split('\n').length;
    if (lines > seconds + 10) outcome.breaches.push(`the log has ${lines} lines of ${seconds} seconds`);
  } finally {
    over.abort();
    await app.kill();
    await school.close();
  }
  return outcome;
}
