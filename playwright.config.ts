import { defineConfig } from '@playwright/test';

const port = Number(process.env.E2E_PORT ?? 21470);
process.env.E2E_PORT = String(port);

// Debian's Chromium, kept from contacting any server but the one under test.
const launchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

export default defineConfig({
  testDir: '.',
  testMatch: ['e2e/*.spec.ts', 'src/features/*/*.spec.ts'],
  globalTeardown: './e2e/no-codes.ts',
  outputDir: 'var/e2e-results',
  fullyParallel: true,
  workers: 2,
  // Wide enough for a busy machine.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: process.env.E2E_RESULTS ?? 'var/results/e2e.json' }]],
  // A click that waits for something in front of it is named, long before the test’s own limit.
  use: {
    actionTimeout: 60_000,
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions,
    viewport: { width: 1280, height: 800 },
    locale: 'en-IN',
    // Readers chose English on their device; a family's answer would change the form's language otherwise.
    storageState: {
      cookies: [
        {
          name: 'language',
          value: 'en',
          domain: '127.0.0.1',
          path: '/',
          expires: -1,
          httpOnly: false,
          secure: true,
          sameSite: 'Lax',
        },
      ],
      origins: [],
    },
    // Pages keep the school's days and times wherever the device thinks it is.
    timezoneId: 'America/Los_Angeles',
  },
  webServer: {
    // No shell in between, so that the server notices when Playwright ends.
    command: `exec ${JSON.stringify(process.execPath)} testing/e2e-server.ts`,
    url: `http://127.0.0.1:${port}/healthz`,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    timeout: 60_000,
    stdout: 'pipe',
  },
});
