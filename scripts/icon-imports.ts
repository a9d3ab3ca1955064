import type { Plugin } from 'vite';

const barrel = /import \{([^{}]{1,2000})\} from '@tabler\/icons-react';/g;

/**
 * Imports each icon from its own file: through the package's index every icon of the product would be loaded with the first
 * page that has one.
 */
export function iconImports(): Plugin {
  return {
    name: 'icon-imports',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { code: "'@tabler/icons-react'" },
      handler: (code) => ({
        code: code.replace(barrel, (_, names: string) =>
          names
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== '' && !name.startsWith('type '))
            .map((name) => `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs';`)
            .join(''),
        ),
        map: null,
      }),
    },
  };
}
