import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Two entries: the parents' form, and everything else. They share the kit and React, nothing of the shell.
const pages = {
  input: ['form.html', 'browser.html'],
  // Fields and uploads, with all that they are made of, are one file: every page of the form needs them, and many small
  // files are larger together.
  output: { codeSplitting: { groups: [{ name: 'fields', test: /kit.browser.form.(fields|Upload)/ }] } },
};

export default defineConfig(({ mode }) => ({
  plugins: [
    react(),
    lingui(),
    babel({
      include: /\/src\/.*\.tsx$/,
      plugins: ['@lingui/babel-plugin-lingui-macro'],
    }),
  ],
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    // The gallery of the kit is built by itself: a third entry here would divide the files of the other two differently.
    rolldownOptions: mode === 'kit' ? { input: 'kit.html' } : pages,
  },
}));
