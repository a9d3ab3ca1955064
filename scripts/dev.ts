// `npm run dev`: the server restarts and the pages reload on every change. Vite serves the pages on PORT and proxies
// the rest to the server.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readCommandLine } from './command-line.ts';

readCommandLine({
  command: 'npm run dev',
  does: 'Serves the demo school on PORT and reloads it on every change; the server itself listens on PORT + 1.',
});
const [
  { run },
  { findEntry },
  { readConfig },
  { stopOnSignal },
  { folder, provideDatabase },
  { copyDemo, makeDemo, showDemo },
  { say },
] = await Promise.all([
  import('../src/app/run.ts'),
  import('../src/app/served-pages.ts'),
  import('../src/kit/server/config.ts'),
  import('../src/kit/server/signals.ts'),
  import('./database.ts'),
  import('./demo.ts'),
  import('./say.ts'),
]);

const root = join(import.meta.dirname, '..');
const port = Number(process.env.PORT ?? 3000);
const serverPort = port + 1;

const template = copyDemo(folder);
const stopDatabase = await provideDatabase();
// A server that stops right away shows the demo school's links; the one below restarts at every change.
const config = readConfig({
  ...process.env,
  PORT: String(serverPort),
  PUBLIC_URL: `http://localhost:${port}`,
  LOG_LEVEL: 'warn',
});
try {
  await makeDemo(config, template);
  const first = await run(config, showDemo(config));
  await first.stop();
} catch (error) {
  say(`Shala did not start: ${(error as Error).message}`);
  await stopDatabase();
  process.exit(1);
}

const server = spawn(process.execPath, ['--watch', '--watch-path=src', 'src/server.ts'], {
  cwd: root,
  env: {
    ...process.env,
    NODE_ENV: 'development',
    PORT: String(serverPort),
    PUBLIC_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'info',
  },
  stdio: 'inherit',
});

const { createServer } = await import('vite');
const toServer = `http://localhost:${serverPort}`;
const vite = await createServer({
  root,
  configFile: join(root, 'vite.config.ts'),
  server: {
    port,
    strictPort: true,
    proxy: { '/api': toServer, '/dev': toServer, '/healthz': toServer, '/readyz': toServer },
  },
  plugins: [
    {
      name: 'pages',
      // The same addresses as those of the built server.
      configureServer: ({ middlewares }) => {
        middlewares.use((request, _response, next) => {
          const [path = '', query] = (request.url ?? '').split('?');
          const entry = path === '/' ? 'browser.html' : path === '/dev/kit' ? 'kit.html' : findEntry(path);
          if (entry) request.url = `/${entry}${query ? `?${query}` : ''}`;
          next();
        });
      },
    },
  ],
});
// Vite ends the process once it is closed, before the database has stopped.
process.removeAllListeners('SIGTERM');
await vite.listen();
say(`Ready on http://localhost:${port}, reloading on every change`);

stopOnSignal(async () => {
  server.kill('SIGTERM');
  await vite.close();
  await stopDatabase();
});
