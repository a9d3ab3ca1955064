import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig } from '#kit/server/config.ts';
import { exampleFile, examplePath, guidePath, withVariables } from './docs.ts';

test('the guide for operators has every variable as the program reads it; npm run docs writes them', () => {
  const guide = readFileSync(guidePath, 'utf8');
  expect(withVariables(guide)).toBe(guide);
  expect(withVariables(guide.replace('Port to listen on', 'Gate'))).toBe(guide);
});

test('OP2 .env.example has every setting of the server, each valid once its # is taken away', () => {
  const example = readFileSync(examplePath, 'utf8');
  expect(example).toBe(exampleFile());
  expect(parseEnv(example)).toEqual({});
  const all = parseEnv(example.replaceAll(/^#(?=[A-Z_]+=.)/gm, ''));
  // A bucket needs its key and secret, for which there is no example.
  const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };
  expect(readConfig({ ...all, ...keys } as Record<string, string>).port).toBe(3000);
});
