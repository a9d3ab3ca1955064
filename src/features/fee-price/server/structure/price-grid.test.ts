import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { create, openKeeper, plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { headMaster } from '../../contract/masters.ts';
import { priceGridApi, raised } from '../../contract/price-grid.ts';
import { structureApi } from '../../contract/structure.ts';

let school: School;
let accountant: Person;
let place: { academicYearId: number; branchId: number; programId: number };
let heads: { feeHeadId: number; frequencyId: number }[];
let lab: number;
beforeAll(async () => {
  school = await openSchool();
  const keeper = await openKeeper(school);
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  place = {
    academicYearId: (await plant(school, yearMaster)).id,
    branchId: (await plant(school, branchMaster)).id,
    programId: (await plant(school, programMaster)).id,
  };
  const made = [await create(keeper, headMaster), await create(keeper, headMaster)];
  heads = made.map((head) => ({ feeHeadId: head.id, frequencyId: Number(head.frequencyId) }));
  lab = (await create(keeper, headMaster)).id;
});
afterAll(() => school.close());

let count = 0;
/** A draft with 60,000 and 5,000 a year. */
async function priced() {
  const values = {
    name: `Sheet ${++count}`,
    ...place,
    categoryId: null,
    admissionType: 'All students' as const,
    gradeIds: [(await plant(school, gradeMaster)).id],
  };
  const { id, version } = await accountant.call(structureApi.create, values);
  const lines = heads.map((head, index) => ({ ...head, annual: index ? 500_000 : 6_000_000, months: null }));
  const saved = await accountant.call(structureApi.update, { ...values, id, version, lines });
  return { ...values, ...saved };
}
const publish = async ({ id }: { id: number }) => {
  await school.sql(`update fee_structure set status = 'Published', published_at = now(), published_by = edited_by,
    version = version + 1 where id = ${id}`);
  return { id, version: 3 };
};
type Cells = { feeHeadId: number; annual: string | null; seen: number | null }[];
const input = (rows: { id: number; version: number; cells: Cells }[]) =>
  ({ academicYearId: place.academicYearId, rows }) as never;
const save = async (who: Person, rows: Parameters<typeof input>[0]) => {
  const { confirmToken } = await who.call(priceGridApi.save, input(rows));
  return who.call(priceGridApi.save, { ...(input(rows) as object), confirmToken } as never);
};
const [tuition, term] = [() => heads[0]?.feeHeadId ?? 0, () => heads[1]?.feeHeadId ?? 0];
const send = (who: Person, rows: Parameters<typeof input>[0]) =>
  who.send({ method: 'POST', url: '/api/fee/structure/grid', body: input(rows) as object });
const rowOf = async (id: number) =>
  (await accountant.call(priceGridApi.read, { academicYearId: place.academicYearId })).rows.find(
    (row) => row.id === id,
  );

test('B4.31 amounts of several structures are saved as drafts in one act, after a preview of their sums', async () => {
  const [draft, other] = [await priced(), await publish(await priced())];
  const rows = [
    { id: draft.id, version: draft.version, cells: [{ feeHeadId: tuition(), annual: '૬૪,૮૦૦', seen: 6_000_000 }] },
    {
      ...other,
      cells: [
        { feeHeadId: tuition(), annual: '1,20,000', seen: 6_000_000 },
        { feeHeadId: term(), annual: null, seen: 500_000 },
        { feeHeadId: lab, annual: '2600', seen: null },
      ],
    },
  ];
  const shown = await accountant.call(priceGridApi.save, input(rows));
  expect(shown).toMatchObject({ isApplied: false, amounts: 4, structures: 2, versions: 1 });
  expect(shown.heads.map(({ before, after, structures }) => [before, after, structures])).toEqual(
    expect.arrayContaining([
      [12_000_000, 18_480_000, 2],
      [500_000, 0, 1],
      [0, 260_000, 1],
    ]),
  );
  expect(await rowOf(draft.id)).toMatchObject({ version: draft.version });
  await save(accountant, rows);
  expect(await rowOf(draft.id)).toMatchObject({ version: draft.version + 1, status: 'Draft' });
  const { rows: all } = await accountant.call(priceGridApi.read, { academicYearId: place.academicYearId });
  const version = all.find(({ key }) => key === String(other.id));
  expect(version).toMatchObject({ status: 'Draft', versionNo: 2 });
  expect(version?.lines.map(({ feeHeadId, annual }) => [feeHeadId, annual])).toEqual(
    expect.arrayContaining([
      [tuition(), 12_000_000],
      [lab, 260_000],
    ]),
  );
  expect(version?.lines).toHaveLength(2);
  expect(version?.before).toHaveLength(2);
  // The published prices are as they were.
  expect(await accountant.call(structureApi.read, { id: other.id })).toMatchObject({ status: 'Published', version: 3 });
});

test('B4.32 prices that somebody else has changed are refused with the name, the head and both amounts', async () => {
  const [mine, theirs] = [await priced(), await priced()];
  const asha = await school.person({ name: 'Asha Rao', role: 'Staff', sets: ['accountant'] });
  const cell = (annual: string) => [{ feeHeadId: tuition(), annual, seen: 6_000_000 }];
  await save(asha, [{ id: theirs.id, version: theirs.version, cells: cell('61,000') }]);
  const refused = await send(accountant, [
    { id: mine.id, version: mine.version, cells: cell('62,000') },
    { id: theirs.id, version: theirs.version, cells: cell('62,000') },
  ]);
  expect(refused.status).toBe(409);
  expect(refused.json.error.message).toMatch(
    new RegExp(`“${theirs.name}”, Asha Rao.*₹60,000\\.00 → ₹61,000\\.00\\. Your amounts are kept`),
  );
  expect(await rowOf(mine.id)).toMatchObject({ version: mine.version });
  const old = await publish(await priced());
  await save(asha, [{ ...old, cells: cell('61,000') }]);
  const begun = await send(accountant, [{ ...old, cells: cell('62,000') }]);
  expect([begun.status, begun.json.error.message]).toEqual([
    409,
    `Asha Rao has begun a new version of “Sheet ${count}”. Your amounts are kept.`,
  ]);
});

test('B4.33 a wrong amount, an unknown head and prices that wait for approval are refused, and nothing is saved', async () => {
  const draft = await priced();
  const cells = (annual: string, feeHeadId = tuition()) => [{ feeHeadId, annual, seen: null }];
  const { id, version } = draft;
  const wrong = await send(accountant, [{ id, version, cells: cells('33OO') }]);
  expect([wrong.status, wrong.json.error.fields]).toEqual([
    422,
    { 'rows.0.cells.0.annual': 'Enter an amount, such as 1,25,000.50.' },
  ]);
  const unknown = await send(accountant, [{ id, version, cells: cells('100', 999_999) }]);
  expect(unknown.json.error.fields).toEqual({ 'rows.0.cells.0.annual': 'This fee head is inactive.' });
  await accountant.call(structureApi.publish, { id, version, validFrom: '' });
  const asked = await send(accountant, [{ id, version: version + 1, cells: cells('100') }]);
  expect([asked.status, asked.json.error.message]).toEqual([
    409,
    'These prices wait for approval. Withdraw the request to change them.',
  ]);
});

test('an accountant of another branch finds no row and saves none', async () => {
  const { id, version } = await priced();
  const other = await plant(school, branchMaster);
  const stranger = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [other.id] });
  expect((await stranger.call(priceGridApi.read, { academicYearId: place.academicYearId })).rows).toEqual([]);
  const { status } = await send(stranger, [
    { id, version, cells: [{ feeHeadId: tuition(), annual: '100', seen: null }] },
  ]);
  expect(status).toBe(404);
});

test.each([
  [5_700_000, 800, 100, 6_150_000],
  [5_700_000, 800, 1, 6_156_000],
  [4_512_345, 750, 50, 4_850_000],
  [4_512_345, 750, 10, 4_850_000],
  [100, 800, 100, 10_000],
])('B4.34 %i paise and %i hundredths of a percent are rounded down to whole ₹%i: %i', (paise, percent, unit, is) => {
  expect(raised(paise, percent, unit)).toBe(is);
});
