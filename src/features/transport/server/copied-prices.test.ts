import { afterAll, beforeAll, expect, test } from 'vitest';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { fleetApi } from '../contract/fleet.ts';
import { slabMaster, slabPriceMaster } from '../contract/masters.ts';
import { copiedPrices } from './copied-prices.ts';

let school: School;
let keeper: Person;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
});
afterAll(() => school.close());

const addYear = async () => (await plant(school, yearMaster)).id;
async function addPrice(
  yearId: number,
  price: { slabId?: number; paise: number; months?: string; isActive?: boolean },
) {
  const slabId = price.slabId ?? (await plant(school, slabMaster)).id;
  await plant(school, slabPriceMaster, {
    academicYearId: yearId,
    slabId,
    monthAmount: price.paise,
    oneWayShare: 6000,
    months: price.months ?? 'June,July',
  });
  if (price.isActive === false)
    await school.sql(`update transport_slab_price set is_active = false where slab_id = ${slabId}`);
  return slabId;
}
const pricesOf = (yearId: number) =>
  school.sql(`select slab_id as id, month_amount::integer as paise, one_way_share as share, months
    from transport_slab_price where academic_year_id = ${yearId} order by slab_id`);
const copying = (fromId: number, toId: number, rise: number | null, unit: '1' | '10' | '50' | '100') => ({
  fromYearId: String(fromId),
  toYearId: String(toId),
  rise,
  unit,
});
const refusalOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    ({ code, fields }) => [code, Object.keys(fields ?? {})],
  );

test('F1.3 slab prices are copied with a percentage more, rounded, and a price that is there is kept and named', async () => {
  const from = await addYear();
  const to = await addYear();
  const near = await addPrice(from, { paise: 150_000 });
  const far = await addPrice(from, { paise: 155_500, months: 'June' });
  const kept = await addPrice(from, { paise: 200_000 });
  await addPrice(from, { paise: 90_000, isActive: false });
  await addPrice(to, { slabId: kept, paise: 199_900 });
  const input = copying(from, to, 750, '50');
  const { rows, confirmToken } = await keeper.call(fleetApi.copySlabPrices, input);
  const shown = Object.fromEntries(rows.map(({ id, before, after, isKept }) => [id, [before, after, isKept]]));
  // 1,612.50 and 1,671.62 rupees before they are rounded.
  expect(shown).toEqual({
    [near]: [150_000, 160_000, false],
    [far]: [155_500, 165_000, false],
    [kept]: [200_000, 199_900, true],
  });
  expect(await pricesOf(to)).toMatchObject([{ id: kept, paise: 199_900 }]);
  await keeper.call(fleetApi.copySlabPrices, { ...input, confirmToken: confirmToken ?? '' });
  expect(await pricesOf(to)).toMatchObject([
    { id: near, paise: 160_000, share: 6000, months: ['June', 'July'] },
    { id: far, paise: 165_000, share: 6000, months: ['June'] },
    { id: kept, paise: 199_900 },
  ]);
  expect(
    await school.sql(`select count(*)::integer as count from audit where action = 'transport-slab-price.copied'`),
  ).toEqual([{ count: 2 }]);
  const again = await keeper.call(fleetApi.copySlabPrices, input);
  expect(again).toMatchObject({ confirmToken: null, rows: [{ isKept: true }, { isKept: true }, { isKept: true }] });
});

test('F1.3 a price is rounded to the nearest unit, half a unit up, and costs one unit at least', async () => {
  const from = await addYear();
  const slabs: number[] = [];
  for (const paise of [104_900, 105_000, 149_500, 500]) slabs.push(await addPrice(from, { paise }));
  const roundedTo = async (unit: '1' | '10' | '50' | '100', rise: number | null = null) => {
    const { rows } = await keeper.call(fleetApi.copySlabPrices, copying(from, await addYear(), rise, unit));
    const after = new Map(rows.map((row) => [row.id, row.after / 100]));
    return slabs.map((slab) => after.get(slab));
  };
  expect(await roundedTo('1')).toEqual([1049, 1050, 1495, 5]);
  expect(await roundedTo('10')).toEqual([1050, 1050, 1500, 10]);
  expect(await roundedTo('50')).toEqual([1050, 1050, 1500, 50]);
  expect(await roundedTo('100')).toEqual([1000, 1100, 1500, 100]);
  expect(await roundedTo('1', 333)).toEqual([1084, 1085, 1545, 5]);
});

test('F1.3 prices are copied only to a later year that is open, and not after the preview has changed', async () => {
  const from = await addYear();
  const to = await addYear();
  const slab = await addPrice(from, { paise: 150_000 });
  expect(await refusalOf(keeper.call(fleetApi.copySlabPrices, copying(to, from, 0, '10')))).toEqual([
    'invalid',
    ['toYearId'],
  ]);
  const input = copying(from, to, 1000, '10');
  const { confirmToken } = await keeper.call(fleetApi.copySlabPrices, input);
  await school.sql(`update transport_slab_price set month_amount = 160000 where slab_id = ${slab}`);
  const confirmed = { ...input, confirmToken: confirmToken ?? '' };
  expect(await refusalOf(keeper.call(fleetApi.copySlabPrices, confirmed))).toEqual(['stale', []]);
  await school.sql(`update transport_slab_price set month_amount = 90000000000000 where slab_id = ${slab}`);
  expect(await refusalOf(keeper.call(fleetApi.copySlabPrices, input))).toEqual(['invalid', ['rise']]);
  await school.sql(`update academic_year set status = 'Closed' where id = ${to}`);
  expect(await refusalOf(keeper.call(fleetApi.copySlabPrices, input))).toEqual(['conflict', []]);
  expect(await pricesOf(to)).toEqual([]);
});

test('F1.3 the next year gets the same prices with the calendar, to the paisa', async () => {
  const from = await addYear();
  const to = await addYear();
  const slab = await addPrice(from, { paise: 155_555 });
  const copy = () => copiedPrices.copy(school.context() as never, { fromId: from, toId: to } as never);
  expect([await copy(), await copy()]).toEqual([
    { added: 1, alreadyThere: 0 },
    { added: 0, alreadyThere: 1 },
  ]);
  expect(await pricesOf(to)).toMatchObject([{ id: slab, paise: 155_555 }]);
});
