import { parseSync, traverse } from '@babel/core';
import type { Plugin } from 'vite';

/**
 * Leaves schemas out of the pages: those of answers, which only the server checks and which are half of all schemas; of the
 * family page, which has no form of the kit, also those of inputs, and with them the package of schemas.
 */
export function withoutSchemas(...names: ('output' | 'input')[]): Plugin {
  return {
    name: `without-${names.join('-')}`,
    enforce: 'pre',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    transform: {
      filter: { id: /\/src\/features\/[^/]+\/contract[/.]/, code: 'endpoint(' },
      handler(code) {
        const left: [number, number, string][] = [];
        const tree = parseSync(code, { babelrc: false, configFile: false, parserOpts: { plugins: ['typescript'] } });
        if (!tree) return code;
        traverse(tree, {
          CallExpression({
            node: {
              callee,
              arguments: [given],
            },
          }) {
            if (callee.type !== 'Identifier' || callee.name !== 'endpoint' || given?.type !== 'ObjectExpression')
              return;
            for (const part of given.properties)
              if (part.type === 'ObjectProperty' && part.key.type === 'Identifier') {
                const { name } = part.key;
                if (names.some((one) => one === name)) left.push([part.start ?? 0, part.end ?? 0, name]);
              }
          },
        });
        return left.reduceRight(
          (text, [start, end, name]) =>
            `${text.slice(0, start)}${name}: ${name === 'input' ? '{}' : 'undefined'}${text.slice(end)}`,
          code,
        );
      },
    },
  };
}
