import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { textExtractor } from './scripts/text-extractor.ts';

/** Texts of tests, the gallery and the demo school alone. */
const untranslated = [
  'src/**/*.{test,spec,gallery}.{ts,tsx}',
  'src/**/seed.ts',
  'src/kit/browser/gallery/**',
  'src/kit.tsx',
];

// The texts of contracts and server, and those that pages make without a macro. English does not load this catalogue, since
// there the words are the keys.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [{ path: '<rootDir>/src/locales/text/{locale}', include: ['src'], exclude: untranslated }],
  extractors: [textExtractor],
  format: formatter({ lineNumbers: false }),
});
