// Runs every npm script: `node scripts/run.mjs <command>` installs Node 24 and the locked packages where missing, then
// starts scripts/<command>.ts. Plain JavaScript with Node's modules only, because the machine's Node may be older.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const neededNode = 24;
const broughtNode = '24.21.0';
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [command, ...rest] = process.argv.slice(2);

// A nested npm reads npm_* variables as its own settings, so none is passed on.
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

const node = findNode();
environment.PATH = `${dirname(node)}:${environment.PATH}`;
install();
// Uploads are short-lived: they stay out of the memory that is costly to collect, which is collected rarely (decisions 0023
// and 0087).
const flags = command === 'start' ? JSON.parse(readFileSync(join(root, 'scripts/server-flags.json'), 'utf8')) : [];
await hand(node, [...flags, join(root, 'scripts', `${command}.ts`), ...rest]);

function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= neededNode) return process.execPath;
  const own = join(root, '.node/node_modules/node/bin/node');
  if (!existsSync(own)) {
    say(`This machine has Node ${process.versions.node}; bringing Node ${broughtNode} into .node/`);
    mkdirSync(join(root, '.node'), { recursive: true });
    npm(['install', '--prefix', join(root, '.node'), '--no-save', '--ignore-scripts=false', `node@${broughtNode}`]);
  }
  return own;
}

function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules/.shala-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  if (rest.length > 0 && existsSync(join(root, 'node_modules'))) refuseWords();
  say('Installing packages');
  npm(['ci', '--include=dev']); // Also under NODE_ENV=production, since the pages are built here.
  writeFileSync(stamp, lock);
}

/** Exits before installing packages where the command only prints its help or refuses its arguments. */
function refuseWords() {
  const { status, stdout } = spawnSync(node, [join(root, 'scripts', `${command}.ts`), ...rest], {
    env: { ...environment, SHALA_ONLY_READS: 'yes' },
    encoding: 'utf8',
  });
  process.stdout.write(stdout);
  if (stdout) process.exit(status ?? 1);
}

function npm(words) {
  const done = spawnSync('npm', [...words, '--loglevel=error'], { cwd: root, env: environment, stdio: 'inherit' });
  if (done.status !== 0) {
    say(`npm ${words[0]} did not succeed. Check the line to the package registry and start again.`);
    process.exit(1);
  }
}

/**
 * Runs the command in its own process group, so that Ctrl-C reaches it once, through this process, and never the
 * database directly.
 */
async function hand(program, words) {
  const child = spawn(program, words, {
    cwd: root,
    env: environment,
    stdio: 'inherit',
    detached: true,
  });
  // A second signal means "end immediately", so each signal is passed on once and none is added.
  let isAsked = false;
  const ask = (signal) => {
    isAsked = true;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ask(signal));

  // npm does not forward SIGTERM; this process notices by its changed parent.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent && !isAsked) ask('SIGTERM');
  }, 300);
  const [code, signal] = await new Promise((done) => child.once('exit', (...ended) => done(ended)));
  clearInterval(watch);
  process.exit(code ?? (signal ? 1 : 0));
}

function say(words) {
  process.stdout.write(`shala: ${words}\n`);
}
