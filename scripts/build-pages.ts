// Builds the pages into dist/. `buildPages` runs it in a child process, so that the build's memory is freed with it.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { workApart } from './apart.ts';
import { chunkGroups } from './chunk-groups.ts';
import { featureCatalogues } from './feature-catalogues.ts';
import { inPlaceOfReact, keepsItsCalls } from './in-place-of-react.ts';
import { withoutSchemas } from './without-schemas.ts';

const root = join(import.meta.dirname, '..');
const common = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' } as const;

setPriority(10); // A demo school that is made at the same time takes longer, and goes first.

// The form, the family page and the shell are built separately, so that none loads package code that only another uses.
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
            // One file for the first page and one shared by later pages: many small files compress worse.
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
    plugins: [featureCatalogues()],
    build: {
      manifest: '.vite/browser.json',
      emptyOutDir: false,
      rolldownOptions: { input: 'browser.html', output: { codeSplitting: { groups: chunkGroups() } } },
    },
  });
  // The page of a guardian's link, which needs neither a router nor the kit's forms, and so no schema.
  await build({
    ...common,
    publicDir: false,
    plugins: [withoutSchemas('input'), keepsItsCalls],
    resolve: { alias: inPlaceOfReact },
    build: {
      manifest: '.vite/family.json',
      emptyOutDir: false,
      rolldownOptions: {
        input: 'family.html',
        treeshake: {
          manualPureFunctions: ['z', 'oneOf', 'freeText', 'optionalFreeText', 'calendarDay', 'rule', 'text', 'options'],
          moduleSideEffects: [{ test: /\/contract\//, sideEffects: false }],
        },
        output: { codeSplitting: { groups: [{ name: 'family', tags: ['$initial'] }] } },
      },
    },
  });
  // The server's copy of the first page, in one file, so that nothing is loaded from node_modules at start.
  await build({
    ...common,
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: { ssr: 'src/first-paint.tsx', outDir: 'dist/first-paint' },
  });
  // Programs that open files, one a process: loading TypeScript costs each process 150 ms.
  await build({
    ...common,
    publicDir: false,
    build: {
      ssr: true,
      outDir: 'dist/work',
      rolldownOptions: { input: globSync('src/kit/server/work/*-work.ts', { cwd: root }) },
    },
  });
  // The kit's gallery, separate from what families and staff load.
  await build({
    ...common,
    base: '/dev/kit/',
    publicDir: false,
    build: { outDir: 'dist/kit', chunkSizeWarningLimit: 1000, rolldownOptions: { input: 'kit.html' } },
  });
  await compress();
});

/** Compresses at build time, which would otherwise happen at every download. */
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
