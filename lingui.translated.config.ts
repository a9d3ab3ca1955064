import { defineConfig } from '@lingui/conf';
import config from './lingui.config.ts';
import { translatedLanguages } from './src/kit/contract/languages.ts';

/** The catalogues that families read, which are translated; those of the shell are English only. */
const translated = /\/locales\/(form|consent|end|family|family-more)\/\{locale\}$/;

export default defineConfig({
  ...config,
  locales: translatedLanguages,
  catalogs: (config.catalogs ?? []).filter(({ path }) => translated.test(path)),
});
