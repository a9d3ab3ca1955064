// Builds the pages into dist/. `buildPages` runs it in a process of its own: what the build needs of memory ends with it.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { workApart } from './apart.ts';

const root = join(import.meta.dirname, '..');
const common = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' } as const;

// The form and the shell are built apart, so that neither loads what only the other one uses of a package.
await workApart(async () => {
  await build({
    ...common,
    build: {
      manifest: '.vite/form.json',
      cssCodeSplit: false,
      rolldownOptions: {
        input: 'form.html',
        output: {
          codeSplitting: {
            // One file for the first page, one for what several later pages share: many small files are larger together.
            groups: [
              { name: 'form', tags: ['$initial'] },
              { name: 'later', minShareCount: 2 },
            ],
          },
        },
      },
    },
  });
  await build({
    ...common,
    publicDir: false,
    build: { manifest: '.vite/browser.json', emptyOutDir: false, rolldownOptions: { input: 'browser.html' } },
  });
  // The first page's words for the server, in one file: nothing is looked up in node_modules at its start.
  await build({
    ...common,
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: { ssr: 'src/first-paint.tsx', outDir: 'dist/first-paint' },
  });
  // The gallery of the kit, apart from what families and staff load.
  await build({
    ...common,
    base: '/dev/kit/',
    publicDir: false,
    build: { outDir: 'dist/kit', chunkSizeWarningLimit: 1000, rolldownOptions: { input: 'kit.html' } },
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
