import { type NodePath, parseSync, type types as t, traverse } from '@babel/core';
import type { ExtractorType } from '@lingui/conf';

interface Found {
  id: string;
  message: string;
  context?: string;
  line: number;
}

/**
 * Finds the texts of a file: in the tag `text`, in calls of `text` and in `options`. Throws where a text is not
 * literal, or a page shows words outside a macro: neither could be translated.
 */
export function textsOf(filename: string, code: string): Found[] {
  const found: Found[] = [];
  const program = parseSync(code, {
    filename,
    configFile: false,
    babelrc: false,
    parserOpts: { plugins: filename.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
  });
  const refuse = (node: t.Node, why: string): never => {
    throw new Error(`${filename}:${node.loc?.start.line}: ${why}`);
  };
  const add = (node: t.Node, message: string, context?: string) => {
    const id = context ? `${context}: ${message}` : message;
    found.push({ id, message, ...(context && { context }), line: node.loc?.start.line ?? 0 });
  };
  const stringIn = (node: t.Node | undefined): string | undefined => {
    if (node?.type === 'StringLiteral') return node.value;
    return node?.type === 'TemplateLiteral' && node.expressions.length === 0
      ? (node.quasis[0]?.value.cooked ?? undefined)
      : undefined;
  };

  const ours = new Set<string>();
  const isOurs = (node: t.Node, name: string) => node.type === 'Identifier' && node.name === name && ours.has(name);

  traverse(program as t.File, {
    ImportDeclaration({ node }) {
      if (!/\/contract\/text\.ts$|^\.\/text\.ts$/.test(node.source.value)) return;
      for (const { local } of node.specifiers) ours.add(local.name);
    },
    TaggedTemplateExpression({ node }) {
      if (!isOurs(node.tag, 'text')) return;
      const names = node.quasi.expressions.map((value) => {
        const [property] = value.type === 'ObjectExpression' ? value.properties : [];
        if (property?.type !== 'ObjectProperty' || property.key.type !== 'Identifier')
          return refuse(value, 'Label the value, as {{ name }}.');
        return property.key.name;
      });
      const words = node.quasi.quasis.map(
        ({ value }, place) => `${value.cooked}${place < names.length ? `{${names[place]}}` : ''}`,
      );
      add(node, words.join(''));
    },
    CallExpression({ node }) {
      if (isOurs(node.callee, 'options')) {
        for (const word of node.arguments) {
          const words = stringIn(word);
          if (words === undefined) refuse(word, 'Write the words of options in the call.');
          else add(word, words);
        }
      }
      if (!isOurs(node.callee, 'text')) return;
      const [words] = node.arguments;
      const properties = words?.type === 'ObjectExpression' ? words.properties : [];
      const wordsOf = (name: string) => {
        const property = properties.find(
          (property) =>
            property.type === 'ObjectProperty' && property.key.type === 'Identifier' && property.key.name === name,
        );
        return property?.type === 'ObjectProperty' ? stringIn(property.value) : undefined;
      };
      const message = wordsOf('message');
      if (message === undefined) refuse(node, 'Write the message of a text in the call.');
      else add(node, message, wordsOf('context'));
    },
    JSXText(path) {
      if (/\p{L}{2}/u.test(path.node.value) && !isInMacro(path)) refuse(path.node, 'Put these words into <Trans>.');
    },
  });
  return found;
}

const isInMacro = (path: NodePath): boolean =>
  path.findParent(
    ({ node }) =>
      node.type === 'JSXElement' &&
      node.openingElement.name.type === 'JSXIdentifier' &&
      ['Trans', 'kbd'].includes(node.openingElement.name.name),
  ) !== null;

/** For Lingui: the texts of contracts, server and pages, without a build. */
export const textExtractor: ExtractorType = {
  match: (filename) => /\.tsx?$/.test(filename),
  extract(filename, code, onFound) {
    // Most files contain neither.
    if (!/\btext[`(]|\boptions\(|<\/|\/>/.test(code)) return;
    for (const { line, context, ...text } of textsOf(filename, code))
      onFound({ ...text, origin: [filename, line], placeholders: {}, comment: context });
  },
};
