import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { pick } from '#kit/contract/field.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { create, openKeeper, plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { frequencyApi } from '../../contract/frequency.ts';
import { headMaster } from '../../contract/masters.ts';
import { structureApi, structureList } from '../../contract/structure.ts';

let school: School;
let accountant: Person;
let principal: Person;
let place: { academicYearId: number; branchId: number; programId: number };
let heads: { feeHeadId: number; frequencyId: number }[];
beforeAll(async () => {
  school = await openSchool();
  const keeper = await openKeeper(school);
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal', 'accountant'] });
  place = {
    academicYearId: (await plant(school, yearMaster)).id,
    branchId: (await plant(school, branchMaster)).id,
    programId: (await plant(school, programMaster)).id,
  };
  const made = [await create(keeper, headMaster), await create(keeper, headMaster)];
  heads = made.map((head) => ({ feeHeadId: head.id, frequencyId: Number(head.frequencyId) }));
});
afterAll(() => school.close());

/** The first day of the year, for later versions. */
const firstDay = async (id: number) =>
  String(
    (
      await school.sql(`select starts_on::text as day from academic_year year join fee_structure own
    on own.academic_year_id = year.id where own.id = ${id}`)
    )[0]?.day,
  );

let count = 0;
/** Grades of its own, unless given. */
const draft = async (over: object = {}) => ({
  name: `Prices ${++count}`,
  ...place,
  categoryId: null,
  admissionType: 'All students' as const,
  gradeIds: [(await plant(school, gradeMaster)).id, (await plant(school, gradeMaster)).id],
  ...over,
});
const lines = (annual = 6_000_000) =>
  heads.map((head, index) => ({ ...head, annual: annual + index, months: index === 1 ? 0b100000100000 : null }));
async function priced(over: object = {}) {
  const values = await draft(over);
  const { id, version } = await accountant.call(structureApi.create, values);
  const saved = await accountant.call(structureApi.update, { ...values, id, version, lines: lines() });
  return { ...values, ...saved };
}
const ask = async (who: Person, { id, version }: { id: number; version: number }) =>
  who.send({
    method: 'POST',
    url: `/api/fee/structure/${id}/publish`,
    body: { version, validFrom: await firstDay(id) },
  });
const requestOf = async (id: number) => {
  const [row] = await school.sql(`select id from approval where fee_structure_id = ${id} and status = 'Pending'`);
  return principal.call(approvalApi.read, { id: Number(row?.id) });
};
const approve = ({ id, version, seen }: { id: number; version: number; seen: string }) =>
  principal.send({
    method: 'POST',
    url: `/api/approval/${id}/decide`,
    body: { version, seen, outcome: 'Approved', remark: '' },
  });
/** The accountant asks, the principal approves. */
async function publish(prices: { id: number; version: number }) {
  await ask(accountant, prices);
  return approve(await requestOf(prices.id));
}

test('B4.18 W30 published prices are copied to a later year with a rise, rounded down, once', async () => {
  const to = (await plant(school, yearMaster)).id;
  const values = await draft();
  const { id, version } = await accountant.call(structureApi.create, values);
  const annuals = [6_000_000, 512_500];
  const saved = await accountant.call(structureApi.update, {
    ...values,
    id,
    version,
    lines: heads.map((head, index) => ({ ...head, annual: annuals[index] ?? 0, months: null })),
  });
  await publish({ ...saved });
  const input = { fromYearId: place.academicYearId, toYearId: to, rise: 750, unit: '50' as const };
  const { rows, confirmToken } = await accountant.call(structureApi.copy, input);
  expect(rows).toMatchObject([{ before: 6_512_500, after: 7_000_000 }]);
  await accountant.call(structureApi.copy, { ...input, confirmToken: confirmToken ?? '' });
  const copied =
    await school.sql(`select status, version_no, array_agg(line.annual::text order by line.annual) as annuals
    from fee_structure structure join fee_structure_line line on line.structure_id = structure.id
    where academic_year_id = ${to} group by structure.id`);
  expect(copied).toEqual([{ status: 'Draft', version_no: 1, annuals: ['550000', '6450000'] }]);
  expect(await accountant.call(structureApi.copy, input)).toMatchObject({
    rows: [],
    alreadyThere: 1,
    confirmToken: null,
  });
});

test('B4.36 a copy replaces drafts that were copied and never edited, by name, and leaves an edited draft as it is', async () => {
  const from = (await plant(school, yearMaster)).id;
  const to = (await plant(school, yearMaster)).id;
  const both = [await priced({ academicYearId: from }), await priced({ academicYearId: from })];
  for (const one of both) await publish(one);
  const copy = async (rise: number | null, unit: '1' | '100') => {
    const input = { fromYearId: from, toYearId: to, rise, unit };
    const preview = await accountant.call(structureApi.copy, input);
    await accountant.call(structureApi.copy, { ...input, confirmToken: preview.confirmToken ?? '' });
    return preview;
  };
  const drafts = async () =>
    (await accountant.call(structureList.api.list, { tab: 'draft', academicYearId: String(to) })).rows;
  expect((await copy(null, '1')).replaced).toEqual([]);
  const [edited, untouched] = await drafts();
  const { id, version, lines: own, ...values } = await accountant.call(structureApi.read, { id: edited?.id ?? 0 });
  await accountant.call(structureApi.update, {
    ...pick(values, 'name', 'academicYearId', 'branchId', 'programId', 'categoryId', 'admissionType'),
    id,
    version,
    gradeIds: values.grades.map((grade) => grade.id),
    lines: own.map((line) => ({ ...pick(line, 'feeHeadId', 'frequencyId', 'months'), annual: 100 })),
  });
  const second = await copy(800, '100');
  expect(second.replaced).toEqual([untouched?.name]);
  const removed = await school.sql(`select details ->> 'Name' as name from audit where action = 'fee-structure.removed'
    and entity_id = '${untouched?.id}'`);
  expect(removed).toEqual([{ name: untouched?.name }]);
  expect(second.rows).toMatchObject([{ before: 12_000_001, after: 12_960_000 }]);
  expect(second.alreadyThere).toBe(1);
  const after = await drafts();
  expect(after.map(({ name, total }) => [name, total]).sort()).toEqual(
    [
      [edited?.name, 200],
      [untouched?.name, 12_960_000],
    ].sort(),
  );
  expect(after.some(({ id }) => id === untouched?.id)).toBe(false);
  // The same again changes nothing, and a copy that was asked for is no draft.
  const input = { fromYearId: from, toYearId: to, rise: 800, unit: '100' as const };
  expect(await accountant.call(structureApi.copy, input)).toMatchObject({ replaced: [], rows: [], confirmToken: null });
});

test('B4.36 selected drafts are asked for in one act with a request each, and who may publishes them; others are skipped by name', async () => {
  const [one, two, empty] = [await priced(), await priced(), await accountant.call(structureApi.create, await draft())];
  const rival = await priced({ gradeIds: one.gradeIds });
  const out = await priced();
  await publish(out);
  const renewed = await accountant.call(structureApi.renew, { id: out.id, version: out.version + 2 });
  const ids = [one.id, two.id, empty.id, rival.id, out.id, renewed.id];
  const many = (who: Person, confirmToken?: string, validFrom = '') =>
    who.call(structureApi.publishMany, {
      selection: { ids },
      validFrom,
      ...(confirmToken && { confirmToken }),
    });
  await school.sql('delete from notice');
  const preview = await many(accountant);
  expect([preview.changed, preview.skippedCount, preview.status]).toEqual([2, 4, 'Waiting for approval']);
  const why = new Map(preview.skipped.map(({ id, reason }) => [id, english(reason)]));
  expect(why.get(empty.id)).toBe('Add at least one fee head before publishing.');
  expect(why.get(rival.id)).toMatch(/^“.+” is published and has prices for .+\.$/);
  expect(why.get(out.id)).toBe('Published prices can’t be changed. Create a new version.');
  expect(why.get(renewed.id)).toBe('Enter the first day of a later version.');
  expect(await school.sql('select from notice')).toEqual([]);
  await many(accountant, preview.confirmToken ?? '');
  const asked = await school.sql(`select fee_structure_id as id, amount::integer as amount from approval
    where fee_structure_id = any('{${ids}}') and status = 'Pending' order by fee_structure_id`);
  expect(asked).toEqual([
    { id: one.id, amount: 12_000_001 },
    { id: two.id, amount: 12_000_001 },
  ]);
  // One notice for each who decides.
  expect(await school.sql('select count(*)::integer as n from notice group by account_id')).toEqual([{ n: 1 }]);
  expect((await approve(await requestOf(two.id))).status).toBe(200);

  await school.sql(`insert into setting (key, value) values ('fee.second-publishes', 'false')`);
  const first = await firstDay(renewed.id);
  const alone = await many(principal, undefined, first);
  expect([alone.changed, alone.status]).toEqual([2, 'Published']);
  await many(principal, alone.confirmToken ?? '', first);
  await school.sql(`delete from setting where key = 'fee.second-publishes'`);
  expect(await accountant.call(structureApi.read, { id: renewed.id })).toMatchObject({
    status: 'Published',
    validFrom: first,
  });
  expect(await accountant.call(structureApi.read, { id: out.id })).toMatchObject({ status: 'Superseded' });
});

test('B2.4 an inactive head stays in the prices that have it, and is neither added to others nor copied', async () => {
  const old = await priced();
  const [first, second] = heads;
  const inactive = (is: boolean) =>
    school.sql(`update fee_head set is_active = ${!is} where id = ${second?.feeHeadId}`);
  await inactive(true);
  expect((await accountant.call(structureApi.update, { ...old, lines: lines(6_100_000) })).version).toBe(3);
  const values = await draft();
  const { id, version } = await accountant.call(structureApi.create, values);
  const put = (own: object[]) =>
    accountant.send({ method: 'PUT', url: `/api/fee/structure/${id}`, body: { ...values, version, lines: own } });
  const refused = await put(lines());
  expect([refused.status, refused.json.error.fields]).toEqual([
    422,
    { 'lines.1.feeHeadId': 'Choose one from the list.' },
  ]);
  expect((await put([{ ...first, annual: 100, months: null }])).status).toBe(200);
  await publish({ id: old.id, version: 3 });
  const to = (await plant(school, yearMaster)).id;
  const input = { fromYearId: place.academicYearId, toYearId: to, rise: null, unit: '1' as const };
  const { rows } = await accountant.call(structureApi.copy, input);
  expect(rows.find(({ id }) => id === old.id)).toMatchObject({ before: 12_200_001, after: 6_100_000 });
  await inactive(false);
});

test('a draft is saved with its grades and prices, and listed with its annual amount', async () => {
  const { id, name, gradeIds } = await priced();
  const found = await accountant.call(structureApi.read, { id });
  expect(found).toMatchObject({
    name,
    status: 'Draft',
    version: 2,
    editedBy: 'Kiran',
    may: { edit: true, ask: true, publish: false },
  });
  expect(found.lines).toMatchObject([
    { annual: 6_000_000, months: null },
    { annual: 6_000_001, months: 0b100000100000 },
  ]);
  expect(found.grades.map((grade) => grade.id).sort()).toEqual([...gradeIds].sort());
  const { rows } = await accountant.call(structureList.api.list, { tab: 'draft', search: name });
  expect(rows).toMatchObject([{ id, total: 12_000_001, status: 'Draft' }]);
});

test('B4.6 published prices never change: a new version replaces them, and only one is published for a grade', async () => {
  const first = await priced();
  expect((await publish(first)).status).toBe(200);
  const read = () => principal.call(structureApi.read, { id: first.id });
  const published = await read();
  expect(published).toMatchObject({ status: 'Published', publishedBy: 'Mina', may: { edit: false, renew: true } });

  const { id: _id, ...values } = first;
  const { status, json } = await accountant.send({
    method: 'PUT',
    url: `/api/fee/structure/${first.id}`,
    body: { ...values, version: published.version, lines: lines(1) },
  });
  expect([status, json.error.message]).toEqual([409, 'Published prices can’t be changed. Create a new version.']);
  const words = 'published prices do not change';
  for (const statement of [
    `update fee_structure_line set annual = 1 where structure_id = ${first.id}`,
    `delete from fee_structure_line where structure_id = ${first.id}`,
    `insert into fee_structure_grade select ${first.id}, id, 1, 1, 1, 0, 'x', 'Published' from academic_grade`,
    `update fee_structure set name = 'Other' where id = ${first.id}`,
    `delete from fee_structure where id = ${first.id}`,
  ])
    await expect(school.sql(statement)).rejects.toThrow(words);

  const other = await priced({ gradeIds: first.gradeIds });
  // Said to the one who asks, not only to the one who decides.
  const refused = await ask(accountant, other);
  expect([refused.status, refused.json.error.message]).toEqual([
    409,
    expect.stringMatching(/^“.+” is published and has prices for .+\.$/),
  ]);
  const renewed = await accountant.call(structureApi.renew, { id: first.id, version: published.version });
  expect((await publish(renewed)).status).toBe(200);
  expect(await read()).toMatchObject({ status: 'Superseded' });
  expect(await principal.call(structureApi.read, { id: renewed.id })).toMatchObject({
    status: 'Published',
    versionNo: 2,
  });
});

test('a second person publishes prices, unless the school chose otherwise', async () => {
  const values = await draft();
  const { id, version } = await principal.call(structureApi.create, values);
  const own = await principal.call(structureApi.update, { ...values, id, version, lines: lines() });
  await school.sql(`insert into setting (key, value) values ('fee.second-publishes', 'false')`);
  expect((await ask(principal, own)).json.status).toBe('Published');
  // An accountant asks all the same.
  const other = await priced();
  expect((await ask(accountant, other)).json.status).toBe('Waiting for approval');
  await school.sql(`delete from setting where key = 'fee.second-publishes'`);

  expect((await approve(await requestOf(other.id))).status).toBe(200);
  const { publishedBy, status } = await accountant.call(structureApi.read, { id: other.id });
  expect([publishedBy, status]).toEqual(['Mina', 'Published']);
});

test('prices that wait for approval are neither changed nor deleted, and are a draft again once it is rejected', async () => {
  const prices = await priced();
  await ask(accountant, prices);
  const { version, status, may } = await accountant.call(structureApi.read, { id: prices.id });
  expect([status, may]).toEqual([
    'Waiting for approval',
    { edit: false, ask: false, publish: false, renew: false, remove: false },
  ]);
  const refused = await accountant.send({
    method: 'DELETE',
    url: `/api/fee/structure/${prices.id}`,
    body: { version },
  });
  expect([refused.status, refused.json.error.message]).toEqual([
    409,
    'These prices wait for approval. Withdraw the request to change them.',
  ]);
  await expect(
    school.sql(`update fee_structure_line set annual = 1 where structure_id = ${prices.id}`),
  ).rejects.toThrow('published prices do not change');
  const { id, version: seenVersion, seen } = await requestOf(prices.id);
  await principal.call(approvalApi.decide, {
    id,
    version: seenVersion,
    seen,
    outcome: 'Rejected',
    remark: 'Too high.',
  });
  expect(await accountant.call(structureApi.read, { id: prices.id })).toMatchObject({
    status: 'Draft',
    may: { edit: true, ask: true, remove: true },
  });
});

test('of two who publish different prices for one grade at once, one does', async () => {
  const one = await priced();
  const two = await priced({ gradeIds: one.gradeIds });
  for (const prices of [one, two]) await ask(accountant, prices);
  const [first, second] = [await requestOf(one.id), await requestOf(two.id)];
  const answers = await Promise.all([approve(first), approve(second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('B1.3 a frequency that prices use keeps its instalments', async () => {
  await priced();
  const [head] = heads;
  const { rows } = await accountant.call(frequencyApi.list, {});
  const used = rows.find((row) => row.id === head?.frequencyId);
  if (!used) throw new Error('No frequency.');
  const { status, json } = await accountant.send({
    method: 'PUT',
    url: `/api/fee/frequency/${used.id}`,
    body: {
      ...pick(used, 'name', 'code', 'kind', 'remainderSeq', 'version', 'isActive'),
      sharing: 'Equal shares',
      unit: '1',
      rows: used.rows.map((row) => ({ ...row, dueDay: 20 })),
    },
  });
  expect([status, json.error.fields]).toEqual([
    422,
    { rows: 'Prices use these instalments. Duplicate the frequency to change them.' },
  ]);
});

test('an accountant of another branch does not find the prices', async () => {
  const { id } = await priced();
  const other = await plant(school, branchMaster);
  const stranger = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [other.id] });
  const { status } = await stranger.send({ url: `/api/fee/structure/${id}` });
  expect(status).toBe(404);
  expect((await stranger.call(structureList.api.list, {})).rows).toEqual([]);
});
