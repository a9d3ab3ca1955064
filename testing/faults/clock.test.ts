import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { keyFile, openKeys } from '../../src/kit/server/security/keys.ts';
import { openOwnSchool } from '../school.ts';
import { clockJumps } from './clock.ts';
import { breachesOf } from './outcome.ts';

test('J15 the clock jumps by two hours: links, limits, versions and repeated requests stay what they were', async () => {
  expect(breachesOf(await clockJumps(1))).toEqual([]);
});

test('J15 I5 a key exchanged while the clock stood two hours back is noticed all the same', async () => {
  const school = await openOwnSchool();
  const folder = school.config.folder;
  const { data } = await openKeys(school.services.db, { folder, keys: {} });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 60 * 60 * 1000 });
  const file = keyFile(folder, 'data');
  writeFileSync(file, `data2:${randomBytes(32).toString('base64')},${readFileSync(file, 'utf8')}`);
  try {
    await expect.poll(() => data.current.id).toBe('data2');
  } finally {
    vi.useRealTimers();
    await school.close();
  }
});
