import { basename } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guidePages } from './scripts/guide-pages.ts';
import { iconImports } from './scripts/icon-imports.ts';
import { textCatalogues } from './scripts/text-catalogues.ts';
import { withoutSchemas } from './scripts/without-schemas.ts';

// Settings shared by all builds and `npm run dev`; scripts/build-pages.ts defines the builds.
export default defineConfig({
  plugins: [
    iconImports(),
    // A text beside other nodes gets an element of its own (decision 0111).
    react({ jsxImportSource: '#kit/browser/jsx' }),
    lingui(),
    textCatalogues(),
    babel({
      include: /\/src\/.*\.tsx$/,
      plugins: ['@lingui/babel-plugin-lingui-macro'],
    }),
    guidePages(),
    withoutSchemas('output'),
  ],
  css: { modules: { generateScopedName: scopedName } },
  optimizeDeps: { entries: ['form.html', 'family.html', 'browser.html'] },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Making a schema has no effect, so those that no page uses are left out.
      treeshake: { manualPureFunctions: ['z', 'envelope'] },
    },
  },
});

/** Files of CSS modules by their names. */
const moduleFiles = new Map<string, string>();

/**
 * The name of a class of a CSS module, the same in every build: the server renders the first page with the form's
 * names. Words compress better than hashes.
 */
function scopedName(name: string, file: string): string {
  const module = basename(file, '.module.css');
  const other = moduleFiles.get(module) ?? file;
  if (other !== file) throw new Error(`${file} and ${other} need different names.`);
  moduleFiles.set(module, file);
  return `${module}_${name}`;
}
