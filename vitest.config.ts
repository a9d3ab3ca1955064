import { defineConfig } from 'vitest/config';
import { inPlaceOfReact } from './scripts/in-place-of-react.ts';
import { testPatience } from './testing/patience.ts';

const tests = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'testing/**/*.test.ts', 'bench/**/*.test.ts'];
// It runs in a copy of the product, in which it is a feature.
const planted = 'testing/planted-feature/**';
const faults = ['testing/faults/*.test.ts'];
// These replace a module, which no other file may have loaded.
const alone = ['src/**/*.alone.test.ts'];
// Node loads TypeScript itself, as in production: a fresh clone has no transformed modules yet. No such test replaces a module.
// The page of a guardian's link, which browsers draw with Preact.
const ofFamily = [
  'src/family-parts.test.tsx',
  'src/features/family/pages/*.test.tsx',
  'src/features/*/ui/Family*.test.tsx',
];
const native = { viteModuleRunner: false, nodeLoader: false };

const components = {
  environment: 'happy-dom',
  // A link changes the address, and loads nothing: the document is that of all tests.
  environmentOptions: { happyDOM: { settings: { navigation: { disableMainFrameNavigation: true } } } },
  setupFiles: ['testing/each-cost.ts', 'testing/each-component.tsx'],
  // They share loaded modules too; the set-up file ends what a test leaves.
  isolate: false,
  testTimeout: 30_000,
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
};

export default defineConfig({
  test: {
    globalSetup: ['testing/postgres.ts'],
    // Ends a test that hangs, but not one that is slow on a busy machine.
    testTimeout: process.env.SOAK === 'on' ? 600_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'works',
          include: tests,
          exclude: [...faults, ...alone, planted],
          setupFiles: ['testing/each-cost.ts', 'testing/each-file.ts'],
          // For the commands that tests run; `openSchool` sets the same.
          env: { SHALA_PATIENCE: String(testPatience) },
          // Test files share loaded modules and the school of a worker, since loading costs more than most of them.
          isolate: false,
          experimental: native,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      // The kit's browser side, in a document without a browser (decision 0051).
      {
        extends: './vite.config.ts',
        test: { name: 'components', include: ['src/**/*.test.tsx'], exclude: ofFamily, ...components },
      },
      {
        extends: './vite.config.ts',
        resolve: {
          alias: {
            ...inPlaceOfReact,
            // Its other files load React itself.
            '@testing-library/react': '@testing-library/react/dist/@testing-library/react.esm.js',
          },
        },
        test: {
          name: 'family',
          include: [...ofFamily, 'src/kit/browser/jsx/*.test.tsx'],
          ...components,
          setupFiles: [...components.setupFiles, 'testing/each-family.tsx'],
          server: { deps: { inline: [/@testing-library/, /@lingui\/react/, /preact/] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          setupFiles: ['testing/each-cost.ts', 'testing/each-file.ts'],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      // These kill servers and databases under load, so they run last, two at a time.
      {
        extends: true,
        test: {
          name: 'faults',
          include: faults,
          setupFiles: ['testing/each-cost.ts'],
          experimental: native,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
