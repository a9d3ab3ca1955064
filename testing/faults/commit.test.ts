import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionSettings } from '#kit/server/database/database.ts';
import { form, openOwnSchool, paper, type School } from '../school.ts';
import { type App, startApp } from './app.ts';
import { begin, breachesOf } from './outcome.ts';
import { compareFiles } from './verify.ts';

let school: School;
let app: App;
let line: Server;
let losesNextCommit = false;
const ourKey = 'lost-answer-1';

// A connection to the database that passes on a commit and breaks before its answer returns.
beforeAll(async () => {
  school = await openOwnSchool();
  const database = new URL(school.config.databaseUrl);
  const port = Number(database.port);
  line = createServer((near) => {
    const far = connect(port, database.hostname);
    let [isOurs, isLost] = [false, false];
    near.on('data', (data) => {
      // The server seals its audit every few seconds, with its own commit.
      isOurs ||= data.includes(ourKey);
      if (losesNextCommit && isOurs && data.includes('commit')) {
        losesNextCommit = false;
        isLost = true;
      }
      far.write(data);
    });
    far.on('data', (data) => (isLost ? near.destroy() : near.write(data)));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const)
      socket.on('error', () => undefined).on('close', () => other.destroy());
  });
  await new Promise<void>((done) => line.listen(0, '127.0.0.1', done));
  database.host = `127.0.0.1:${(line.address() as { port: number }).port}`;
  // With unnamed statements, every statement's text is visible on the connection; the login then brings its settings.
  const [login, name] = [decodeURIComponent(database.username), database.pathname.slice(1)];
  const settings = Object.entries(sessionSettings(1)).map(
    ([setting, value]) => `alter role "${login}" in database "${name}" set ${setting} = '${value}'`,
  );
  await school.sql(["select similarity('', '')", ...settings].join('; '));
  const environment = { DATABASE_URL: database.href, DATABASE_NAMED_STATEMENTS: 'off' };
  app = await startApp(school, { environment });
});
afterAll(async () => {
  await app?.kill();
  line.close();
  await school.close();
});

test('D10 K1 J3 an upload that was kept without our learning of it has its file, and repeated it is not made twice', async () => {
  const family = await app.family();
  const body = form({ documentName: 'Birth Certificate' }, { DocumentIFormFile: await paper('Birth Certificate') });
  const upload = () => family.post('documents', body, { 'idempotency-key': ourKey });

  losesNextCommit = true;
  expect((await upload()).status).toBe(503);
  const again = await upload();
  expect([again.status, again.json.data.resultList.length]).toEqual([200, 1]);
  const [{ documentFilePath }] = again.json.data.resultList;
  expect((await family.get(`files/${documentFilePath}`)).status).toBe(200);
  const outcome = begin('answer to a commit lost');
  await compareFiles(school, outcome);
  expect(breachesOf(outcome)).toEqual([]);
});
