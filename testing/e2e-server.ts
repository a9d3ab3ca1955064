// The server for the browser tests: a fresh database and file store. Through a second port tests create families, since
// data is created, not clicked together; a third one serves the trial language.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OAuth2Server } from 'oauth2-mock-server';
import { allRuns, features } from '../src/app/features.server.ts';
import { buildFolder, buildServer } from '../src/app/server.ts';
import { openServices } from '../src/app/services.ts';
import { createAccount, type NewAccount } from '../src/features/account/api.ts';
import { type Family, seedFamily } from '../src/features/admission-form/seed.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { contextOutside } from '../src/kit/server/context.ts';
import { openKept } from '../src/kit/server/kept.ts';
import { openLog } from '../src/kit/server/log.ts';
import { sealAudit } from '../src/kit/server/security/audit-seal.ts';
import { stopOnSignal } from '../src/kit/server/signals.ts';
import { codesMade } from './codes.ts';
import { testPatience } from './patience.ts';
import { copyDatabase, databaseOf, execute, openTestPostgres } from './postgres.ts';
import { finishRun } from './runs.ts';
import { type NewSession, openSession } from './session.ts';
import { readTexts, readTrialScripts } from './trial.ts';

const port = Number(process.env.E2E_PORT);

const postgres = await openTestPostgres();
const database = `shala_e2e_${process.pid}`;
await copyDatabase(postgres.url, database, postgres.template);
const folder = mkdtempSync(join(tmpdir(), 'shala-e2e-'));

// The fake Google: it signs in the next visitor as the person that the test named.
const provider = new OAuth2Server();
await provider.issuer.keys.generate('RS256');
await provider.start(0, '127.0.0.1');
provider.issuer.url = `http://127.0.0.1:${provider.address().port}`;
let person: Record<string, unknown> = {};
provider.service.on('beforeTokenSigning', ({ payload }) => Object.assign(payload, person));

const config = readConfig({
  PORT: String(port),
  HOST: '127.0.0.1',
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  ...databaseOf(postgres.url, database),
  SHALA_FOLDER: folder,
  SHALA_PATIENCE: String(testPatience),
  OIDC_ISSUER: provider.issuer.url,
  OIDC_CLIENT_ID: 'shala',
  OIDC_NAME: 'Google',
  OIDC_CLIENT_SECRET: 'secret',
});

// Five-character words in answers and the log: none may be a one-time code (A1), except on the page that stands for a
// mailbox.
const words = new Set<string>();
const listen = (text: string) => {
  for (const [word] of text.matchAll(/\b[A-Z0-9]{5}\b/g)) words.add(word);
};
const log = openLog('info', {
  write: (line) => {
    listen(line);
    if (line.startsWith('{"level":50')) process.stdout.write(line);
  },
});
const { services: opened, close } = await openServices(config, log);
// Tests look at what other people did a moment ago.
const services = { ...opened, kept: openKept({ slow: Number.POSITIVE_INFINITY }) };
const app = await buildServer(services, config, log);
app.addHook('onSend', async (request, reply, payload) => {
  if (request.url === '/dev/outbox') return;
  listen(JSON.stringify(reply.getHeaders()));
  if (typeof payload === 'string') listen(payload);
});

// The same school in the trial language, at another port: only the scripts with catalogues differ.
const texts = await readTexts();
const trialScripts = readTrialScripts(buildFolder, texts);
const scriptHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
};
const trial = createServer((request, response) => {
  const script = trialScripts.get(request.url ?? '');
  if (script === undefined) app.routing(request, response);
  else response.writeHead(200, scriptHeaders).end(script);
});

const door = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    answer(request.url ?? '', body && JSON.parse(body)).then(
      (made) => response.end(JSON.stringify(made)),
      (error: Error) => {
        response.statusCode = 500;
        response.end(error.stack);
      },
    );
  });
});

async function answer(
  path: string,
  wanted: Family & NewAccount & NewSession & { statement: string },
): Promise<unknown> {
  if (path === '/google') {
    person = { ...wanted };
    return {};
  }
  if (path === '/codes') return codesTold();
  if (path === '/pages') return features.flatMap(({ pages }) => pages.map((page) => page.path));
  if (path === '/texts') return Object.keys(texts);
  if (path === '/person') return createAccount(contextOutside(services, randomUUID()), 'Test', wanted);
  if (path === '/session') return openSession(services, wanted);
  if (path === '/runs') return doRuns(wanted.accountId);
  if (path === '/family') return seedFamily(app, contextOutside(services, randomUUID()), wanted);
  return execute(config.databaseOwnerUrl, wanted.statement);
}

/** Works at once on what an account has started, in place of the worker that this server does not have. */
async function doRuns(accountId: number) {
  const own = `where finished_at is null and account_id = ${Number(accountId)}`;
  await execute(config.databaseOwnerUrl, `update run set begins_at = null ${own}`);
  const runs = await execute(config.databaseOwnerUrl, `select id from run ${own} order by id`);
  for (const { id } of runs) await finishRun(services, allRuns, Number(id));
  return {};
}

/** The number of one-time codes created, and of those found in an answer, a header or the log. */
async function codesTold() {
  const codes = await codesMade(services);
  return { made: codes.length, told: codes.filter((code) => words.has(code)).length };
}

// Unsealed rows would be a fault after a minute.
let sealing: Promise<unknown> = Promise.resolve();
const sealer = setInterval(() => {
  sealing = sealing.then(() => sealAudit(services)).catch((error: unknown) => log.error({ error }, 'Sealing failed'));
}, 5000);

stopOnSignal(async () => {
  clearInterval(sealer);
  await sealing;
  door.closeAllConnections();
  door.close();
  trial.closeAllConnections();
  trial.close();
  await app.close();
  await provider.stop();
  await close();
  await execute(postgres.url, `drop database ${database} with (force)`);
  await postgres.drop();
  rmSync(folder, { recursive: true, force: true });
});

door.listen(port + 1, '127.0.0.1');
trial.listen(port + 2, '127.0.0.1');
await app.listen({ port, host: '127.0.0.1' });
