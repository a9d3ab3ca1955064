import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '..');
const prefix = 'catalogue-of:';

/** Loads the texts of a feature with the first of its modules that has any: the shell's first view has no room for all. */
export function featureCatalogues(): Plugin {
  return {
    name: 'feature-catalogues',
    enforce: 'pre',
    resolveId: { filter: { id: /^catalogue-of:/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0catalogue-of:/ },
      handler: (id) => {
        const feature = id.slice(prefix.length + 1);
        return `import { messages } from ${JSON.stringify(join(root, 'src/locales/feature', feature, 'en.po'))};
import { addCatalogue } from ${JSON.stringify(join(root, 'src/kit/browser/text.ts'))};
addCatalogue('en', messages);`;
      },
    },
    transform: {
      filter: { id: /\.tsx$/, code: /["']@lingui\/(core|react)(\/macro)?["']/ },
      handler(code, id) {
        const [source, features, feature] = relative(root, id).split(sep);
        return source === 'src' && features === 'features' ? `import '${prefix}${feature}';${code}` : code;
      },
    },
  };
}
