// Refuses tests that walk over everything of a kind: over all operations, masters or pages a run grows with the product.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, traverse, types } from '@babel/core';

/** The lists that grow with the product, by the modules that export them. */
const wholes = [
  { module: /(^|\/)features\.(server|browser)\.tsx?$/, names: /^(features|all[A-Z]\w*)$/ },
  { module: /(^|\/)(app|\.)\/server\.ts$/, names: /^all[A-Z]\w*$/ },
  { module: /(^|\/)testing\/matrix\.ts$/, names: /^matrix$/ },
  { module: /(^|\/)product-pages\.ts$/, names: /^(product|shell)Pages$/ },
];

/** What takes one of each kind from a list, or all of them in soak alone. */
const bounds = new Set(['oneOfEach', 'placesOfEachKind', 'isSoak']);

/** A comment above a walk that says why it may meet all: `// Walks all: …`. */
const saidWhy = /(\/\/|\*) Walks all: \S/;

const listMethods = new Set([
  'map',
  'filter',
  'flatMap',
  'sort',
  'toSorted',
  'toReversed',
  'slice',
  'concat',
  'entries',
]);
const containers = new Set(['Object', 'Array', 'Set', 'Map', 'Promise']);

/**
 * The lines of tests that walk a whole list without a bound: `test.each` of it, and a loop or `Promise.all` that waits
 * for each item. A loop that waits for nothing costs microseconds an item and is not meant.
 */
export function unboundedWalks(code: string, filename = 'module.tsx'): string[] {
  // Most tests name none of the lists: parsing them all takes seconds.
  const sources = [...code.matchAll(/from '([^']+)'/g)].map(([, source = '']) => source);
  if (!wholes.some(({ module }) => sources.some((source) => module.test(source)))) return [];
  const tree = parseSync(code, {
    configFile: false,
    babelrc: false,
    filename,
    parserOpts: { plugins: ['typescript', ...(filename.endsWith('x') ? (['jsx'] as const) : [])] },
  });
  if (!tree) return [];
  const whole = new Set<string>();

  /** Whether an expression is such a list, or is made of one. */
  const isWhole = (node: types.Node | null | undefined): boolean => {
    if (!node) return false;
    if (types.isIdentifier(node)) return whole.has(node.name);
    if (types.isTSAsExpression(node) || types.isTSSatisfiesExpression(node)) return isWhole(node.expression);
    if (types.isSpreadElement(node) || types.isAwaitExpression(node)) return isWhole(node.argument);
    if (types.isArrayExpression(node)) return node.elements.some(isWhole);
    if (types.isConditionalExpression(node)) return isWhole(node.consequent) || isWhole(node.alternate);
    if (types.isArrowFunctionExpression(node)) return isWhole(node.body);
    if (types.isNewExpression(node)) return node.arguments.some(isWhole);
    if (!types.isCallExpression(node)) return false;
    const { callee } = node;
    if (types.isIdentifier(callee))
      return whole.has(callee.name) || (!bounds.has(callee.name) && node.arguments.some(isWhole));
    if (!types.isMemberExpression(callee)) return false;
    const isContainer = types.isIdentifier(callee.object) && containers.has(callee.object.name);
    if (isContainer) return node.arguments.some(isWhole);
    return types.isIdentifier(callee.property) && listMethods.has(callee.property.name) && isWhole(callee.object);
  };
  const isBounded = (node: types.Node) =>
    (code.slice(node.start ?? 0, node.end ?? 0).match(/\w+/g) ?? []).some((name) => bounds.has(name));

  const found: string[] = [];
  /** Where a test that only soak runs ends. */
  let endOfSoak = 0;
  const lines = code.split('\n');
  const report = (node: types.Node, list: types.Node) => {
    const line = node.loc?.start.line ?? 1;
    // The comment of a statement ends on the line above it.
    if ((node.start ?? 0) < endOfSoak || isBounded(list) || saidWhy.test(commentAbove(lines, line))) return;
    found.push(`${line}: ${lines[line - 1]?.trim()}`);
  };

  traverse(tree, {
    enter: ({ node }) => {
      if (types.isImportDeclaration(node)) for (const name of importedWholes(node)) whole.add(name);
      if (types.isVariableDeclarator(node) && types.isIdentifier(node.id) && isWhole(node.init) && !isBounded(node))
        whole.add(node.id.name);
      if (types.isCallExpression(node) && types.isIdentifier(node.callee, { name: 'soak' })) endOfSoak = node.end ?? 0;
      if (types.isCallExpression(node) && types.isMemberExpression(node.callee)) {
        const { object, property } = node.callee;
        const [list] = node.arguments;
        const name = types.isIdentifier(property) ? property.name : '';
        const isAll = types.isIdentifier(object, { name: 'Promise' }) && name.startsWith('all');
        if ((name === 'each' || isAll) && list && isWhole(list)) report(node, list);
      }
      if (types.isForOfStatement(node)) {
        const words = code.slice(node.body.start ?? 0, node.body.end ?? 0);
        if (isWhole(node.right) && /\bawait\b|\b(test|soak|describe)\(/.test(words)) report(node, node.right);
      }
    },
  });
  return found;
}

/** The local names of the whole lists that a line imports. */
function importedWholes({ source, specifiers }: types.ImportDeclaration): string[] {
  const known = wholes.filter(({ module }) => module.test(source.value)).map(({ names }) => names);
  return specifiers.flatMap((one) =>
    types.isImportSpecifier(one) && known.some((names) => names.test(nameOfImport(one))) ? [one.local.name] : [],
  );
}

const nameOfImport = ({ imported }: types.ImportSpecifier) =>
  types.isIdentifier(imported) ? imported.name : imported.value;

/** The comment directly above a line. */
function commentAbove(lines: readonly string[], line: number): string {
  let first = line - 1;
  while (/^\s*(\/\/|\/?\*)/.test(lines[first - 1] ?? '')) first--;
  return lines.slice(first, line - 1).join('\n');
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const problems = globSync('{src,e2e,testing,scripts,bench}/**/*.{test,spec}.{ts,tsx}', { cwd: root })
    .filter((path) => !path.startsWith('testing/planted-feature'))
    .flatMap((path) => unboundedWalks(readFileSync(join(root, path), 'utf8'), path).map((walk) => `${path}:${walk}`));
  for (const problem of problems)
    process.stderr.write(
      `${problem}\n  walks all: take oneOfEach kind, or say “// Walks all: …” why it stays cheap.\n`,
    );
  process.exitCode = problems.length > 0 ? 1 : 0;
}
