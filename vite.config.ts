import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// What all builds and `npm run dev` share; scripts/build-pages.ts says what is built.
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

/** A class of a CSS module, named alike in every build: the server draws the first page with the form's own names. */
function shortName(name: string, file: string): string {
  const place = `${relative(import.meta.dirname, file)} ${name}`;
  return `_${createHash('sha256').update(place).digest('base64url').slice(0, 5)}`;
}
