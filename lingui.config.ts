import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

// English only so far. Text of the contracts is not in a catalogue for English: there its words are its keys.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['src'] }],
  format: formatter({ lineNumbers: false }),
});
