import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { say } from './say.ts';

const root = join(import.meta.dirname, '..');
const inputs = ['src/**/*', 'public/*', '*.html', 'vite.config.ts', 'scripts/build.ts', 'package-lock.json'];

/** Builds the pages into dist/ unless they already are as the sources say. */
export async function buildPages() {
  const stamp = join(root, 'dist/.stamp');
  const sources = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;

  say('Building the pages');
  const { build } = await import('vite');
  const { NODE_ENV } = process.env;
  const common = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' } as const;
  await build(common);
  // The first page's words for the server, in one file: nothing is looked up in node_modules at its start.
  await build({
    ...common,
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: { ssr: 'src/first-paint.tsx', outDir: 'dist/first-paint', manifest: false, rolldownOptions: {} },
  });
  // Vite leaves "production" behind, which would make this very process a production server.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  await compress();
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, sources);
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync(inputs, { cwd: root, exclude: (name) => name.endsWith('.test.ts') }).sort();
  for (const file of files) {
    if (/\.[a-z]+$/.test(file)) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** Compresses once at build time what would otherwise be compressed at every download. */
async function compress() {
  const files = globSync('dist/assets/*.{js,css}', { cwd: root });
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(join(root, file));
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
      writeFileSync(join(root, `${file}.br`), await promisify(brotliCompress)(bytes, quality));
      writeFileSync(join(root, `${file}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}
