import { defineConfig } from '@lingui/conf';
import config from './lingui.config.ts';

/** The catalogues that families read, which are translated; those of the shell are English only. */
const translated = /\/locales\/(form|consent|end|family|family-more)\/\{locale\}$/;

export default defineConfig({
  ...config,
  locales: ['gu', 'hi'],
  catalogs: (config.catalogs ?? []).filter(({ path }) => translated.test(path)),
});
