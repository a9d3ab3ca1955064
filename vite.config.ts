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
  optimizeDeps: { entries: ['form.html', 'browser.html'] },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
