import { expect, test } from 'vitest';
import { openOwnSchool } from '#testing/school.ts';
import { findOtherOrder } from './collation.ts';
import { openDatabase } from './database.ts';

test('a database whose names sort otherwise than in C.UTF-8 is found, by the name of its order', async () => {
  const school = await openOwnSchool();
  expect(await findOtherOrder(school.services.db)).toBeUndefined();
  const url = new URL(school.config.databaseOwnerUrl);
  const other = `${url.pathname.slice(1)}_other`;
  await school.sql(`create database ${other} template template0 locale_provider icu icu_locale 'en-IN'`);
  url.pathname = other;
  const db = openDatabase({ url: url.href, named: true, patience: 1, onLost: () => undefined });
  expect(await findOtherOrder(db)).toBe('en-IN');
  await db.destroy();
  await school.sql(`drop database ${other} with (force)`);
  await school.close();
});
