import { defineConfig } from 'vitest/config';

const tests = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'testing/**/*.test.ts'];
// It is run in a copy of the product where it stands among the features.
const planted = 'testing/planted-feature/**';
const faults = ['testing/faults/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['testing/postgres.ts'],
    // A test that hangs ends; one that is slow because the machine is busy does not.
    testTimeout: process.env.SOAK === 'on' ? 600_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'works',
          include: tests,
          exclude: [...faults, planted],
          setupFiles: ['testing/each-file.ts'],
          // Files share what is loaded, which costs more than most of them; what they use of it is their own school.
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      // The browser's side of the kit, in a document without a browser (decision 0051).
      {
        extends: './vite.config.ts',
        test: {
          name: 'components',
          include: ['src/**/*.test.tsx'],
          environment: 'happy-dom',
          testTimeout: 30_000,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      // These kill servers and databases under load, so they come afterwards, two at a time.
      {
        extends: true,
        test: { name: 'faults', include: faults, maxWorkers: 2, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
