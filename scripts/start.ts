// `npm start`: from a fresh clone to a served demo school, in plain lines.
import { enableCompileCache } from 'node:module';
import { readCommandLine } from './command-line.ts';

readCommandLine({
  command: 'npm start',
  does: 'Builds the pages where they are not, starts a database where DATABASE_URL names none, and serves the school.',
});
enableCompileCache();
process.umask(0o077);

const { stopOnSignal } = await import('../src/kit/server/signals.ts');
const { folder, provideDatabase } = await import('./database.ts');
const { buildPages } = await import('./build.ts');
const { say } = await import('./say.ts');

const undo: (() => Promise<void>)[] = [];
stopOnSignal(async () => {
  say('Stopping');
  for (const act of undo.reverse()) await act();
});

try {
  // Pages and demo are made in child processes, so that on a first start they share the machine's cores.
  const building = buildPages();
  building.catch(() => undefined); // Awaited below, where a failure is printed.
  const { copyDemo, makeDemo, showDemo } = await import('./demo.ts');
  const template = copyDemo(folder);
  undo.push(await provideDatabase());
  const { readConfig, needsTls, checkOpenness, isLoopback } = await import('../src/kit/server/config.ts');
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  checkOpenness(config);
  const { hasDemo } = config;
  await Promise.all([building, hasDemo && makeDemo(config, template)]);
  // After the demo, whose process has loaded the same modules and left them compiled.
  const { run } = await import('../src/app/run.ts');
  const { builtVersion } = await import('../src/kit/server/version.ts');
  const starting = run(config, hasDemo ? showDemo(config) : undefined);
  // The reason of a failed start is printed below.
  undo.push(async () => (await starting.catch(() => undefined))?.stop());
  const { port, warnings } = await starting;

  say(`Shala ${builtVersion()}`);
  say(`Ready on ${process.env.PUBLIC_URL ? config.publicUrl : `http://localhost:${port}`}`);
  if (needsTls(config.publicUrl)) {
    say(
      'WARNING: people would reach this over plain http. Put a proxy with TLS in front and set PUBLIC_URL to https://…',
    );
  }
  if (!isLoopback(config.host) && !process.env.PUBLIC_URL) {
    say(
      'WARNING: other machines can reach this. Put a proxy with TLS in front and set PUBLIC_URL to the address people type.',
    );
  }
  if (config.production && !config.mail) {
    say('WARNING: no mail leaves, so nobody gets a code or a link. Set SMTP_URL and MAIL_FROM.');
  }
  for (const warning of warnings) say(`WARNING: ${warning}`);
  if (!hasDemo) say('Make a first inquiry and its link with: npm run inquiry');
} catch (error) {
  say(`Shala did not start: ${(error as Error).message}`);
  for (const act of undo.reverse()) await act();
  process.exit(1);
}
