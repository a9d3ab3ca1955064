// `npm run docs`: writes the table of variables in docs/guide/operate.md, and .env.example, from src/kit/server/variables.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedVariables, exampleLines } from '../src/kit/server/variables.ts';
import { readCommandLine } from './command-line.ts';

export const guidePath = join(import.meta.dirname, '../docs/guide/operate.md');
export const examplePath = join(import.meta.dirname, '../.env.example');
const heads = ['Variable', 'Default', 'Meaning'] as const;

/** The guide with its table of variables as the program has it. */
export function withVariables(guide: string): string {
  const rows = documentedVariables().map(({ name, without, words }) => [name, without, words]);
  const widths = heads.map((head, column) =>
    Math.max(...[[...heads], ...rows].map((row) => row[column]?.length ?? 0), head.length),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const lines = guide.split('\n');
  const from = lines.findIndex((one) => one.startsWith('| Variable '));
  const count = lines.slice(from).findIndex((one) => !one.startsWith('|'));
  return [...lines.slice(0, from), line(heads), rule, ...rows.map(line), ...lines.slice(from + count)].join('\n');
}

/** A file of settings to begin with, in which nothing is set. */
export const exampleFile = (): string =>
  [
    '# The settings of one school, for systemd, a container or node --env-file. Take the # away from a name to set it.',
    '# npm run docs writes this file; docs/guide/operate.md says more.',
    ...exampleLines(),
    '',
  ].join('\n');

if (import.meta.main) {
  readCommandLine({
    command: 'npm run docs',
    does: 'Writes the table of variables in docs/guide/operate.md, and .env.example.',
  });
  writeFileSync(guidePath, withVariables(readFileSync(guidePath, 'utf8')));
  writeFileSync(examplePath, exampleFile());
}
