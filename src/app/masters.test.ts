import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffNames } from '#access/contract/staff-names.ts';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { departmentMaster, lookupMaster } from '#features/school/contract/masters.ts';
import { skillDomainMaster, skillLevelMaster, skillMaster } from '#features/skill/contract/masters.ts';
import { tagGroupMaster, tagMaster } from '#features/tag/contract/masters.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { inactiveMessage, type Named, refsOf } from '#kit/contract/field.ts';
import {
  enteredOf,
  isFilter,
  type Master,
  type MasterRow,
  namedBy,
  targetOf,
  type Values,
} from '#kit/contract/master.ts';
import { english } from '#kit/contract/text.ts';
import { constraintRefusal } from '#kit/server/master/constraint-messages.ts';
import { storedAs } from '#kit/server/master/rows.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { create, createNamed, openKeeper, plant, refsFor, sampleOf } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak, oneOfEach } from '#testing/soak.ts';
import { allConstraintMessages, allMasters } from './features.server.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await openKeeper(school);
});
afterAll(() => school.close());

const masters = allMasters.map((master) => [master.table, master] as const);
const entered = (master: Master, row: Values) =>
  Object.fromEntries(Object.keys(master.api.create.input._zod.def.shape).map((name) => [name, row[name]]));

async function find(master: Master, id: number): Promise<MasterRow | undefined> {
  for (let after = ''; ; ) {
    const { rows, next } = await list(master, { after });
    const row = rows.find((candidate) => candidate.id === id);
    if (row || next === null) return row as MasterRow | undefined;
    after = next;
  }
}

const list = (master: Master, input: Values) => admin.call(master.api.list, { search: '', ...input });
const snakeOf = (name: string) => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
/** Everything except when a session was last used. */
const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, body: object) =>
  admin.send({ method, url: `/api${url}`, body });

/** A row that a field may point to. */
async function pointedTo(named: Named): Promise<{ id: number }> {
  const made = await createNamed(admin, named);
  if (made) return made;
  const person = await school.person();
  const [row] = await school.sql(`select staff_id as id from sign_in_account where id = ${person.id}`);
  return { id: Number(row?.id) };
}
const switchOff = ({ table }: Named, id: number) =>
  school.sql(
    table === 'staff'
      ? `update sign_in_account set is_active = false where staff_id = ${id}`
      : `update ${table} set is_active = false where id = ${id}`,
  );

/** Writes a row by SQL; the lists it points to that are no masters come from the server. */
async function write(master: Master, known: Values = {}): Promise<MasterRow> {
  const refs: Values = {};
  for (const [name, field] of refsOf(master)) {
    const target = targetOf(namedBy(master), field);
    if (field.optional || name in known || allMasters.some(({ table }) => table === target.table)) continue;
    refs[name] = (await pointedTo(target)).id;
  }
  return plant(school, master, { ...refs, ...known });
}

/** A written row's refusal as the server finds it from the database's error: the names of its fields. */
async function refusedFields(master: Master, values: Values): Promise<string[]> {
  try {
    await write(master, values);
    return [];
  } catch (error) {
    const refusal = constraintRefusal({ constraintMessages: allConstraintMessages }, master, error);
    return Object.keys(refusal?.fields ?? {});
  }
}

// Walks all: whatever compares a definition with its table, by SQL; the operations are tested for one of each make.
describe.each(masters)('%s', (table, master) => {
  test('takes every text at its longest, and leaves out what may be left out', async () => {
    const [sample, other] = [await write(master), await write(master)];
    const long = Object.fromEntries(
      enteredOf(master).flatMap(([name, field]) => {
        if ((field.kind !== 'text' && field.kind !== 'longText') || (field.kind === 'text' && field.like)) return [];
        return [[name, String(sample[name]).padEnd(field.max, 'ક')]];
      }),
    );
    const needed = enteredOf(master).filter(([, { optional, kind }]) => !optional && kind !== 'yesNo');
    const least = Object.fromEntries(needed.map(([name]) => [name, other[name]]));
    await school.sql(`delete from ${table} where id in (${sample.id}, ${other.id})`);
    const { create } = master.api;
    for (const values of [
      { ...entered(master, sample), ...long },
      { ...least, isActive: other.isActive },
    ]) {
      const parsed = Object.entries(create.input.parse(values) as Values);
      const stored = parsed.map(([name, value]) => {
        const isEmpty = value === '' && master.fields[name]?.kind !== 'someOf';
        return [name, isEmpty ? storedAs(master, name, value) : value];
      });
      const { id } = await write(master, Object.fromEntries(stored));
      const [row = {}] = await school.sql(`select * from ${table} where id = ${id}`);
      const texts = Object.entries(values).filter(([name]) => name in long);
      expect(row).toMatchObject(Object.fromEntries(texts.map(([name, value]) => [snakeOf(name), value])));
    }
  });

  test('another row with the same of what is unlike in every row is refused beside it, also in capitals', async () => {
    const indexes = await school.sql(`select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = '${table}'::regclass and indisunique and relname like '%\\_unique'`);
    for (const { name: index } of indexes) {
      const [name = ''] =
        Object.entries(master.fields).find(([name]) => index === `${table}_${snakeOf(name)}_unique`) ?? [];
      const row = await write(master);
      const refs = Object.fromEntries(refsOf(master).map(([ref]) => [ref, row[ref]]));
      const beside = master.key.includes(name) ? Object.fromEntries(master.key.map((part) => [part, row[part]])) : {};
      for (const value of [String(row[name]), String(row[name]).toUpperCase(), String(row[name]).toLowerCase()])
        expect([index, value, await refusedFields(master, { ...refs, ...beside, [name]: value })]).toEqual([
          index,
          value,
          [name],
        ]);
    }
  });

  test('what points to nothing is refused beside its field', async () => {
    for (const [name] of refsOf(master))
      expect([name, await refusedFields(master, { [name]: 999_999 })]).toEqual([name, [name]]);
  });

  test('the database has its columns, an index for all that points elsewhere, and words for each of its rules', async () => {
    const columns = await school.sql(
      `select column_name as name from information_schema.columns where table_name = '${table}'`,
    );
    const fixed = ['id', 'version', 'is_active', ...(master.isOrdered ? ['position'] : [])];
    const isComputed = (name: string) => name === 'phase';
    const wanted = [
      ...fixed,
      ...Object.keys(master.fields)
        .map(snakeOf)
        .filter((name) => !isComputed(name)),
    ];
    // Columns that the database computes or another page sets are not fields.
    const worked = [
      'status',
      'closed_at',
      'closed_by',
      'is_roll_locked',
      'seats',
      'file_id',
      'act',
      'upi_before',
      'upi_changed_at',
    ];
    expect(
      columns
        .map(({ name }) => name)
        .filter((name) => !worked.includes(String(name)))
        .sort(),
    ).toEqual(wanted.sort());

    const [allowed] = await school.sql(`select has_table_privilege('shala_app', '${table}', 'update') as changed,
      has_table_privilege('shala_app', '${table}', 'delete') as removed`);
    expect(allowed).toEqual({ changed: true, removed: true });
    const pointing = await school.sql(`select conrelid::regclass::text as place, attname as name from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'f' and confrelid = '${table}'::regclass and not exists (
        select 1 from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`);
    expect(pointing).toEqual([]);
    for (const [name] of refsOf(master)) {
      const indexes = await school.sql(`select 1 from pg_index join pg_attribute on attrelid = indrelid
        and attnum = indkey[0] where indrelid = '${table}'::regclass and attname = '${snakeOf(name)}'`);
      expect([name, indexes.length > 0]).toEqual([name, true]);
    }
    const unique = await school.sql(`select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = '${table}'::regclass and indisunique and not indisprimary`);
    const named = new Set([
      ...Object.keys(master.constraintMessages ?? {}),
      ...Object.keys(master.fields).map((name) => `${table}_${snakeOf(name)}_unique`),
      // Users cannot set a position or a status.
      `${table}_position_key`,
      'academic_year_one_current',
      // A row for others to point to; only its id is unique.
      'academic_section_place',
      'transport_time_slot_id_direction_key',
      'transport_vehicle_seats',
      'observation_level_id_scale_id_key',
      'observation_rubric_id_for_whom_key',
    ]);
    expect(unique.map(({ name }) => name).filter((name) => !named.has(String(name)))).toEqual([]);
    for (const { field } of Object.values(master.constraintMessages ?? {}))
      expect([field, field === 'isActive' || field in master.fields]).toEqual([field, true]);
    const keys = await school.sql(`select confdeltype as way, conrelid::regclass::text as place from pg_constraint
      where contype = 'f' and (confrelid = '${table}'::regclass or conrelid = '${table}'::regclass)`);
    // Earlier names of a row, and the times of a slot by day, are deleted with it; nothing else is.
    const former = [...allMasters.map(({ aliases }) => aliases?.table), 'transport_slot_plan'];
    const others = keys.filter(({ place }) => !former.includes(String(place)));
    expect(others.filter(({ way }) => way !== 'a' && way !== 'r')).toEqual([]);
  });
});

/** A master of each make shows what the kit does for all; soak tests all of them. */
const ofEachMake = oneOfEach(allMasters, (master) => [
  Boolean(master.isOrdered),
  refsOf(master).some(([, { to }]) => to !== 'self'),
  master.key.length > 1,
]);

/** Masters that have every kind of field among them, such as `oneOf`; soak tests all of them. */
const withEachField = new Set(
  oneOfEach(
    allMasters.flatMap((master) => Object.values(master.fields).map(({ kind }) => ({ kind, master }))),
    ({ kind }) => kind,
  ).map(({ master }) => master),
);

describe.each([...withEachField].map((master) => [master.table, master] as const))('%s', (_table, master) => {
  test('every field left empty that may not be is named', async () => {
    const { status, json } = await send('POST', master.path, {});
    const needed = Object.entries(master.fields).filter(
      ([, { optional, kind, isReadOnly }]) => !optional && kind !== 'yesNo' && !isReadOnly,
    );
    expect([status, Object.keys(json.error.fields).sort()]).toEqual([422, needed.map(([name]) => name).sort()]);
  });

  test('is found by its words, and narrowed by what it is', async () => {
    const row = await create(admin, master);
    const { displayName = '' } = (await find(master, row.id)) ?? {};
    const found = await list(master, { search: displayName.toUpperCase() });
    expect(found.rows.map(({ id }) => id)).toContain(row.id);
    for (const [name, field] of Object.entries(master.fields)) {
      if (field.isReadOnly || !isFilter(field)) continue;
      const value = (row as Values)[name];
      if (value === null) continue;
      const wanted = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
      const { rows } = await list(master, { [name]: wanted, search: displayName });
      expect([name, rows.map(({ id }) => id)]).toEqual([name, expect.arrayContaining([row.id])]);
      expect(rows.every((row) => row[name] === value)).toBe(true);
    }
    const off = await list(master, { state: row.isActive ? 'inactive' : 'active', search: displayName });
    expect(off.rows.map(({ id }) => id)).not.toContain(row.id);
  });

  test('takes no row that is switched off, but keeps one that was chosen before', async () => {
    for (const [name, field] of refsOf(master)) {
      const target = targetOf(namedBy(master), field);
      const [on, off] = [await pointedTo(target), await pointedTo(target)];
      const known = await refsFor(admin, master, { [name]: off.id });
      const before = await create(admin, master, known);
      await switchOff(target, off.id);
      const fields = { [name]: english(inactiveMessage) };
      const refused = [422, fields];

      const other = await sampleOf(admin, master, { ...known, [name]: off.id });
      const added = await send('POST', master.path, other);
      expect([added.status, added.json.error?.fields]).toEqual(refused);
      const { id, version } = await create(admin, master, { ...known, [name]: on.id });
      const changed = await send('PUT', `${master.path}/${id}`, { ...other, version });
      expect([changed.status, changed.json.error?.fields]).toEqual(refused);

      const row = (await find(master, before.id)) as MasterRow;
      const kept = { ...entered(master, row), isActive: !row.isActive, version: row.version };
      expect((await send('PUT', `${master.path}/${row.id}`, kept)).status).toBe(200);
    }
  });
});

describe.each(ofEachMake.map((master) => [master.table, master] as const))('%s', (_table, master) => {
  test('is made, found, changed, deactivated and removed, and its history says so', async () => {
    const sample = await sampleOf(admin, master);
    const { id } = await admin.call(master.api.create, sample);
    const first = await find(master, id);
    expect(first).toMatchObject({ ...sample, id, version: 1, usedBy: 0 });

    const other: Values = await sampleOf(admin, master);
    expect(await admin.call(master.api.update, { ...other, id, version: 1 })).toEqual({ id, version: 2 });
    expect(await find(master, id)).toMatchObject({ ...other, version: 2 });
    const isActive = !other.isActive;
    await admin.call(master.api.update, { ...other, id, version: 2, isActive });
    expect(await find(master, id)).toMatchObject({ isActive, version: 3 });
    expect((await admin.call(master.api.options, {})).find((option) => option.id === id)?.isActive).toBe(isActive);

    expect(await admin.call(master.api.remove, { id, version: 3 })).toEqual({});
    expect(await find(master, id)).toBeUndefined();
    const { rows } = await admin.call(master.api.history, { id });
    expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
      ['removed', 'Asha'],
      ['changed', 'Asha'],
      ['changed', 'Asha'],
      ['created', 'Asha'],
    ]);
    expect(rows[1]?.details).toEqual({ Active: isActive ? 'No → Yes' : 'Yes → No' });
  });

  test('two of the same key cannot both be made, at once or in capitals', async () => {
    const sample = await sampleOf(admin, master);
    const answers = await Promise.all([1, 2, 3, 4].map(() => send('POST', master.path, sample)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(Object.keys(refused?.json.error.fields)).toHaveLength(1);
    const shouted = Object.fromEntries(
      Object.entries(sample).map(([name, value]) => {
        const isText = master.fields[name]?.kind === 'text';
        return [name, isText ? String(value).toUpperCase() : value];
      }),
    );
    expect((await send('POST', master.path, shouted)).status).toBe(422);
  });

  test('somebody who looked at an older version is shown what is there now, and nothing is changed', async () => {
    const row = await create(admin, master);
    const newer = await sampleOf(admin, master);
    await admin.call(master.api.update, { ...newer, id: row.id, version: 1 });
    const before = await contents();
    for (const answer of [
      await send('PUT', `${master.path}/${row.id}`, { ...entered(master, row), version: 1 }),
      await send('DELETE', `${master.path}/${row.id}`, { version: 1 }),
    ]) {
      expect([answer.status, answer.json.error.code]).toEqual([409, 'stale']);
      expect(answer.json.error.data).toMatchObject({ version: 2, saved: newer });
    }
    expect(await contents()).toEqual(before);
    const again = await send('PUT', `${master.path}/${row.id}`, { ...entered(master, row), version: 2 });
    expect(again.json).toEqual({ id: row.id, version: 3 });
  });

  test('of twenty who change it at once one does, and the others are told', async () => {
    const row = await create(admin, master);
    const values = { ...entered(master, row), isActive: !row.isActive };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('PUT', `${master.path}/${row.id}`, { ...values, version: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  });

  test('a list of several pages shows each row once, in every order, forwards and backwards', async () => {
    const refs = await refsFor(admin, master);
    const samples: number[] = [];
    for (let count = 0; count < 30; count++) samples.push((await plant(school, master, refs)).id);
    const walk = async (sort: string, isBackward: boolean) => {
      const found: MasterRow[] = [];
      let place: string | null = isBackward ? 'end' : '';
      let total = 0;
      while (place !== null) {
        const page: OutputOf<Master['api']['list']> = await list(master, {
          sort,
          ...(isBackward ? { before: place } : { after: place }),
        });
        found[isBackward ? 'unshift' : 'push'](...(page.rows as MasterRow[]));
        place = isBackward ? page.previous : page.next;
        total = page.total;
      }
      expect([sort, found.length]).toEqual([sort, total]);
      return found.map(({ id }) => id);
    };
    const sorted = oneOfEach(Object.entries(master.fields), ([, { kind }]) => kind);
    const orders = ['', '-', ...sorted.flatMap(([name]) => [name, `-${name}`])];
    for (const sort of orders) {
      const forwards = await walk(sort, false);
      expect(new Set(forwards).size).toBe(forwards.length);
      expect(forwards).toEqual(expect.arrayContaining(samples));
      expect(await walk(sort, true)).toEqual(forwards);
      if (sort.startsWith('-')) expect(forwards).toEqual((await walk(sort.slice(1), false)).reverse());
    }
  });

  test('what was exported is imported as the preview says, and then again without a change', async () => {
    const row = await create(admin, master);
    const { rows } = await list(master, { search: String((await find(master, row.id))?.displayName) });
    const wanted = rows.find(({ id }) => id === row.id);
    const exported = await admin.send({ url: `/api${master.path}/export?as=csv` });
    expect(exported.headers['content-type']).toBe('text/csv');
    const [head = '', ...lines] = exported.text.trim().split('\r\n');
    await admin.call(master.api.remove, { id: row.id, version: 1 });
    const file = [head, ...lines].join('\n');
    const before = await contents();
    const dry = await admin.call(master.api.import, { file });
    expect(dry).toMatchObject({ counts: { added: 1, changed: 0, wrong: 0 }, isApplied: false });
    expect(await contents()).toEqual(before);
    const done = await admin.call(master.api.import, { file, confirmToken: dry.confirmToken ?? '' });
    expect(done).toMatchObject({ counts: { added: 1 }, isApplied: true });
    const again = await admin.call(master.api.import, { file: exported.text });
    expect(again.counts).toEqual({ added: 0, changed: 0, same: lines.length, wrong: 0 });
    const found = await list(master, { search: String(wanted?.displayName) });
    expect(found.rows.map(({ displayName }) => displayName)).toContain(wanted?.displayName);
  });
});

const pointing = allMasters.flatMap((master) =>
  refsOf(master)
    .filter(([, { to }]) => to !== 'self')
    .map(([name, field]) => ({ master, name, field, target: targetOf(namedBy(master), field) })),
);

/** A field that points to each kind of list: what counts uses and refuses finds the references in the database. */
const pointingOfEach = oneOfEach(pointing, ({ field, target }) => {
  const other = allMasters.find(({ table }) => table === target.table);
  return [Boolean(field.optional), other !== undefined && Boolean(other.isOrdered)];
});

describe.each(pointingOfEach.map((one) => [`${one.master.table}.${one.name}`, one] as const))(
  '%s',
  (_, { master, name, target }) => {
    const other = allMasters.find(({ table }) => table === target.table);
    if (other)
      test('keeps what it points to from being removed, and is counted there', async () => {
        const { id } = await create(admin, other);
        const before = await find(other, id);
        await create(admin, master, { [name]: id });
        expect((await find(other, id))?.usedBy).toBe((before?.usedBy ?? 0) + 1);
        const { status, json } = await send('DELETE', `${other.path}/${id}`, { version: 1 });
        expect([status, json.error.code]).toEqual([409, 'conflict']);
      });

    test('is refused beside the field when it points to nothing', async () => {
      const sample = await sampleOf(admin, master);
      const { status, json } = await send('POST', master.path, { ...sample, [name]: 999_999 });
      expect([status, Object.keys(json.error.fields)]).toEqual([422, [name]]);
    });
  },
);

test.each([
  // One in an order has the statements of one of names alone, and more.
  ...(isSoak ? [['of names alone', tagGroupMaster] as const] : []),
  ['in an order', gradeMaster],
  ['that points elsewhere', sectionMaster],
] as const)('H3 a master %s leaves nothing behind whichever of its statements fails', async (_, master: Master) => {
  const sample = await sampleOf(admin, master);
  const row = await create(admin, master);
  const other = await sampleOf(admin, master);
  const acts = {
    create: () => send('POST', master.path, sample),
    change: () => send('PUT', `${master.path}/${row.id}`, { ...other, version: 1 }),
    remove: () => send('DELETE', `${master.path}/${row.id}`, { version: 2 }),
  };
  for (const [what, act] of Object.entries(acts)) {
    const before = await contents();
    for (let n = 1; ; n++) {
      const { status } = await failingAt(n, act);
      if (status === 200) {
        expect([what, n > 2]).toEqual([what, true]);
        break;
      }
      expect([what, n, status]).toEqual([what, n, 500]);
      expect([what, n, await contents()]).toEqual([what, n, before]);
    }
  }
});

test('a row changes places with the one before or behind it, and the first stays first', async () => {
  const order = async () => (await admin.call(skillLevelMaster.api.options, {})).map(({ id }) => id);
  const before = await order();
  const [first = 0, second = 0] = before;
  const move = (id: number, to: string) => send('POST', `${skillLevelMaster.path}/${id}/move`, { to });
  expect((await move(second, 'up')).json).toEqual({});
  expect((await order()).slice(0, 2)).toEqual([second, first]);
  expect((await move(second, 'up')).status).toBe(200);
  expect((await order()).slice(0, 2)).toEqual([second, first]);
  await Promise.all([move(first, 'up'), move(first, 'down'), move(second, 'down'), move(first, 'down')]);
  expect((await order()).sort()).toEqual([...before].sort());
});

test('selected rows are deactivated at once with an audit row each, and the answer says which were skipped and why', async () => {
  const [on, off, gone] = [
    await create(admin, lookupMaster),
    await create(admin, lookupMaster),
    await create(admin, lookupMaster),
  ];
  const { rows } = await list(lookupMaster, { isSystem: 'yes' });
  const fixed = Number(rows[0]?.id);
  const setActive = (selection: object, isActive: boolean) =>
    admin.call(lookupMaster.api.setActive, { selection, isActive });
  expect(await setActive({ ids: [off.id] }, false)).toEqual({ changed: [off.id], skipped: [] });
  await admin.call(lookupMaster.api.remove, { id: gone.id, version: 1 });
  expect(await setActive({ ids: [on.id, off.id, gone.id, fixed] }, false)).toEqual({
    changed: [on.id],
    skipped: [
      { message: { id: 'Used by a form' }, count: 1 },
      { message: { id: 'Already inactive' }, count: 1 },
      { message: { id: 'Already deleted' }, count: 1 },
    ],
  });
  expect(await find(lookupMaster, on.id)).toMatchObject({ isActive: false, version: 2 });
  expect(await find(lookupMaster, fixed)).toMatchObject({ isActive: true });
  const history = await admin.call(lookupMaster.api.history, { id: on.id });
  expect(history.rows.map(({ action, details }) => [action, details])[0]).toEqual(['changed', { Active: 'Yes → No' }]);

  const query = { kind: String(on.kind), state: 'inactive' };
  expect((await setActive({ ids: [off.id], isAll: true, query }, true)).changed).toContain(on.id);
  expect(await find(lookupMaster, on.id)).toMatchObject({ isActive: true, version: 3 });
  expect(await find(lookupMaster, off.id)).toMatchObject({ isActive: false, version: 2 });
});

test('a rule that one of the selected rows would break refuses them all', async () => {
  const { rows } = await list(skillLevelMaster, {});
  const more = [];
  for (let count = 0; count < 7; count++) more.push((await create(admin, skillLevelMaster)).id);
  const before = await contents();
  const selection = { ids: more };
  const { status } = await send('POST', `${skillLevelMaster.path}/active`, { selection, isActive: true });
  expect([rows.length > 0, status]).toEqual([true, 422]);
  expect(await contents()).toEqual(before);
});

test('selected rows are exported alone, with every column, as text and as a workbook', async () => {
  const [first, , third] = [
    await create(admin, departmentMaster),
    await create(admin, departmentMaster),
    await create(admin, departmentMaster),
  ];
  const url = `/api${departmentMaster.path}/export?as=csv&search=nothing&ids=${first.id},${third.id}`;
  const { text } = await admin.send({ url });
  const [heads = '', ...lines] = text.trim().split('\r\n');
  expect(heads).toContain('"Active"');
  expect(lines.map((line) => line.split('"')[1])).toEqual([first.name, third.name].sort());
  const book = await admin.send({ url: url.replace('as=csv', 'as=xlsx') });
  expect([book.status, book.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
});

test('a master’s list has views of its own', async () => {
  const query = { search: 'a', state: 'active', sort: '-displayName', tab: 'house', unknown: 'b' };
  const draft = { name: 'Active ones', isShared: true, address: query, columns: ['code', 'usedBy', 'tree'] };
  const { id } = await admin.call(departmentMaster.api.saveView, draft);
  const { tab: _, unknown: __, ...address } = query;
  expect(await admin.call(departmentMaster.api.views, {})).toEqual([
    { id, name: 'Active ones', isShared: true, isOwn: true, address, columns: ['code', 'usedBy'] },
  ]);
  expect(await admin.call(gradeMaster.api.views, {})).toEqual([]);
});

test('a row takes the place of another one, those between move up, and nothing moves of what is not there', async () => {
  const order = async () => (await admin.call(skillLevelMaster.api.options, {})).map(({ id }) => id);
  const before = await order();
  const [first = 0, second = 0, third = 0, ...rest] = before;
  const move = (id: number, to: unknown) => send('POST', `${skillLevelMaster.path}/${id}/move`, { to });
  const audited = () =>
    school.sql(
      `select details from audit where entity = 'configuration_skill_level' and action like '%moved' and entity_id = ${first}`,
    );
  const told = (await audited()).length;
  expect((await move(first, third)).status).toBe(200);
  expect(await order()).toEqual([second, third, first, ...rest]);
  expect((await move(first, second)).status).toBe(200);
  expect(await order()).toEqual(before);
  expect(await audited()).toHaveLength(told + 2);
  expect((await move(first, first)).status).toBe(200);
  expect([await order(), (await audited()).length]).toEqual([before, told + 2]);
  expect([(await move(first, 999_999)).status, (await move(first, 'sideways')).status]).toEqual([404, 422]);
  await Promise.all([move(first, third), move(third, first), move(second, third), move(second, first)]);
  expect((await order()).sort()).toEqual([...before].sort());
});

test('what a row of its own table points to is not removed, and says that it is used', async () => {
  const parent = await create(admin, departmentMaster);
  await create(admin, departmentMaster, { parentId: parent.id });
  const { status, json } = await send('DELETE', `${departmentMaster.path}/${parent.id}`, { version: 1 });
  expect([status, json.error.message]).toEqual([409, 'This is in use, so it can’t be deleted. Deactivate it instead.']);
});

test('a list in the order of long texts turns its pages', async () => {
  const domain = await create(admin, skillDomainMaster);
  for (let n = 0; n < 30; n++) {
    const skill = await sampleOf(admin, skillMaster, { skillDomainId: domain.id });
    await admin.call(skillMaster.api.create, { ...skill, description: 'ક'.repeat(490) + n } as Values);
  }
  const { next } = await list(skillMaster, { sort: 'description', skillDomainId: String(domain.id) });
  const page = await list(skillMaster, { sort: 'description', skillDomainId: String(domain.id), after: next ?? '' });
  expect(page.rows).toHaveLength(5);
});

test('a choice of several in another order is no change', async () => {
  const row = await create(admin, tagMaster);
  const scopes = String(row.scopes).split(',').reverse().join(',');
  const { json } = await send('PUT', `${tagMaster.path}/${row.id}`, {
    ...entered(tagMaster, row),
    version: 1,
    scopes,
  });
  expect(json.version).toBe(1);
});

test('K2.5 a department’s head is active staff, and one who leaves stays there until another is chosen', async () => {
  const [head, gone] = [await pointedTo(staffNames), await pointedTo(staffNames)];
  await switchOff(staffNames, gone.id);
  const refused = { staffId: 'This entry is inactive. Choose another one.' };
  const name = 'Languages';
  const added = await send('POST', departmentMaster.path, { name, code: '', staffId: gone.id, parentId: null });
  expect([added.status, added.json.error.fields]).toEqual([422, refused]);
  const { id } = await create(admin, departmentMaster, { staffId: head.id });
  await switchOff(staffNames, head.id);
  const row = (await find(departmentMaster, id)) as MasterRow;
  const values = { ...entered(departmentMaster, row), version: row.version };
  expect((await send('PUT', `${departmentMaster.path}/${id}`, { ...values, code: 'LANG' })).status).toBe(200);
  const swapped = await send('PUT', `${departmentMaster.path}/${id}`, { ...values, staffId: gone.id, version: 2 });
  expect([swapped.status, swapped.json.error.fields]).toEqual([422, refused]);
});

test('an import and a change of one of its rows never wait for each other in turn', async () => {
  const deadlocks = async () => {
    const [row] = await school.sql(
      'select pg_stat_clear_snapshot(), deadlocks from pg_stat_database where datname = current_database()',
    );
    return Number(row?.deadlocks);
  };
  const { id } = await create(admin, departmentMaster);
  const before = await deadlocks();
  for (let version = 1; version <= 6; version++) {
    const name = `Department ${version} of ${id}`;
    const file = `Name,Code\n${String((await find(departmentMaster, id))?.name)},C${version}`;
    const both = await Promise.all([
      admin.call(departmentMaster.api.import, { file }),
      send('PUT', `${departmentMaster.path}/${id}`, { ...(await sampleOf(admin, departmentMaster)), name, version }),
    ]);
    expect(both[1].status).toBe(200);
  }
  // A session counts its deadlocks when it ends.
  await school.sql(
    `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  expect(await deadlocks()).toBe(before);
});
