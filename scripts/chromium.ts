import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { say } from './say.ts';

// The headless shell draws the same pages, and is a third faster.
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Finds a Chromium for the browser tests; installs Debian's where that is allowed. Returns undefined when there is
 * none.
 */
export function provideChromium(): string | undefined {
  const found = () => places.find((place) => place && existsSync(place));
  const isDebian = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;
  if (!found() && isDebian) {
    say('Installing Chromium for the browser tests');
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], { stdio: 'ignore' });
  }
  if (!found())
    say('The browser tests need Chromium: apt-get install chromium-headless-shell, or set CHROMIUM to its path.');
  return found();
}
