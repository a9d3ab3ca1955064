import { Agent, request } from 'node:http';
import sharp from 'sharp';
import { allRoutes } from '../../src/app/server.ts';
import { type Family, openOwnSchool, type Postgres } from '../school.ts';
import { startApp } from './app.ts';
import { type BadRequest, badRequest } from './bad-requests.ts';
import { begin, type Outcome } from './outcome.ts';

/** Fewer at once than there are database connections, so that none is refused for lack of one. */
const atOnce = 8;
/**
 * Longer than this counts as a hang, in milliseconds: a picture may take five seconds to decode, and four may be
 * queued.
 */
const answeredWithin = 30_000;
const limitLiftedEvery = 250;
/**
 * Texts that only an internal failure contains: code locations, statements, program names. A statement stands in one
 * string of the answer: "Select a picture." and, in the next message, "Choose one from" are none.
 */
export const indiscreet =
  /\n\s+at |node_modules|\.ts:\d|\bselect (?:[^"\\]|\\.)+ from\b|\binsert into\b|violates|invalid input syntax|invalid byte sequence|relation "|kysely|postgres|ENOENT|prototype of|is not a function|Cannot read prop/i;

/**
 * Sends generated bad requests to every operation: no answer is 5xx, missing or reveals internals, and the server works
 * afterwards. A breach names seed and number, which reproduce it.
 */
export async function badRequests(count: number, seed: number, postgres?: Postgres): Promise<Outcome> {
  const outcome = begin(`bad requests, seed ${seed}`);
  const school = await openOwnSchool({}, postgres);
  const app = await startApp(school);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  try {
    const families: Family[] = [];
    while (families.length < 24) families.push(await app.family());
    const drawn = sharp({ create: { width: 8, height: 8, channels: 3, background: '#0b6e6e' } });
    const pictures = [await drawn.jpeg().toBuffer(), await drawn.png().toBuffer()];
    const cookieOfAdmin = async () => {
      const { cookies } = await school.person({ role: 'Admin' });
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    };
    const cookiesOfAdmins = () => Promise.all(Array.from({ length: atOnce }, cookieOfAdmin));
    // One each, since only a few files of one Admin are read at once.
    let cookies = await cookiesOfAdmins();
    const surroundings = {
      endpoints: allRoutes.map(({ endpoint }) => endpoint),
      links: families.map(({ link }) => link),
      pictures,
    };
    let next = 0;
    const work = async (worker: number) => {
      while (next < count) {
        const number = next++;
        // Otherwise soon only the limit on uploads would be tested.
        if (number % limitLiftedEvery === 0) {
          await school.sql('delete from attempt');
          // Some of the requests sign the Admins out.
          cookies = await cookiesOfAdmins();
        }
        const bad = badRequest(seed, number, { ...surroundings, cookie: cookies[worker] ?? '' });
        const verdict = await breachOf(agent, app.port, bad);
        if (verdict)
          outcome.breaches.push(`seed ${seed} number ${number}: ${bad.method} ${bad.path.slice(0, 80)} ${verdict}`);
        outcome.runs++;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, (_, worker) => work(worker)));

    const ended = performance.now();
    const { status } = await (await app.family()).saveBasicInfo();
    outcome.worstFirstAnswer = performance.now() - ended;
    if (status === 200) outcome.acknowledged++;
    else outcome.breaches.push(`a good request afterwards was answered ${status}`);
    if (app.child().exitCode !== null) outcome.breaches.push('the server ended');
  } finally {
    agent.destroy();
    await app.kill();
    await school.close();
  }
  return outcome;
}

/** Sends a request and returns the faults of its answer. */
function breachOf(
  agent: Agent,
  port: number,
  { method, path, headers, body }: BadRequest,
): Promise<string | undefined> {
  return new Promise((done) => {
    const asked = request(
      { host: '127.0.0.1', port, agent, method, path, headers, timeout: answeredWithin },
      (answer) => {
        let text = '';
        answer.setEncoding('latin1').on('data', (chunk) => {
          text += chunk;
        });
        answer.once('error', (error) => done(`broke off: ${error.message}`));
        answer.once('end', () => {
          const { statusCode = 0 } = answer;
          if (statusCode >= 500) return done(`was answered ${statusCode}: ${text.slice(0, 200)}`);
          const found = statusCode >= 400 && indiscreet.exec(text);
          done(found ? `was told ${JSON.stringify(found[0])}` : undefined);
        });
      },
    );
    asked.once('timeout', () => asked.destroy(new Error('hang')));
    // The server may close the connection of a body it refuses unread; only a missing answer is wrong.
    asked.once('error', (error) => done(error.message === 'hang' ? 'was never answered' : undefined));
    asked.end(body);
  });
}
