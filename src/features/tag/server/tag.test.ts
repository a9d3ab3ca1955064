import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PermissionSet } from '#access/contract/grants.ts';
import type { AppError } from '#kit/contract/errors.ts';
import { contextOutside, type UserContext } from '#kit/server/context.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { create } from '#testing/masters.ts';
import { inEnglish } from '#testing/messages.ts';
import { openSchool, type School } from '#testing/school.ts';
import { teach } from '#testing/teachers.ts';
import { offeredTags, readTags, setTags } from '../api.ts';
import { tagGroupMaster, tagMaster, tagScopes } from '../contract/masters.ts';
import { tagApi } from '../contract/tag.ts';

let school: School;
let admin: Person;
let teacher: Person;
let group: number;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  teacher = await school.person({ name: 'Tara' });
  await teach(school, teacher);
});
beforeEach(async () => {
  group = (await create(admin, tagGroupMaster)).id;
});
afterAll(() => school.close());

interface Given {
  scopes?: string;
  isRestricted?: boolean;
  isActive?: boolean;
}
/** Creates a tag in the group; returns its id. */
async function tag(name: string, { scopes = 'Student', isRestricted = false, isActive = true }: Given = {}) {
  const values = { name, tagGroupId: group, colour: 'Teal', scopes, isRestricted, isActive };
  return (await admin.call(tagMaster.api.create, values)).id;
}
let made = 0;
async function student(): Promise<number> {
  const [row] = await school.sql(`insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
    values (1, 'T${++made}', 'Mira', 'Shah', 'F', '2019-01-01') returning id`);
  return Number(row?.id);
}

/** Calls as a feature with tagged records does, for a signed-in user. */
function acting<Result>(
  person: Person,
  role: 'Admin' | 'Staff',
  sets: PermissionSet[],
  act: (ctx: UserContext) => Promise<Result>,
) {
  const { services } = school;
  const scope = { branches: [], led: [], taught: [], covered: [] };
  const user = { id: person.id, staffId: 1, name: person.name, role, sets, scope, session: 1, confirmedFor: 0 };
  return services.db.transaction().execute(async (db) => act({ ...contextOutside({ ...services, db }, 'test'), user }));
}
const asAdmin = <Result>(act: (ctx: UserContext) => Promise<Result>) => acting(admin, 'Admin', [], act);
const asTeacher = <Result>(act: (ctx: UserContext) => Promise<Result>) =>
  acting(teacher, 'Staff', ['classTeacher'], act);
const asPrincipal = <Result>(act: (ctx: UserContext) => Promise<Result>) =>
  acting(teacher, 'Staff', ['principal'], act);
const give = (id: number, ...tags: number[]) => asAdmin((ctx) => setTags(ctx, 'Student', id, tags));
const namesOf = (id: number) =>
  asAdmin(async (ctx) => (await readTags(ctx, 'Student', [id])).get(id)?.map(({ name }) => name));
const offered = async (person: Person, scope: 'Student' | 'Staff', search = '') =>
  (await person.call(tagApi.offer, { scope, search })).map(({ name }) => name);
const merge = (id: number, intoId: number, version = 1) =>
  admin.send({ method: 'POST', url: `/api/configuration/tag/${id}/merge`, body: { version, intoId } });

const notAllowed = 'One of these tags can’t be used here. Choose other tags.';
const fieldsOf = ({ fields }: AppError) => inEnglish(fields);

test('each kind of record that a manifest calls tagged is a scope of tags and a column of their links', async () => {
  const columns = await school.sql(`select generation_expression as expression from information_schema.columns
    where table_name = 'tag_link' and is_generated = 'ALWAYS'`);
  const wrong = school.services.tagged.flatMap(({ scope }) => [
    ...(tagScopes.some((one) => one === scope)
      ? []
      : [`Add ${scope} to tagScopes of features/tag/contract/masters.ts.`]),
    ...(columns.some(({ expression }) => String(expression).includes(`'${scope}'`))
      ? []
      : [`${scope} needs a generated column in tag_link that references its table, by a migration.`]),
  ]);
  expect(wrong).toEqual([]);
  expect(columns).toHaveLength(school.services.tagged.length);
});

test('N2.3 inactive tags and tags for other records are not offered and cannot be used', async () => {
  const [sports, staffOnly, old] = [
    await tag('Sports'),
    await tag('Mentor', { scopes: 'Staff' }),
    await tag('Old', { isActive: false }),
  ];
  expect(await offered(teacher, 'Student')).toContain('Sports');
  for (const name of ['Mentor', 'Old']) expect(await offered(admin, 'Student')).not.toContain(name);
  expect(await offered(teacher, 'Staff', 'ment')).toEqual(['Mentor']);
  expect((await asTeacher((ctx) => offeredTags(ctx, 'Staff', 'ment'))).map(({ id }) => id)).toEqual([staffOnly]);
  const mira = await student();
  for (const wrong of [staffOnly, old, 999_999])
    expect(await give(mira, sports, wrong).catch(fieldsOf)).toEqual({ tags: notAllowed });
  expect(await namesOf(mira)).toEqual([]);
  // The database refuses it too.
  const link = (id: number, to: number) =>
    school.sql(`insert into tag_link (tag_id, entity_type, entity_id) values (${id}, 'Student', ${to})`);
  await expect(link(staffOnly, mira)).rejects.toThrow('this tag is for other records');
  await expect(link(sports, 999_999)).rejects.toThrow('foreign key');
});

test('the tags of a record are set together and audited, and inactive ones stay', async () => {
  const [a, b] = [await tag('Alpha'), await tag('Beta')];
  const mira = await student();
  await give(mira, a, b);
  await school.sql(`update configuration_tag set is_active = false where id = ${a}`);
  await give(mira, a);
  expect(await namesOf(mira)).toEqual(['Alpha']);
  const rows = await school.sql(`select actor, entity, details from audit
    where action = 'tags.changed' and entity_id = ${mira} order by id`);
  expect(rows.map(({ actor, entity, details }) => [actor, entity, details])).toEqual([
    ['Asha', 'student', { Tags: '– → Alpha, Beta' }],
    ['Asha', 'student', { Tags: 'Alpha, Beta → Alpha' }],
  ]);
});

test('of two simultaneous changes of a record’s tags the second one waits and wins', async () => {
  const [a, b] = [await tag('First'), await tag('Second')];
  const mira = await student();
  let later: Promise<void> | undefined;
  await asAdmin(async (ctx) => {
    await setTags(ctx, 'Student', mira, [a]);
    later = give(mira, b);
    const waiting = () =>
      school.sql(`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%pg_advisory_xact_lock%'`);
    await expect.poll(waiting).toHaveLength(1);
  });
  await later;
  expect(await namesOf(mira)).toEqual(['Second']);
});

test('N2.4 teachers cannot see, search or remove a restricted tag', async () => {
  const [plain, closed] = [await tag('Plain'), await tag('Watch', { isRestricted: true })];
  const mira = await student();
  await give(mira, plain, closed);
  const seenBy = (as: typeof asAdmin) =>
    as(async (ctx) => (await readTags(ctx, 'Student', [mira])).get(mira)?.map(({ name }) => name));
  expect(await seenBy(asTeacher)).toEqual(['Plain']);
  for (const as of [asAdmin, asPrincipal]) expect(await seenBy(as)).toEqual(['Plain', 'Watch']);

  expect(await offered(teacher, 'Student', 'watch')).toEqual([]);
  expect(await offered(admin, 'Student', 'watch')).toEqual(['Watch']);
  expect(await offered(await school.person({ sets: ['principal'] }), 'Student', 'watch')).toEqual(['Watch']);
  await expect(asTeacher((ctx) => setTags(ctx, 'Student', mira, [plain, closed]))).rejects.toMatchObject({
    code: 'invalid',
  });
  await asTeacher((ctx) => setTags(ctx, 'Student', mira, []));
  expect(await namesOf(mira)).toEqual(['Watch']);
});

test('N2.2 a merge moves the tag’s links without duplicates, and the old name finds the other tag', async () => {
  const [a, b] = [await tag('Footy'), await tag('Football')];
  const [mira, nila, omar] = [await student(), await student(), await student()];
  await give(mira, a);
  await give(nila, a, b);
  await give(omar, b);
  const asked = await admin.call(tagApi.mergeable, { id: a });
  expect([asked.links, asked.tags.find(({ id }) => id === b)?.alreadyThere]).toEqual([2, 1]);

  expect((await merge(a, b)).json).toEqual({ moved: 1, alreadyThere: 1 });
  for (const id of [mira, nila, omar]) expect(await namesOf(id)).toEqual(['Football']);
  expect(await offered(teacher, 'Student', 'foot')).toEqual(['Football']);
  expect(await offered(teacher, 'Student', 'footy')).toEqual(['Football']);
  const { rows } = await admin.call(tagMaster.api.list, { search: 'footy' });
  expect(rows.map(({ displayName, usedBy }) => [displayName, usedBy])).toEqual([['Football', 3]]);
  const acts = await school.sql(
    `select entity_id, details from audit where action = 'configuration-tag.merged' order by id`,
  );
  const details = { Merged: 'Footy → Football', Records: '2', 'Had both': '1' };
  expect(acts.slice(-2)).toEqual([
    { entity_id: a, details },
    { entity_id: b, details },
  ]);
  const history = await admin.call(tagMaster.api.history, { id: b });
  expect(history.rows[0]).toMatchObject({ action: 'merged', actor: 'Asha', details });
});

test('N2.2 an import with the name of a merged tag uses the other tag', async () => {
  const [a, b] = [await tag('Chess club'), await tag('Chess')];
  await merge(a, b);
  const [own] = await school.sql(`select name from configuration_tag_group where id = ${group}`);
  const file = `Name,Group,Colour,For\nCHESS CLUB,${own?.name},Blue,Student\n`;
  const dry = await admin.call(tagMaster.api.import, { file });
  expect(dry.counts).toEqual({ added: 0, changed: 1, same: 0, wrong: 0 });
  await admin.call(tagMaster.api.import, { file, confirmToken: dry.confirmToken ?? '' });
  const rows = await school.sql(`select id, name, colour from configuration_tag where tag_group_id = ${group}`);
  expect(rows).toEqual([{ id: b, name: 'Chess', colour: 'Blue' }]);
});

test('the old names follow a second merge, and a new tag may use them', async () => {
  const [a, b, c] = [await tag('One'), await tag('Two'), await tag('Three')];
  await merge(a, b);
  await merge(b, c);
  for (const name of ['one', 'two']) expect(await offered(teacher, 'Student', name)).toEqual(['Three']);
  await tag('One');
  expect(await offered(teacher, 'Student', 'one')).toEqual(['One']);
  // Old names do not count as use.
  const { rows } = await admin.call(tagMaster.api.list, { search: 'three' });
  expect(rows).toMatchObject([{ displayName: 'Three', usedBy: 0 }]);
  const removed = await admin.send({ method: 'DELETE', url: `/api/configuration/tag/${c}`, body: { version: 1 } });
  expect(removed.status).toBe(200);
});

test('a merge is refused into a less restricted, unsuitable or inactive tag, and from an outdated version', async () => {
  const [a, b] = [await tag('Open'), await tag('For staff', { scopes: 'Staff' })];
  const [closed, off] = [await tag('Closed', { isRestricted: true }), await tag('Off', { isActive: false })];
  await give(await student(), a);
  const refusal = async (id: number, into: number, version = 1) => {
    const { json } = await merge(id, into, version);
    return json.error.fields?.intoId ?? json.error.code;
  };
  expect(await refusal(closed, a)).toBe('One of these tags can’t be used here. Choose other tags.');
  expect(await refusal(a, b)).toBe('One of these tags can’t be used here. Choose other tags.');
  for (const into of [a, off, 999_999])
    expect(await refusal(a, into)).toBe('This entry is inactive. Choose another one.');
  expect(await refusal(a, closed, 2)).toBe('stale');
  expect(await refusal(999_999, a)).toBe('not_found');
  const names = async (id: number) => (await admin.call(tagApi.mergeable, { id })).tags.map(({ name }) => name);
  expect(await names(closed)).not.toContain('Open');
  for (const name of ['For staff', 'Off', 'Open']) expect(await names(a)).not.toContain(name);
});

test('a tag in use shows its count and cannot be deleted', async () => {
  const a = await tag('Used by');
  const [mira, nila] = [await student(), await student()];
  await give(mira, a);
  await give(nila, a);
  const { rows } = await admin.call(tagMaster.api.list, { search: 'used' });
  expect(rows).toMatchObject([{ displayName: 'Used by', usedBy: 2 }]);
  const { status } = await admin.send({ method: 'DELETE', url: `/api/configuration/tag/${a}`, body: { version: 1 } });
  expect(status).toBe(409);
});

test('N2.2 adding a tag during its merge waits and is refused', async () => {
  const [a, b] = [await tag('Going'), await tag('Staying')];
  const mira = await student();
  let later: Promise<unknown> | undefined;
  await school.services.db.transaction().execute(async (db) => {
    await sql`select 1 from configuration_tag where id in (${a}, ${b}) for update`.execute(db);
    later = give(mira, a).catch(fieldsOf);
    const waiting = () =>
      school.sql(`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%configuration_tag where id = any%for share%'`);
    await expect.poll(waiting).toHaveLength(1);
    await sql`delete from configuration_tag where id = ${a}`.execute(db);
  });
  expect(await later).toEqual({ tags: notAllowed });
  const both = await Promise.all([merge(b, await tag('X')), merge(b, await tag('Y'))]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test('H3 a merge leaves nothing behind whichever of its statements fails', async () => {
  const [a, b] = [await tag('Left'), await tag('Right')];
  const [mira, nila] = [await student(), await student()];
  await give(mira, a);
  await give(nila, a, b);
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 1; ; n++) {
    const { status } = await failingAt(n, () => merge(a, b));
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});
