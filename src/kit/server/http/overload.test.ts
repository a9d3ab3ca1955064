import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { megabyte } from '#kit/contract/uploads.ts';
import { openLog } from '#kit/server/log.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import { openHttp } from './http.ts';
import { type LoadLimits, usualLimits } from './overload.ts';
import { routes, serve } from './routes.ts';

const patient = { timeout: 60_000 };
let school: School;
let links: string[];
beforeAll(async () => {
  school = await openOwnSchool();
  links = [(await school.inquiry()).link, (await school.inquiry()).link];
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const few: LoadLimits = {
  connections: { most: 100, crowded: 50, unread: 100 * megabyte },
  lookUps: { places: 6, perClient: 2, most: 6 },
  bodies: 6,
  largePerClient: 3,
  work: { places: 6, perClient: 2, most: 6 },
};

const nothing = z.object({});
const file = {
  label: text`Photo`,
  kinds: ['png'],
  maxBytes: megabyte,
  wrongType: text`Select a PNG picture.`,
  tooLarge: text`Use at most 1 MB.`,
} as const;
const common = { input: nothing, output: nothing };
const api = {
  hold: endpoint({ method: 'GET', path: '/hold', access: 'public', ...common }),
  /** More than the system buffers for a client that does not read. */
  large: endpoint({ method: 'GET', path: '/large', access: 'public', input: nothing, output: servedFile }),
  quick: endpoint({ method: 'GET', path: '/quick', access: 'public', ...common }),
  post: endpoint({ method: 'POST', path: '/post', access: 'public', ...common }),
  own: endpoint({ method: 'GET', path: '/own', access: 'link', ...common }),
  ownHold: endpoint({ method: 'GET', path: '/own-hold', access: 'link', ...common }),
  upload: endpoint({ method: 'POST', path: '/upload', access: 'link', files: { photo: file }, ...common }),
};

/** Addresses of this machine that stand for clients elsewhere. */
const greedy = '127.0.0.2';
const parent = '127.0.0.3';

interface Small {
  app: FastifyInstance;
  port: number;
  log: () => string;
  /** Releases the requests at /hold, and the look-ups of made-up links. */
  release: () => void;
  /** One request from an address; 0 for a connection that ended without an answer. */
  ask: (
    from: string,
    path: string,
    overrides?: { method?: string; body?: string; headers?: object },
  ) => Promise<number>;
  /** A connection from an address on which this text is sent. */
  dial: (from: string, text?: string) => Promise<{ socket: Socket; answer: () => string }>;
}

/** A listening server with few places for these operations. */
async function openSmall(over: Partial<LoadLimits> = {}, trustedProxies: string[] = []): Promise<Small> {
  let written = '';
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      written += chunk;
      done();
    },
  });
  const limits = { ...few, ...over };
  const log = openLog('info', destination);
  const app = await openHttp({ log, trustedProxies, isSecure: false, limits });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const hold = async () => {
    await released;
    return {};
  };
  const services: School['services'] = {
    ...school.services,
    linkHolders: {
      inquiryNo: async (services, link) => {
        if (!links.includes(link)) await released;
        return school.services.linkHolders.inquiryNo?.(services, link, () => '');
      },
    },
  };
  const quick = () => ({});
  const bytes = Buffer.alloc(8 * megabyte);
  const large = () => ({ mediaType: 'application/pdf', name: 'large.pdf', bytes });
  serve(app, services, routes(api, { hold, large, quick, post: quick, own: quick, ownHold: hold, upload: quick }));
  // It needs no place: once it is answered, everything sent before it has been received.
  app.get('/api/alive', { config: { access: 'public', always: true } }, async () => ({}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    release();
    for (const socket of sockets) socket.destroy();
    await app.close();
  });

  return {
    app,
    port,
    log: () => written,
    release,
    ask: (from, path, { method = 'GET', body, headers = {} } = {}) =>
      new Promise((done) => {
        const all = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
        const to = { host: '127.0.0.1', port, localAddress: from, agent: false as const };
        const asked = httpRequest({ ...to, method, path: `/api${path}`, headers: all }, (answer) => {
          answer.resume().once('end', () => done(answer.statusCode ?? 0));
        });
        asked.once('error', () => done(0));
        asked.end(body);
      }),
    dial: async (from, text = '') => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from });
      sockets.push(socket);
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      socket.on('error', () => undefined); // Any end is fine.
      await new Promise((done) => socket.once('connect', done));
      socket.write(text);
      return { socket, answer: () => answer };
    },
  };
}

/** One after the other, so that their order is known. */
async function inOrder<Result>(count: number, make: () => Promise<Result>): Promise<Result[]> {
  const made: Result[] = [];
  while (made.length < count) made.push(await make());
  return made;
}
const times = <Result>(count: number, make: () => Result): Result[] => Array.from({ length: count }, make);
/** Counts these endings, once there are this many. */
const countOf = (asked: Promise<number>[], status: number, count: number) => {
  const ended: number[] = [];
  for (const answer of asked) void answer.then((status) => ended.push(status));
  return expect.poll(() => ended.filter((end) => end === status).length).toBe(count);
};

describe('work', () => {
  test('W4 J12 of one address two requests are worked on and four wait; another address is answered meanwhile', async () => {
    const small = await openSmall();
    const held = times(10, () => small.ask(greedy, '/hold'));
    await countOf(held, 503, 4);
    expect(await small.ask(parent, '/quick')).toBe(200);
    expect(await small.ask(parent, '/post', { method: 'POST', body: '{}' })).toBe(200);
    small.release();
    await countOf(held, 200, 6);
    expect(await small.ask(greedy, '/quick')).toBe(200);
  });

  test('J12 while the work stands still, 150 clients with a request each wait, and none is refused', async () => {
    const small = await openSmall(usualLimits);
    const asked = Array.from({ length: 150 }, (_, number) => small.ask(`127.0.1.${number + 1}`, '/hold'));
    // Each connects before it is asked here.
    expect(await small.ask(parent, '/alive')).toBe(200);
    small.release();
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  });

  test('W4 G4 a valid link counts for itself, also from an address that has taken all it may', async () => {
    const small = await openSmall();
    const held = times(10, () => small.ask(greedy, '/hold'));
    await countOf(held, 503, 4);
    expect(await small.ask(greedy, `/own?inquiryNo=${links[0]}`)).toBe(200);
    // The link is greedy too: it has two places, and two of the four waiting requests are its own.
    const ofLink = times(10, () => small.ask(parent, `/own-hold?inquiryNo=${links[0]}`));
    await countOf(ofLink, 503, 6);
    await countOf(held, 503, 6);
  });

  test('W4 requests of one link from many addresses share what the link may have', async () => {
    const small = await openSmall({ work: { places: 6, perClient: 2, most: 3 } });
    const held = ['127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7'].map((from) =>
      small.ask(from, `/own-hold?inquiryNo=${links[0]}`),
    );
    await countOf(held, 503, 1);
    expect(await small.ask('127.0.0.4', `/own?inquiryNo=${links[1]}`)).toBe(200);
  });

  test('W4 made-up links stay with their address: they take its look-ups, and nobody else’s', async () => {
    const small = await openSmall();
    const madeUp = times(10, () => small.ask(greedy, `/own?inquiryNo=${'0'.repeat(32)}`));
    await countOf(madeUp, 503, 4);
    expect(await small.ask(parent, `/own?inquiryNo=${links[0]}`)).toBe(200);
    expect(await small.ask(greedy, '/quick')).toBe(200);
    small.release();
    await countOf(madeUp, 404, 6);
  });

  test('W4 made-up links of one address leave the others their connections to the database, however long they are counted', async () => {
    const small = await openSmall({ lookUps: { places: 40, perClient: 20, most: 24 } });
    small.release();
    expect(await small.ask(greedy, `/own?inquiryNo=${'0'.repeat(32)}`)).toBe(404);
    const { madeUp } = await school.services.db.transaction().execute(async (db) => {
      await db.selectFrom('attempt').where('subject', '=', greedy).select('hits').forUpdate().execute();
      const madeUp = times(15, () => small.ask(greedy, `/own?inquiryNo=${'0'.repeat(32)}`));
      expect(await small.ask(parent, `/own?inquiryNo=${links[0]}`)).toBe(200);
      expect(await small.ask(parent, `/own?inquiryNo=${links[1]}`)).toBe(200);
      return { madeUp };
    });
    await countOf(madeUp, 404, 15);
  });

  test('W4 changes that wait for each other leave the others their connections to the database', async () => {
    const [family, other, third] = [await school.inquiry(), await school.inquiry(), await school.inquiry()];
    const waiting = () =>
      school.sql(`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    const { saves } = await school.services.db.transaction().execute(async (db) => {
      await db
        .selectFrom('admission_inquiry')
        .where('id', 'in', [family.id, other.id])
        .select('id')
        .forUpdate()
        .execute();
      const saves = times(8, () => [family.saveAdditionalInfo(), other.saveAdditionalInfo()]).flat();
      await vi.waitUntil(async () => (await waiting()).length >= 2, patient);
      expect((await third.saveAdditionalInfo()).status).toBe(200);
      expect(await waiting()).toHaveLength(2);
      return { saves };
    });
    expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(times(16, () => 200));
  });

  test('W4 who hangs up keeps the place until the work is done, and then it is free', async () => {
    const small = await openSmall({ work: { places: 1, perClient: 1, most: 6 } });
    const { socket } = await small.dial(greedy, 'GET /api/hold HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await small.ask(parent, '/alive');
    const waiting = await small.dial(greedy, 'GET /api/hold HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.destroy();
    waiting.socket.destroy();
    let status: number | undefined;
    void small.ask(parent, '/quick').then((answered) => {
      status = answered;
    });
    await small.ask(parent, '/alive');
    expect(status).toBeUndefined();
    small.release();
    await expect.poll(() => status).toBe(200);
  });
});

const slowPost = (path: string, type = 'application/json') =>
  `POST /api${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 2\r\n\r\n{`;

/** Requests with this answer; undefined for none. */
function some<One extends { answer: () => string }>(all: One[], status: string): One[] | undefined {
  const found = all.filter(({ answer }) => answer().startsWith(`HTTP/1.1 ${status} `));
  return found.length > 0 ? found : undefined;
}

describe('bodies', () => {
  test('W4 bodies that all come from one address give way: another’s is taken, and what has none is answered', async () => {
    const small = await openSmall();
    const slow = await inOrder(8, () => small.dial(greedy, slowPost('/post')));
    await expect.poll(() => slow.filter(({ answer }) => answer().startsWith('HTTP/1.1 503')).length).toBe(2);
    expect(await small.ask(greedy, '/quick')).toBe(200);
    expect(await small.ask(parent, '/quick')).toBe(200);
    expect(slow.filter(({ socket }) => socket.closed)).toHaveLength(0);
    expect(await small.ask(parent, '/post', { method: 'POST', body: '{}' })).toBe(200);
    // The newest made room; the other five are read to their end.
    await expect.poll(() => slow.map(({ socket }) => socket.closed).indexOf(true)).toBe(5);
    for (const { socket } of slow.slice(0, 5)) socket.write('}');
    await expect.poll(() => slow.filter(({ answer }) => answer().startsWith('HTTP/1.1 200')).length).toBe(5);
  });

  test('W5 of one link three uploads come at once; a fourth is refused unread in plain words, another link’s is not', async () => {
    const small = await openSmall();
    const upload = async (link: string | undefined) =>
      small.dial(parent, slowPost(`/upload?inquiryNo=${link}`, 'multipart/form-data; boundary=x'));
    const all = await inOrder(4, () => upload(links[0]));
    const [refused] = await vi.waitUntil(() => some(all, '429'), patient);
    expect(refused?.answer()).toMatch(/retry-after: 10/i);
    expect(refused?.answer()).toContain(
      '"fields":{"photo":"Your other files are still uploading. Try again when they are saved."}',
    );
    const other = await upload(links[1]);
    expect(await small.ask(parent, `/own?inquiryNo=${links[0]}`)).toBe(200);
    for (const { socket } of [...all, other]) socket.write('}');
    await vi.waitUntil(() => some([...all, other], '400')?.length === 4, patient);
    const later = await upload(links[0]);
    later.socket.write('}');
    await vi.waitUntil(() => some([later], '400'), patient);
  });
});

const formPart = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';

async function sendTooMuch(start: string) {
  const small = await openSmall();
  const head = ['Host: localhost', 'Content-Type: multipart/form-data; boundary=x', 'Transfer-Encoding: chunked'];
  const line = `POST /api/upload?inquiryNo=${links[0]} HTTP/1.1`;
  const { socket } = await small.dial(parent, `${[line, ...head].join('\r\n')}\r\n\r\n`);
  const send = (bytes: string) => socket.write(`${bytes.length.toString(16)}\r\n${bytes}\r\n`);
  send(`${start}x`);
  for (let sent = 0; sent < 40; sent++) send('x'.repeat(megabyte));
  // From then on the same as for a client that is not slow.
  const dripping = setInterval(() => send('x'.repeat(4096)), 500);
  onTestFinished(() => clearInterval(dripping));
  await vi.waitUntil(() => socket.closed, patient);
  expect(await small.ask(parent, '/quick')).toBe(200);
}

soak('D1 a form that is read ends when it does not say how long it is and far too much of it has come', () =>
  sendTooMuch(''),
);

soak('D1 a form that was refused ends when it does not say how long it is and far too much of it has come', () =>
  sendTooMuch(`${formPart}${formPart}--x\r\n`),
);

test('W4 a body that breaks off is no failure of the server, and is not logged as one', async () => {
  const small = await openSmall();
  const { socket } = await small.dial(greedy, slowPost('/post'));
  await small.ask(parent, '/alive');
  socket.destroy();
  await vi.waitUntil(async () => (await openConnections(small)) === 0, patient);
  await small.ask(parent, '/alive');
  expect(small.log()).not.toContain('Request failed');
});

const openConnections = ({ app }: Small) =>
  new Promise<number>((done) => app.server.getConnections((_error, count) => done(count)));

describe('connections', () => {
  const connections = { most: 20, crowded: 10, unread: 100 * megabyte };
  const isOpen = ({ socket }: { socket: Socket }) => !socket.closed;

  test('W4 J11 where all are taken the newcomer gets the place of the one that was idle longest, of who has most', async () => {
    const small = await openSmall({ connections });
    const other = await small.dial(parent);
    const idle = await inOrder(19, () => small.dial(greedy));
    expect(await small.ask(parent, '/quick')).toBe(200);
    await expect.poll(() => idle.map(isOpen).indexOf(false)).toBe(0);
    expect([idle.filter(isOpen).length, isOpen(other)]).toEqual([18, true]);
    // Its place is free again, so the next one displaces nobody.
    expect(await small.ask(parent, '/quick')).toBe(200);
    expect(idle.filter(isOpen)).toHaveLength(18);
  });

  test('W4 a connection that waits for its answer is not idle', async () => {
    const small = await openSmall({ connections: { ...connections, most: 2 } });
    const busy = await small.dial(greedy, 'GET /api/hold HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const idle = await small.dial(greedy);
    expect(await small.ask(parent, '/quick')).toBe(200);
    await expect.poll(() => isOpen(idle)).toBe(false);
    expect(isOpen(busy)).toBe(true);
    small.release();
    await expect.poll(busy.answer).toMatch(/^HTTP\/1.1 200 /);
  });

  /** A client that requests much and reads nothing; resolves when its answer has begun. */
  const dialAndStall = async (small: Small, from: string) => {
    const { socket } = await small.dial(from, 'GET /api/large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((begun) => socket.once('data', begun));
    socket.pause();
  };

  test('W4 a connection whose answer nobody reads gives way as an idle one does', async () => {
    const small = await openSmall({ connections: { ...connections, most: 4 } });
    await inOrder(4, () => dialAndStall(small, greedy));
    expect(await small.ask(parent, '/quick')).toBe(200);
  });

  test('W4 of answers that nobody reads so many bytes are held, and who has most of them loses the oldest', async () => {
    const small = await openSmall({ connections: { ...connections, unread: 20 * megabyte } });
    await dialAndStall(small, parent);
    await inOrder(6, () => dialAndStall(small, greedy));
    await expect.poll(() => openConnections(small)).toBe(2);
    expect(await small.ask(parent, '/large')).toBe(200);
    await expect.poll(() => openConnections(small)).toBe(1);
    expect(await small.ask('127.0.0.4', '/large')).toBe(200);
  });

  test('W4 a connection that asks again before it is answered is ended, and nothing else it asked for is worked on', async () => {
    const small = await openSmall();
    const asked = 'GET /api/hold HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const { socket } = await small.dial(greedy, asked.repeat(50));
    await expect.poll(() => socket.closed).toBe(true);
    const two = await small.dial(greedy, asked.replace('hold', 'quick'));
    await expect.poll(two.answer).toMatch(/^HTTP\/1.1 200 /);
    // Answers come one after the other, also after answers without a route.
    for (const [path, status] of [
      ['/api/%zz', '400'],
      [`/${'x'.repeat(5000)}`, '414'],
      ['/api/none', '404'],
      ['/api/quick', '200'],
    ]) {
      two.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await expect
        .poll(() =>
          two
            .answer()
            .match(/HTTP\/1.1 \d+/g)
            ?.at(-1),
        )
        .toBe(`HTTP/1.1 ${status}`);
    }
    small.release();
    await small.app.close();
    expect(small.log().match(/"path":"\/api\/hold"/g) ?? []).toHaveLength(0);
  });

  test('W4 where many are open an idle one is kept for five seconds', async () => {
    const small = await openSmall({ connections });
    const keptFor = async () => {
      const { socket, answer } = await small.dial(parent, 'GET /api/quick HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await expect.poll(answer).toMatch(/keep-alive: timeout=\d+/i);
      socket.destroy();
      return Number(/keep-alive: timeout=(\d+)/i.exec(answer())?.[1]);
    };
    expect(await keptFor()).toBeGreaterThan(30);
    const idle = await inOrder(11, () => small.dial(greedy));
    expect(await keptFor()).toBe(5);
    for (const { socket } of idle) socket.destroy();
    await expect.poll(keptFor).toBeGreaterThan(30);
  });

  test('W4 connections of a trusted proxy are many people’s: they give way last, and its requests count by who sent them', async () => {
    const small = await openSmall({ connections }, [greedy]);
    const direct = await small.dial(parent);
    const ofProxy = await inOrder(19, () => small.dial(greedy));
    expect(await small.ask('127.0.0.4', '/quick')).toBe(200);
    await expect.poll(() => isOpen(direct)).toBe(false);
    expect(ofProxy.filter(isOpen)).toHaveLength(19);
    for (const { socket } of ofProxy) socket.destroy();

    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    await countOf(
      times(10, () => small.ask(greedy, '/hold', from('203.0.113.1'))),
      503,
      4,
    );
    expect(await small.ask(greedy, '/quick', from('203.0.113.2'))).toBe(200);
  });
});

describe('the log', () => {
  const linesWith = (log: string, words: string) => log.split('\n').filter((line) => line.includes(words));

  test('W4 C6 what was refused is one line with counts and the network that was refused most, and no line for each', async () => {
    const small = await openSmall();
    const held = times(16, () => small.ask(greedy, `/hold?inquiryNo=${links[0]}`));
    await countOf(held, 503, 10);
    small.release();
    await countOf(held, 200, 6);
    await small.app.close();
    const [line, ...rest] = linesWith(small.log(), 'The server is busy');
    expect([JSON.parse(line ?? '{}'), rest]).toMatchObject([{ refused: { work: 10 }, mostFrom: greedy, ofIt: 10 }, []]);
    expect(linesWith(small.log(), '"path":"/api/hold"')).toHaveLength(6);
    expect(small.log()).not.toMatch(/stack|Request failed/);
    expect(small.log()).not.toContain(links[0]);
  });

  test('W4 a proxy that nobody trusts is warned about once, and a trusted one is not', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    const small = await openSmall();
    await small.ask(greedy, '/quick');
    expect(linesWith(small.log(), 'TRUSTED_PROXIES')).toHaveLength(0);
    await small.ask(greedy, '/quick', { headers });
    await small.ask(greedy, '/quick', { headers: { forwarded: 'for=203.0.113.1' } });
    expect(linesWith(small.log(), 'Set TRUSTED_PROXIES=127.0.0.2 and restart the server.')).toHaveLength(1);
    const trusting = await openSmall({}, [greedy]);
    await trusting.ask(greedy, '/quick', { headers });
    expect(linesWith(trusting.log(), 'TRUSTED_PROXIES')).toHaveLength(0);
  });
});
