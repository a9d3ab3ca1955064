import type { Plugin } from 'vite';

/** What draws the page of a guardian's link: React itself would be three quarters of its script. */
export const inPlaceOfReact = { react: 'preact/compat', 'react-dom': 'preact/compat' };

/** Preact is minified, and one of its functions has the name of schemas, whose calls are left out where nothing uses them. */
export const keepsItsCalls: Plugin = {
  name: 'keeps-its-calls',
  transform: {
    filter: { id: /\/node_modules\/preact\// },
    handler: (code) => code.replace(/\bz\b/g, 'z_'),
  },
};
