import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { staffList } from '#features/staff/contract/list.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { viewHandlers } from './list-views.ts';

const { api } = staffList;

let school: School;
let admin: Person;
let clerk: Person;
let other: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  clerk = await school.person({ name: 'Meena', sets: ['office'] });
  other = await school.person({ name: 'Farida', sets: ['accountant'] });
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from list_view'));

const draft = {
  name: 'My view',
  isShared: false,
  address: { tab: 'left', sort: '-name' },
  columns: ['name', 'status'],
};
const save = (person: Person, over: Partial<InputOf<typeof api.saveView>> = {}) =>
  person.call(api.saveView, { ...draft, ...over });
const views = (person: Person) => person.call(api.views, {});
const namesOf = async (person: Person) => (await views(person)).map(({ name }) => name);

test('a saved view keeps filters, order and columns for its owner alone', async () => {
  const { id } = await save(clerk, { address: { ...draft.address, search: 'patel', departmentId: '4' } });
  expect(await views(clerk)).toEqual([
    {
      id,
      name: 'My view',
      isShared: false,
      isOwn: true,
      address: { search: 'patel', tab: 'left', sort: '-name', departmentId: '4' },
      columns: ['name', 'status'],
    },
  ]);
  expect([await views(other), await views(admin)]).toEqual([[], []]);
});

test('an Admin’s shared view is everyone’s to use, and nobody else may share one', async () => {
  const { id } = await save(admin, { name: 'For all', isShared: true });
  await save(admin, { name: 'Own' });
  expect(await views(clerk)).toEqual([expect.objectContaining({ id, name: 'For all', isShared: true, isOwn: false })]);
  expect(await namesOf(admin)).toEqual(['For all', 'Own']);
  await expect(save(clerk, { isShared: true })).rejects.toMatchObject({
    code: 'invalid',
    fields: { isShared: { id: 'Only an Admin can share a view.' } },
  });
  expect(await namesOf(clerk)).toEqual(['For all']);
});

test('saving under a name again replaces the person’s view of that name, whatever the case', async () => {
  const { id } = await save(clerk);
  const theirs = await save(other);
  expect(await save(clerk, { name: 'MY VIEW', address: { search: 'shah' }, columns: ['name'] })).toEqual({ id });
  expect(await views(clerk)).toEqual([
    expect.objectContaining({ id, name: 'MY VIEW', address: { search: 'shah' }, columns: ['name'] }),
  ]);
  expect(await views(other)).toEqual([
    expect.objectContaining({ id: theirs.id, name: 'My view', columns: draft.columns }),
  ]);
  const written = await school.sql(`select version, details from audit where action = 'list-view.saved'
    and entity_id = ${id} order by id`);
  expect(written).toEqual([
    { version: 1, details: { list: 'staff', name: 'My view', isShared: false } },
    { version: 2, details: { list: 'staff', name: 'MY VIEW', isShared: false } },
  ]);
});

test('a view is removed by its owner, a shared one by an Admin too, and another’s private view does not exist', async () => {
  const [own, shared] = [await save(clerk), await save(admin, { name: 'For all', isShared: true })];
  const second = await school.person({ role: 'Admin' });
  const remove = async (person: Person, { id }: { id: number }) =>
    (await person.send({ method: 'DELETE', url: `/api/staff/view/${id}` })).status;
  expect([await remove(other, own), await remove(second, own), await remove(clerk, shared)]).toEqual([404, 404, 404]);
  expect([await remove(clerk, own), await remove(second, shared), await remove(second, shared)]).toEqual([
    200, 200, 404,
  ]);
  expect(await school.sql('select id from list_view')).toEqual([]);
  const [row] = await school.sql(
    `select actor, details from audit where action = 'list-view.removed' order by id limit 1`,
  );
  expect(row).toEqual({ actor: 'Meena', details: { list: 'staff', name: 'My view', isShared: false } });
});

test('what a view names that the list does not have is ignored', async () => {
  await save(clerk, {
    address: {
      page: '2',
      constructor: 'x',
      signIn: 'Sometimes',
      sort: 'salary',
      tab: 'gone',
      departmentId: 'x',
      search: '',
    },
    columns: ['salary', 'status', 'status', 'name', 'constructor'],
  });
  expect(await views(clerk)).toEqual([expect.objectContaining({ address: {}, columns: ['status', 'name'] })]);
  await school.sql(`update list_view set columns = '{salary,name}',
    address = '{"tab": "gone", "sort": "-salary", "grade": "1", "branchId": "7"}'`);
  expect(await views(clerk)).toEqual([expect.objectContaining({ address: { branchId: '7' }, columns: ['name'] })]);
});

test('a person has at most 50 views of a list, also when two are saved at once, and may still replace one', async () => {
  await school.sql(`insert into list_view (list, name, staff_id, address)
    select 'staff', 'View ' || number, ${clerk.staffId}, '{}'::jsonb from generate_series(1, 49) number
    union all select 'another', 'View ' || number, ${clerk.staffId}, '{}'::jsonb from generate_series(1, 9) number`);
  const user = { ...clerk, role: 'Staff', sets: ['office'], session: 1, confirmedFor: 0 };
  const second = await school.services.db.transaction().execute(async (db) => {
    const inside = { ...school.context(), db, user } as unknown as UserContext;
    await viewHandlers(staffList).saveView(inside, { ...draft, name: 'One' });
    const saving = save(clerk, { name: 'Two' }).catch((error: unknown) => error);
    await expect.poll(() => school.sql('select 1 from pg_locks where not granted')).toHaveLength(1);
    return { saving };
  });
  expect(await second.saving).toMatchObject({
    fields: { name: { id: 'You have {mostViews} views of this list. Delete one first.' } },
  });
  expect(await views(clerk)).toHaveLength(50);
  expect(await save(clerk, { name: 'view 7' })).toEqual({ id: expect.any(Number) });
  await save(other);
});
