import { basename } from 'node:path';
import { parseSync, traverse } from '@babel/core';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { guidePages } from './scripts/guide-pages.ts';
import { iconImports } from './scripts/icon-imports.ts';
import { textCatalogues } from './scripts/text-catalogues.ts';

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
    withoutOutputs(),
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

/** Leaves the schemas of answers out of the pages: only the server checks answers, and they are half of all schemas. */
function withoutOutputs(): Plugin {
  return {
    name: 'without-outputs',
    enforce: 'pre',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    transform: {
      filter: { id: /\/src\/features\/[^/]+\/contract(\/.+)?\.ts$/, code: 'endpoint(' },
      handler(code) {
        const outputs: [number, number][] = [];
        const tree = parseSync(code, { babelrc: false, configFile: false, parserOpts: { plugins: ['typescript'] } });
        if (!tree) return code;
        traverse(tree, {
          CallExpression({
            node: {
              callee,
              arguments: [given],
            },
          }) {
            if (callee.type !== 'Identifier' || callee.name !== 'endpoint' || given?.type !== 'ObjectExpression')
              return;
            for (const part of given.properties)
              if (part.type === 'ObjectProperty' && part.key.type === 'Identifier' && part.key.name === 'output')
                outputs.push([part.start ?? 0, part.end ?? 0]);
          },
        });
        return outputs.reduceRight(
          (text, [start, end]) => `${text.slice(0, start)}output: undefined${text.slice(end)}`,
          code,
        );
      },
    },
  };
}

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
