// Builds the pages into dist/. `buildPages` runs it in a process of its own: what the build needs of memory ends with it.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { workApart } from './apart.ts';

const root = join(import.meta.dirname, '..');
const common = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' } as const;

await workApart(async () => {
  await build(common);
  // The first page's words for the server, in one file: nothing is looked up in node_modules at its start.
  await build({
    ...common,
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: { ssr: 'src/first-paint.tsx', outDir: 'dist/first-paint', manifest: false, rolldownOptions: {} },
  });
  // The gallery of the kit, apart from what families and staff load.
  await build({
    ...common,
    mode: 'kit',
    base: '/dev/kit/',
    publicDir: false,
    build: { outDir: 'dist/kit', manifest: false, chunkSizeWarningLimit: 1000 },
  });
  await compress();
});

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
