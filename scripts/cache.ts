import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What checks remember between runs; `npm ci` removes it. */
const fileOf = (name: string) => join(import.meta.dirname, '../node_modules/.cache/shala', `${name}.json`);

/** What an earlier run stored under this key; undefined without a file, or when it was stored under another key. */
export function readCache<Value>(name: string, key: string): Value | undefined {
  try {
    const stored: { key: string; value: Value } = JSON.parse(readFileSync(fileOf(name), 'utf8'));
    return stored.key === key ? stored.value : undefined;
  } catch {
    return undefined;
  }
}

export function writeCache(name: string, key: string, value: unknown) {
  mkdirSync(dirname(fileOf(name)), { recursive: true });
  writeFileSync(fileOf(name), JSON.stringify({ key, value }));
}
