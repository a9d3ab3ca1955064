import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

// English only so far. The text of the contracts has a catalogue of its own, written by `npm run text`; English does not
// load it, since there the words are the keys.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: ['src'], exclude: ['src/locales/**'] },
    { path: '<rootDir>/src/locales/contract/{locale}', include: ['src/locales/contract-text.ts'] },
  ],
  format: formatter({ lineNumbers: false }),
});
