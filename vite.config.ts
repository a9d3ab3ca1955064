import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Settings shared by all builds and `npm run dev`; scripts/build-pages.ts defines the builds.
export default defineConfig({
  plugins: [
    react(),
    lingui(),
    babel({
      include: /\/src\/.*\.tsx$/,
      plugins: ['@lingui/babel-plugin-lingui-macro'],
    }),
  ],
  css: { modules: { generateScopedName: shortName } },
  optimizeDeps: { entries: ['form.html', 'browser.html'] },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});

/**
 * The name of a class of a CSS module, the same in every build: the server renders the first page with the form's
 * names.
 */
function shortName(name: string, file: string): string {
  const place = `${relative(import.meta.dirname, file)} ${name}`;
  return `_${createHash('sha256').update(place).digest('base64url').slice(0, 5)}`;
}
