import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { educationAnswers } from '#database/seed/answers.ts';
import { type Family, openOwnSchool, type Postgres, type School } from '../school.ts';
import { type App, end, startApp } from './app.ts';
import { begin, type Outcome } from './outcome.ts';
import { drip, openClient, uploadInPieces, within } from './slow-client.ts';

async function withApp(
  scenario: string,
  postgres: Postgres | undefined,
  act: (app: App, outcome: Outcome, school: School) => Promise<void>,
) {
  const outcome = begin(scenario);
  const school = await openOwnSchool({}, postgres);
  const app = await startApp(school);
  try {
    await act(app, outcome, school);
  } finally {
    await app.kill();
    await school.close();
  }
  return outcome;
}

/** Headers may take ten seconds, checked every second; a body below the minimum rate three checks of five seconds. */
const shedWithin = { headers: 12_500, body: 21_000 };

/** More clients that hardly send than there are places: families are served, and those clients are ended (J11). */
export const slowClients = (clients: number, postgres?: Postgres): Promise<Outcome> =>
  withApp('slow clients', postgres, async (app, outcome) => {
    const family = await app.family();
    const { head, body } = await uploadInPieces(family);
    const shed = Array.from({ length: clients }, async (_, number) => {
      const isBody = number % 2 === 0;
      const client = await openClient(app.port);
      client.send(isBody ? head : 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
      if (isBody) client.send(body.subarray(0, 1000));
      drip(client, isBody ? 'x' : 'X-Slow: x\r\n', 1000);
      const took = await within(isBody ? shedWithin.body : shedWithin.headers, client.ended);
      if (took === undefined) outcome.breaches.push(`a client with slow ${isBody ? 'body' : 'headers'} was not shed`);
      client.socket.destroy();
    });
    let isOver = false;
    const saving = (async () => {
      while (!isOver) {
        await save(family, outcome);
        await pause(250);
      }
    })();
    await Promise.all(shed);
    isOver = true;
    await saving;
    outcome.runs = clients;
    await refuseTooManyConnections(app, outcome);
  });

/** A save that must succeed under all conditions. */
async function save(family: Family, outcome: Outcome) {
  const started = performance.now();
  const { status } = await family.saveAdditionalInfo();
  outcome.worstFirstAnswer = Math.max(outcome.worstFirstAnswer, performance.now() - started);
  if (status === 200) outcome.acknowledged++;
  else outcome.breaches.push(`a family's save was answered ${status}`);
}

/** Connections beyond the server's limit are closed immediately. */
async function refuseTooManyConnections(app: App, outcome: Outcome) {
  const clients = await Promise.all(Array.from({ length: 1100 }, () => openClient(app.port)));
  await pause(300);
  const open = clients.filter(({ socket }) => !socket.destroyed);
  if (open.length > 1000) outcome.breaches.push(`${open.length} connections were open at once`);
  for (const { socket } of clients) socket.destroy();
}

/** The number of clients the server can serve at once, and the factor by which they then grow (J12). */
const held = 150;
const times = 4;
/**
 * Half of the refusals come within this many milliseconds (faster than a timeout for a connection), and the slowest
 * within the limit of a failing database.
 */
const earlyWithin = { half: 900, all: 6000 };

/**
 * Four times the sustainable load: requests that would wait too long are refused early, the others succeed, and nothing
 * is lost.
 */
export const overload = (seconds: number, postgres?: Postgres): Promise<Outcome> =>
  withApp('overload', postgres, async (app, outcome, school) => {
    const markers = new Set<string>();
    const press = async (clients: number, forSeconds: number) => {
      // A form may be saved 200 times an hour: after 150 saves the test uses another family.
      const families: Family[][] = [];
      while (families.length < clients)
        families.push([await app.family(), await app.family(), await app.family(), await app.family()]);
      const until = performance.now() + forSeconds * 1000;
      const seen = { done: 0, refusals: [] as number[] };
      const work = families.map(async (own, who) => {
        for (let turn = 0; performance.now() < until; turn++) {
          const step = turn % 150;
          const family = own[Math.floor(turn / 150)];
          if (!family) return;
          const marker = `Load ${clients}-${who}-${turn}`;
          const sent = performance.now();
          // A family may add thirty schools and send thirty files an hour; after that the test saves page 4 repeatedly.
          const what = step >= 30 ? 'page' : step % 10 === 9 ? 'paper' : 'school';
          const answer =
            what === 'page'
              ? await family.saveAdditionalInfo({ reasonsForAdmission: marker })
              : what === 'paper'
                ? await family.upload('Other', { otherDocumentDescription: marker })
                : await family.post('education-history', { ...educationAnswers, schoolName: marker });
          if (answer.status === 200) {
            seen.done++;
            if (what === 'school') markers.add(marker);
          } else if (answer.status === 503) {
            seen.refusals.push(performance.now() - sent);
            if (!answer.headers['retry-after']) outcome.breaches.push('a refusal does not say when to try again');
            await pause(100);
          } else if (answer.status !== 409) {
            // A form has one document of each name.
            outcome.breaches.push(`overload was answered ${answer.status}: ${answer.text.slice(0, 100)}`);
          }
        }
      });
      await Promise.all(work);
      return seen;
    };

    const alone = await press(held, seconds / 2);
    if (alone.refusals.length > 0)
      outcome.breaches.push(`${alone.refusals.length} were refused under the load it holds`);
    const before = memoryOf(app);
    const [crowded, isAlive] = await Promise.all([
      press(held * times, seconds),
      pause(seconds * 500).then(async () => (await app.send({ url: '/healthz' })).status === 200),
    ]);
    const after = memoryOf(app);
    outcome.runs = 1;
    outcome.acknowledged = alone.done + crowded.done;
    const refusals = crowded.refusals.sort((refusal, other) => refusal - other);
    const [median = 0, slowest] = [refusals[refusals.length >> 1], refusals.at(-1)];
    if (slowest === undefined) outcome.breaches.push('nobody was refused under four times the load');
    else if (median > earlyWithin.half) outcome.late.push(`half of the refusals took ${Math.round(median)} ms`);
    else if (slowest > earlyWithin.all) outcome.late.push(`the slowest refusal took ${Math.round(slowest)} ms`);
    if (!isAlive) outcome.breaches.push('/healthz failed under load');
    if (crowded.done < alone.done / 2) outcome.breaches.push(`only ${crowded.done} were done, against ${alone.done}`);
    if (after - before > 250) outcome.breaches.push(`memory grew by ${after - before} MB`);

    const ended = performance.now();
    await save(await app.family(), outcome);
    outcome.worstFirstAnswer = performance.now() - ended;
    const rows = await school.sql(
      'select school_name as name, count(*)::int as times from admission_education group by 1',
    );
    const kept = new Set(rows.map(({ name }) => name));
    outcome.lost = [...markers].filter((marker) => !kept.has(marker)).length;
    outcome.doubled = rows.filter(({ times }) => Number(times) > 1).length;
  });

/** The memory of the server's process in megabytes. */
function memoryOf(app: App): number {
  const status = readFileSync(`/proc/${app.child().pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** Running requests finish when the server is stopped, no new ones start, and it exits with 0 (J13). */
export const stopInFlight = (runs: number, postgres?: Postgres): Promise<Outcome> =>
  withApp('told to stop', postgres, async (app, outcome) => {
    for (; outcome.runs < runs; outcome.runs++) {
      if (outcome.runs > 0) await app.start();
      const family = await app.family();
      const { head, body } = await uploadInPieces(family);
      const uploading = await openClient(app.port);
      uploading.send(head);
      uploading.send(body.subarray(0, 5000));
      const asking = await openClient(app.port);
      asking.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /read');
      while (!asking.answer()) await pause(5);

      const stopped = performance.now();
      const ended = end(app.child(), 'SIGTERM');
      while (
        await app.send({ url: '/healthz' }).then(
          () => true,
          () => false,
        )
      )
        await pause(10);
      asking.send('yz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await pause(300);
      uploading.send(body.subarray(5000));
      const code = await ended;
      const took = performance.now() - stopped;
      if (code !== 0) outcome.breaches.push(`it ended with ${code}`);
      if (took > 20_000) outcome.late.push(`stopping took ${Math.round(took)} ms`);
      if (!/HTTP\/1.1 503 .*"not ready"/s.test(asking.answer())) outcome.breaches.push('readiness was not false');
      if (/HTTP\/1.1 200 /.test(uploading.answer())) outcome.acknowledged++;
      else outcome.breaches.push(`an upload under way was answered ${JSON.stringify(uploading.answer().slice(0, 80))}`);
    }
  });

/** A request that never ends delays the stop by twenty seconds, or until a second signal (J13). */
export const stopDespite = (signals: 1 | 2, postgres?: Postgres): Promise<Outcome> =>
  withApp(signals === 1 ? 'told to stop, one hangs' : 'told twice', postgres, async (app, outcome) => {
    const { head, body } = await uploadInPieces(await app.family());
    const hanging = await openClient(app.port);
    hanging.send(head);
    hanging.send(body.subarray(0, 1000));
    // Fast enough not to be ended, and never complete.
    drip(hanging, 'x'.repeat(Math.min(600, Math.floor(body.length / 100))), 250);
    await pause(300);
    const stopped = performance.now();
    const ended = end(app.child(), 'SIGTERM');
    await pause(1000);
    if (app.child().exitCode !== null) outcome.breaches.push('it did not wait for what was under way');
    if (signals === 2) app.child().kill('SIGTERM');
    const code = await ended;
    const took = performance.now() - stopped;
    const [expectedCode, most] = signals === 1 ? [0, 22_000] : [1, 2000];
    if (code !== expectedCode) outcome.breaches.push(`it ended with ${code}`);
    if (took > most) outcome.late.push(`stopping took ${Math.round(took)} ms`);
    outcome.runs = 1;
    hanging.socket.destroy();
  });
