import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { copyDatabase, execute, newDatabaseName, urlOf } from './postgres.ts';
import { rememberDatabase } from './put-back.ts';
import { openSchool, type School } from './school.ts';
import { everyRow } from './stored.ts';

test('the school of a worker is as new for the next file: its rows, numbers, files, clock, papers and log', async () => {
  const first = await openSchool();
  const before = await everyRow(first.sql);
  const numberOf = async ({ inquiry }: School) => (await inquiry()).inquiryNo;
  const inquiryNo = await numberOf(first);
  const admin = await first.person({ role: 'Admin' });
  await (await first.inquiry()).fillAll();
  await first.sql(`update academic_school set city = 'Rajkot'; update academic_grade set name = name || ' planted';
    delete from academic_career where name = 'Railways';
    insert into setting (key, value) values ('planted', '1') on conflict do nothing`);
  await first.sql('begin; set session_replication_role = replica');
  first.clock.now = new Date('2031-01-01');
  first.papers.isReal = true;
  first.services.recordCards = [];
  expect(await everyRow(first.sql)).not.toEqual(before);
  await first.close();

  const next = await openSchool();
  expect(next.services).toBe(first.services);
  expect(await everyRow(next.sql)).toEqual(before);
  expect(next.clock.now).toBeUndefined();
  expect([next.papers.isReal, next.papers.asked, next.log(), next.answers()]).toEqual([false, [], '', '']);
  expect(next.services.recordCards).not.toEqual([]);
  expect(readdirSync(join(next.config.folder, 'files'))).toEqual([]);
  expect(await numberOf(next)).toBe(inquiryNo);
  expect((await next.person({ role: 'Admin' })).id).toBe(admin.id);
  await next.close();
});

test('a file that breaks the school of its worker fails with what it left, and the next file gets another school', async () => {
  const broken = await openSchool();
  await broken.sql('create table planted (id integer)');
  await broken.app.close();
  await expect(broken.close()).rejects.toThrow(
    /This file leaves .*added table public.planted.*; a closed server.*openOwnSchool/s,
  );
  const next = await openSchool();
  expect(next.services).not.toBe(broken.services);
  expect(await next.sql(`select from pg_class where relname = 'planted'`)).toEqual([]);
  await next.close();
});

describe('what is not put back is named', () => {
  const { url: server, template } = inject('postgres');
  const name = newDatabaseName(template);
  const url = urlOf(server, name);
  let database: Awaited<ReturnType<typeof rememberDatabase>>;
  beforeAll(async () => {
    await copyDatabase(server, name, template);
    database = await rememberDatabase(url, 500);
  });
  afterAll(async () => {
    await database.end();
    await execute(server, `drop database ${name}`);
  });

  test.each([
    ['alter table audit disable trigger all', 'alter table audit enable trigger all', 'trigger'],
    ['create schema planted', 'drop schema planted', 'schema planted'],
    [
      'alter table audit alter at set default null',
      'alter table audit alter at set default clock_timestamp()',
      'public.audit.at',
    ],
    ['alter table audit add unique (id, at)', 'alter table audit drop constraint audit_id_at_key', 'audit_id_at_key'],
    ['grant update on audit to shala_app', 'revoke update on audit from shala_app', 'table public.audit'],
  ])('%s', async (breaks, mends, named) => {
    await execute(url, breaks);
    expect((await database.putBack()).join()).toContain(named);
    await execute(url, mends);
    expect(await database.putBack()).toEqual([]);
  });

  test('a connection in a transaction', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('begin; lock table audit');
    expect(await database.putBack()).toEqual(['an open connection, last with: begin; lock table audit']);
    await client.end();
  });
});
