import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInquiry, renewLink } from '#features/admission-form/api.ts';
import { contextOutside, type Services } from '#kit/server/context.ts';
import { migrationsFolder } from '#kit/server/database/migrations.ts';
import { openLog } from '#kit/server/log.ts';
import { seal } from '#kit/server/security/sealed.ts';
import { type EmptySchool, emptySchool } from '#testing/empty-school.ts';
import { type Family, openOwnSchool, type School } from '#testing/school.ts';
import { oneOfEach, soak } from '#testing/soak.ts';
import { everyFile, everyRow, holdSnapshots, waitingForLock } from '#testing/stored.ts';
import { openServices } from '../services.ts';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';
import { archiveName, wordsOnKeys } from './words.ts';

let school: School;
let folder: string;
let submitted: Family;
let resting: Family;
let count = 0;
beforeAll(async () => {
  school = await openOwnSchool();
  folder = mkdtempSync(join(tmpdir(), 'shala-backup-'));
  [submitted, resting] = [await school.inquiry(), await school.inquiry()];
  await submitted.fillAll();
  await submitted.submit();
  await resting.fillAll();
  await resting.saveBasicInfo({ aadharCardNo: '2341 2341 2346', firstLanguage: 'પહેલી\nline\t\\N' });
  await resting.draft('health', { isSpecialNeeds: 'true', specialNeedsDescription: 'Hearing aid\n\\.\n\t"quoted"' });
});
afterAll(async () => {
  await school.close();
  rmSync(folder, { recursive: true, force: true });
});

const newPath = () => join(folder, `${count++}.backup`);
type Sql = School['sql'];

const auditOf = (sql: Sql, action: string) =>
  sql(`select actor, entity, request_id, details from audit where action = '${action}' order by id`);

test('J6 a school comes back row by row and file by file, and both acts are in the audit', async () => {
  const [before, path] = [await everyRow(school.sql), newPath()];
  const made = await backUp(school.config, path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(await auditOf(school.sql, 'backup.made')).toMatchObject([
    { actor: 'Owner', request_id: 'npm run backup', details: { files: made.files, rows: made.rows, key: 'backup1' } },
  ]);

  const place = await emptySchool(school.config);
  const done = await restore(place.config, path);
  expect(done).toMatchObject({ files: made.files, rows: made.rows, tables: made.tables, lost: [], migrated: 0 });
  expect(done.files).toBeGreaterThanOrEqual(8);
  expect(await everyRow(place.sql, ['audit'])).toEqual({ ...before, audit: undefined });
  const told = (rows: Record<string, unknown>[] = []) =>
    rows.filter(({ row }) => !String(row).includes('backup.restored'));
  expect(told((await everyRow(place.sql)).audit)).toEqual(before.audit);
  expect(everyFile(place.config)).toEqual(everyFile(school.config));
  expect(await auditOf(place.sql, 'backup.restored')).toMatchObject([
    { actor: 'Owner', request_id: 'npm run restore', details: { archive: basename(path), files: made.files } },
  ]);
  await place.close();
});

test('J6 a restored school serves: the link opens, the Aadhaar is masked, the photo is there, numbers go on', async () => {
  const path = newPath();
  await backUp(school.config, path);
  const place = await emptySchool(school.config);
  await restore(place.config, path);
  const at = (end: string) => `/api/admission/${end}?inquiryNo=${resting.link}`;
  const page = JSON.parse((await place.get(at('basic-info'))).text).data.lstStudentAdmissionBasicInfoModel[0];
  expect(page.aadharCardNo).toBe('XXXX XXXX 2346');
  const photo = await place.get(at(`files/${page.admissionStudentImagePath}`));
  expect(photo.status).toBe(200);
  expect(photo.bytes).toEqual((await resting.get(`files/${page.admissionStudentImagePath}`)).bytes);
  expect((await place.get(`/api/admission/inquiry?inquiryNo=${submitted.link}`)).text).toContain(
    '"isFormSubmitted":true',
  );

  const next = `select nextval(pg_get_serial_sequence('audit', 'id'))::int > (select max(id) from audit) as is_new`;
  expect(await place.sql(next)).toEqual([{ is_new: true }]);
  const grants = `select grantee, privilege_type from information_schema.role_table_grants
    where table_name = 'audit' and grantee = 'shala_app' order by 2`;
  expect(await place.sql(grants)).toEqual(await school.sql(grants));
  const constraints = `select conrelid::regclass::text as place, conname, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`;
  expect(await place.sql(constraints)).toEqual(await school.sql(constraints));
  await place.close();
});

test('W9 C1 a restored school gives out no link that somebody was sent after the backup', async () => {
  const [family, path] = [await school.inquiry(), newPath()];
  await backUp(school.config, path);
  const renewed = (services: Services, id: number) =>
    services.db.transaction().execute((db) => renewLink({ ...contextOutside(services, 'test'), db }, 'Test', id));
  const [lost, sent] = [await school.inquiry(), await renewed(school.services, family.id)];
  const place = await emptySchool(school.config);
  await restore(place.config, path);
  const { services, close } = await openServices(place.config, openLog('silent'));
  const next = await services.db.transaction().execute((db) =>
    createInquiry({ ...contextOutside(services, 'test'), db }, 'Test', {
      academicYearId: 1,
      branchId: 1,
      boardId: 1,
      programId: 1,
      gradeId: 4,
    }),
  );
  const again = await renewed(services, family.id);
  await close();
  await place.close();
  expect(next.inquiryNo).toBe(lost.inquiryNo);
  expect(next.value).not.toBe(lost.link);
  expect(again).not.toBe(sent);
});

soak('J6 a backup made while families save, upload and remove holds one moment: every row has its file', async () => {
  const families = [await school.inquiry(), await school.inquiry(), await school.inquiry()];
  let isDone = false;
  const statuses: number[] = [];
  const work = async (family: Family) => {
    // Fewer uploads than an inquiry's hourly limit.
    for (let turn = 0; turn < 12 && !isDone; turn++) {
      const saved = [await family.saveBasicInfo(), await family.upload('Birth Certificate')];
      const { studentAdmissionDocumentsID } = (saved[1] as { json: { data: { resultList: never[] } } }).json.data
        .resultList[0] ?? { studentAdmissionDocumentsID: 0 };
      saved.push(await family.remove(`documents/${studentAdmissionDocumentsID}`));
      statuses.push(...saved.map(({ status }) => status));
    }
  };
  const paths: string[] = [];
  const backups = (async () => {
    // Three, and more on a slow machine, until each family has saved during a backup and one backup has started again.
    while (paths.length < 3 || statuses.length <= 9) {
      paths.push(newPath());
      await backUp(school.config, paths.at(-1) as string);
    }
  })().finally(() => {
    isDone = true;
  });
  await Promise.all([backups, ...families.map(work)]);
  expect(statuses.length).toBeGreaterThan(9);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);

  const place = await emptySchool(school.config);
  const { files, lost } = await restore(place.config, paths.at(-1) as string);
  expect(lost).toEqual([]);
  const rows = await place.sql('select id::text from file order by id');
  expect(rows.map(({ id }) => id)).toEqual(Object.keys(everyFile(place.config)).map((name) => name.slice(3)));
  expect(files).toBe(rows.length);
  await place.close();
});

soak(
  'J6 files that come and go between copying and snapshot: the newest snapshot that has all its files wins',
  async () => {
    const [gone, shortLived] = [await school.inquiry(), await school.inquiry()];
    await gone.saveBasicInfo();
    const photoOf = async ({ id }: Family) =>
      String((await school.sql(`select photo_id from admission_basic_info where inquiry_id = ${id}`))[0]?.photo_id);
    const first = await holdSnapshots(school);
    const path = newPath();
    const backup = backUp(school.config, path);
    await expect.poll(() => waitingForLock(school, 'ShareLock')).toBe(1);

    // The first files are copied and no snapshot is taken yet: one photo is replaced, and another is about to be.
    const replaced = await photoOf(gone);
    await gone.saveBasicInfo();
    await shortLived.saveBasicInfo();
    const leaving = await photoOf(shortLived);
    await school.services.files.remove(leaving);
    const second = holdSnapshots(school);
    await expect.poll(() => waitingForLock(school, 'ExclusiveLock')).toBe(1);
    await first.letGo();
    // The backup has seen the row without its bytes and starts again: now the row is deleted too.
    const held = await second;
    await shortLived.saveBasicInfo();
    await held.letGo();
    const made = await backup;
    expect(made.lost).toEqual([]);

    const place = await emptySchool(school.config);
    await restore(place.config, path);
    const stored = Object.keys(everyFile(place.config)).map((name) => name.slice(3));
    expect(stored).not.toContain(replaced);
    expect(stored).not.toContain(leaving);
    expect(stored).toEqual(expect.arrayContaining([await photoOf(gone), await photoOf(shortLived)]));
    await place.close();
  },
);

soak('J6 an owner who is no superuser restores, backs up and restores again', async () => {
  const [firstPath, secondPath] = [newPath(), newPath()];
  await backUp(school.config, firstPath);
  const place = await emptySchool(school.config, { login: true });
  const again = await emptySchool(school.config, { login: true });
  expect(await place.sql('select rolsuper from pg_roles where rolname = current_user')).toEqual([{ rolsuper: false }]);
  const first = await restore(place.config, firstPath);
  await backUp(place.config, secondPath);
  expect((await restore(again.config, secondPath)).files).toBe(first.files);
  expect(await everyRow(again.sql, ['audit'])).toEqual(await everyRow(place.sql, ['audit']));
  expect((await again.get(`/api/admission/inquiry?inquiryNo=${resting.link}`)).status).toBe(200);
  await place.close();
  await again.close();
});

soak('J6 J5 an older archive is restored as it was and then migrated; a newer one is refused', async () => {
  const copy = join(folder, 'migrations');
  cpSync(migrationsFolder, copy, { recursive: true });
  const next = '209912312359_more.sql';
  writeFileSync(join(copy, next), `alter table academic_year add column later text not null default 'later'`);
  const [older, newer] = [newPath(), newPath()];
  await backUp(school.config, older);
  const place = await emptySchool(school.config);
  expect((await restore(place.config, older, { migrations: copy })).migrated).toBe(1);
  expect(await place.sql('select distinct later from academic_year')).toEqual([{ later: 'later' }]);

  await backUp(place.config, newer);
  const target = await emptySchool(school.config);
  await expect(restore(target.config, newer)).rejects.toThrow(`The archive is newer than this program: it has ${next}`);
  writeFileSync(join(copy, next), `alter table academic_year add column later text`);
  await expect(restore(target.config, newer, { migrations: copy })).rejects.toThrow(`made with another ${next}`);
  await expectUntouched(target);
  await place.close();
  await target.close();
});

soak('J6 rows that come back otherwise than they were backed up are found, and taken back', async () => {
  const copy = join(folder, 'changing');
  cpSync(migrationsFolder, copy, { recursive: true });
  writeFileSync(
    join(copy, '209912312359_changing.sql'),
    // When the tables get their constraints back, after all rows are inserted.
    `create function change() returns event_trigger language plpgsql as $$
       begin update public.academic_board set name = name || '!'; end $$;
     create event trigger change on ddl_command_end when tag in ('ALTER TABLE') execute function change()`,
  );
  const [plain, changing] = [newPath(), newPath()];
  await backUp(school.config, plain);
  const [place, target] = [await emptySchool(school.config), await emptySchool(school.config)];
  await restore(place.config, plain, { migrations: copy });
  await backUp(place.config, changing);
  await expect(restore(target.config, changing, { migrations: copy })).rejects.toThrow(
    'The table academic_board did not come back as it was backed up',
  );
  await expectUntouched(target);
  await place.close();
  await target.close();
});

test('J6 a place that is not empty is left as it is', async () => {
  const path = newPath();
  await backUp(school.config, path);
  const place = await emptySchool(school.config);
  await place.sql('create table kept (id integer)');
  await expect(restore(place.config, path)).rejects.toThrow('The database is not empty: it has "kept"');
  expect(everyFile(place.config)).toEqual({});
  await place.sql('drop table kept');
  writeFileSync(join(place.config.folder, 'files', 'kept'), 'kept');
  await expect(restore(place.config, path)).rejects.toThrow('The file store is not empty');
  expect(Object.keys(everyFile(place.config))).toEqual(['kept']);
  await place.close();
});

/** Nothing of a refused restore is left: no table, no file. */
async function expectUntouched(place: EmptySchool) {
  expect(await place.sql(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
  const at = join(place.config.folder, 'files');
  const paths = readdirSync(place.config.folder).includes('files')
    ? readdirSync(at, { recursive: true, encoding: 'utf8' })
    : [];
  expect(paths.filter((path) => statSync(join(at, path)).isFile())).toEqual([]);
}

/** One way of losing a file; all of them in `npm run soak`. */
const lostFiles = oneOfEach(
  [
    ['were lost', undefined],
    ['were damaged', () => Buffer.from('damaged')],
    ['are another file’s', (id: string) => seal(school.services.keys.data, `file:${id}`, 'another')],
  ] as [what: string, instead?: (id: string) => Buffer][],
  () => 'lost',
);

test.each(lostFiles)('J6 a file whose bytes %s is named, and everything else is kept', async (_what, instead) => {
  const path = newPath();
  const [name, sealed] = Object.entries(everyFile(school.config))[0] as [string, string];
  const at = join(school.config.folder, 'files', name);
  if (instead) writeFileSync(at, instead(name.slice(3)));
  else rmSync(at);
  const made = await backUp(school.config, path);
  writeFileSync(at, Buffer.from(sealed, 'base64'));
  expect(made.lost).toEqual([name.slice(3)]);
  const place = await emptySchool(school.config);
  expect(await restore(place.config, path)).toMatchObject({ lost: made.lost, files: made.files });
  expect(Object.keys(everyFile(place.config))).not.toContain(name);
  await place.close();
});

soak('J6 a file that is not what its row says is found by the restore, which then takes everything back', async () => {
  const path = newPath();
  const held = await holdSnapshots(school);
  const backup = backUp(school.config, path);
  await expect.poll(() => waitingForLock(school, 'ShareLock')).toBe(1);
  // The file is copied; the snapshot will differ from it.
  const [row] = await school.sql(`select id::text, encode(sha256, 'hex') as sha256 from file limit 1`);
  await school.sql(`update file set sha256 = sha256(sha256) where id = '${row?.id}'`);
  await held.letGo();
  await backup;
  await school.sql(`update file set sha256 = decode('${row?.sha256}', 'hex') where id = '${row?.id}'`);
  const place = await emptySchool(school.config);
  await expect(restore(place.config, path)).rejects.toThrow(`The file ${row?.id} is not what its row says`);
  await expectUntouched(place);
  await place.close();
});

test('J6 H4 an archive that does not read back as it was written is removed, and no backup is said to be made', async () => {
  const [path, bad] = [newPath(), newPath()];
  const made = await backUp(school.config, path);
  const audits = (await auditOf(school.sql, 'backup.made')).length;
  // Called before each file and table is written and again before each is read back: then a byte is altered.
  let asked = 0;
  const throwIfAborted = () => {
    if (++asked !== made.files + made.tables + 1) return;
    const bytes = readFileSync(`${bad}.part`);
    bytes.writeUInt8(bytes.readUInt8(5000) ^ 1, 5000);
    writeFileSync(`${bad}.part`, bytes);
  };
  await expect(
    backUp(school.config, bad, { signal: Object.assign(new AbortController().signal, { throwIfAborted }) }),
  ).rejects.toThrow('was altered');
  expect(readdirSync(folder).filter((name) => name.startsWith(basename(bad)))).toEqual([]);
  expect(await auditOf(school.sql, 'backup.made')).toHaveLength(audits);
});

soak('J6 stopped in the middle, neither a backup nor a restore leaves anything behind', async () => {
  const [path, stopped] = [newPath(), newPath()];
  await backUp(school.config, path);
  const stop = AbortSignal.abort(new Error('It was stopped.'));
  await expect(backUp(school.config, stopped, { signal: stop })).rejects.toThrow('It was stopped.');
  expect(readdirSync(folder)).not.toContain(basename(stopped));
  expect(readdirSync(folder)).not.toContain(`${basename(stopped)}.part`);

  const place = await emptySchool(school.config);
  const stored = () =>
    existsSync(join(place.config.folder, 'files')) ? Object.keys(everyFile(place.config)).length : 0;
  const throwIfAborted = () => {
    if (stored() > 2) throw new Error('It was stopped.');
  };
  const late = { throwIfAborted } as AbortSignal;
  await expect(restore(place.config, path, { signal: late })).rejects.toThrow('It was stopped.');
  await expectUntouched(place);
  expect((await restore(place.config, path)).lost).toEqual([]);
  await place.close();
});

test('J6 I5 keys are not in the archive, and the words say where they lie', async () => {
  const path = newPath();
  await backUp(school.config, path);
  const bytes = readFileSync(path);
  for (const ring of Object.values(school.services.keys)) expect(bytes.includes(ring.current.key)).toBe(false);
  for (const marker of ['Hearing aid', 'copy ', 'admission_inquiry', 'INQ/'])
    expect(bytes.includes(marker)).toBe(false);
  const words = wordsOnKeys({ ...school.config, keys: { data: 'data1:x' } }).join(' ');
  expect(words).toContain(`in ${join(school.config.folder, 'keys')} (link, code, backup)`);
  expect(words).toContain('in the configuration (SHALA_DATA_KEY)');
  expect(words).toContain('Without them the archive is worthless');
  expect(archiveName(new Date(2026, 10, 21, 9, 5))).toBe('shala-2026-11-21T0905.backup');
});
