import { concessionApi } from '#features/fee-price/contract/concession.ts';
import { discountApi } from '#features/fee-price/contract/discount.ts';
import { fineRuleApi } from '#features/fee-price/contract/fine-rule.ts';
import { headMaster } from '#features/fee-price/contract/masters.ts';
import { planApi } from '#features/fee-price/contract/plan.ts';
import { addDays } from '#kit/server/day.ts';
import { type Act, ask, childOn, confirm, last, post, said } from './acting.ts';
import { drawRow } from './money.ts';
import type { YearSchool } from './school.ts';

/** What a school with a price list sets up before its first day: a late fine on tuition, and a discount of a tenth. */
export async function setUpPrices({ people, years, prices }: YearSchool): Promise<void> {
  const { accountant } = people;
  const rule = await accountant.call(fineRuleApi.create, {
    ...{ name: 'Late', effectiveFrom: years.old.startsOn, kind: 'Per day', amount: 2000, graceDays: 5 },
    ...{ maxAmount: 50_000, slabs: [] },
  } as never);
  const { rows } = await accountant.call(headMaster.api.list, { search: 'Tuition' } as never);
  const tuition = rows.find(({ id }) => id === prices.heads.Tuition);
  await accountant.call(headMaster.api.update, { ...tuition, fineRuleId: rule.id } as never);
  await accountant.call(discountApi.create, {
    ...{
      name: 'Merit',
      code: 'MERIT',
      valueKind: 'Percent',
      percent: 1000,
      amount: null,
      headIds: [],
      categoryIds: [],
    },
    ...{ heads: 'All heads with concessions', eligibility: 'Any student', thirdPercent: null, fourthPercent: null },
    ...{
      stackGroup: '',
      priority: 50,
      maxAmount: null,
      needsApproval: true,
      approvalAbove: null,
      academicYearId: null,
    },
  });
}

/** The accountant asks for a concession of a child from this month on. */
const askConcession: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  const [discount] = await world.school.sql(`select id from fee_discount where code = 'MERIT'`);
  if (!child || !discount) return undefined;
  const sent = await post(world.people.accountant, concessionApi.request.path, {
    ...{ studentId: child.id, discountId: discount.id, academicYearId: child.yearId, effectiveFrom: day },
    ...{ effectiveTo: '', reason: 'First of the class' },
  });
  return said(sent, [child.id]);
};

const endConcession: Act['act'] = async (world, random, day) => {
  const granted = await drawRow<{ id: number; version: number; student: number }>(
    world,
    random,
    `select concession.id, version, student_id as student from fee_concession concession
      where status = 'Approved' and academic_year_id = academic_year_on('${day}') and effective_from < '${day.slice(0, 8)}01'
        and effective_to > '${addDays(day, 31)}'`,
  );
  if (!granted) return undefined;
  const { id, version, student } = granted;
  const body = { version, lastDay: day, reason: 'No longer the first' };
  return said(await post(world.people.accountant, `/fee/concession/${id}/end`, body), [student]);
};

/** What is unpaid of an instalment moves two weeks on. */
const moveDueDay: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const { accountant } = world.people;
  const shown = await ask(accountant, { url: `/api/fee/plan/${child.id}?yearId=${child.yearId}` });
  const due = shown.json?.dues?.find(
    ({ net, paid, dueOn }: Record<string, number>) => Number(net) > Number(paid) && String(dueOn) >= day,
  );
  if (!shown.json?.planId || !due) return said(shown, [child.id]);
  const { planId, version } = shown.json;
  const body = { version, dueOn: due.dueOn, newDay: addDays(due.dueOn, 14), reason: 'The family asked' };
  return said(await post(accountant, `/fee/plan/${planId}/due-day`, body), [child.id]);
};

/** Plans for the children who joined without one. */
const makePlans: Act['act'] = async ({ people, years }, _, day) => {
  const { accountant } = people;
  const year = day < years.next.startsOn ? years.old : years.next;
  const listed = await ask(accountant, { url: `/api/fee/plan?tab=without&yearId=${year.id}` });
  const rows: { id: number; studentId: number }[] = listed.json?.rows ?? [];
  if (rows.length === 0) return undefined;
  const sent = await confirm(accountant, planApi.allocate.path, {
    selection: { ids: rows.map(({ id }) => id), isAll: false, query: { tab: 'without', yearId: String(year.id) } },
    ...{ past: 'As scheduled', pastDay: '' },
  });
  return said(
    sent,
    rows.map(({ studentId }) => studentId),
  );
};

/** Tuition of a grade rises from a later month on; at most once in two months. */
const raisePrices: Act['act'] = async (world, random, day) => {
  const { accountant } = world.people;
  const published = await drawRow<{ id: number; version: number }>(
    world,
    random,
    `select id, version from fee_structure own where status = 'Published' and academic_year_id = academic_year_on('${day}')
      and not exists (select from fee_structure later where later.replaces_id = own.id)
      and published_at < '${addDays(day, -60)}'`,
  );
  if (!published) return undefined;
  const made = await post(accountant, `/fee/structure/${published.id}/version`, { version: published.version });
  if (made.status !== 200) return said(made, []);
  const url = `/api/fee/structure/${made.json.id}`;
  const { json } = await ask(accountant, { url });
  const lines = json.lines.map(({ feeHeadId, frequencyId, annual, months }: Record<string, number>) => ({
    ...{ feeHeadId, frequencyId, months },
    annual: feeHeadId === world.prices.heads.Tuition ? Number(annual) + 120_000 : annual,
  }));
  const { name, academicYearId, branchId, programId, categoryId, admissionType, version } = json;
  const place = { name, academicYearId, branchId, programId, categoryId, admissionType, version };
  const gradeIds = json.grades.map(({ id }: { id: number }) => id);
  const saved = await ask(accountant, { method: 'PUT', url, body: { ...place, gradeIds, lines } });
  if (saved.status !== 200) return said(saved, []);
  const validFrom = `${addDays(`${day.slice(0, 8)}01`, 32).slice(0, 8)}01`;
  const body = { version: saved.json.version, validFrom: validFrom < json.endsOn ? validFrom : json.endsOn };
  return said(last([made, saved, await post(accountant, `/fee/structure/${made.json.id}/publish`, body)]), []);
};

/** The plans of a grade take its new prices. */
const reprice: Act['act'] = async (world, random, day) => {
  const later = await drawRow<{ id: number; day: string }>(
    world,
    random,
    `select id, valid_from::text as day from fee_structure where status = 'Published' and valid_from is not null
      and academic_year_id = academic_year_on('${day}')`,
  );
  if (!later) return undefined;
  const body = { structureId: later.id, effectiveFrom: later.day };
  return said(await confirm(world.people.accountant, planApi.reprice.path, body), []);
};

/** A concession for a child whom nobody knows. */
const concedeNobody: Act['act'] = async ({ people, years }, _, day) =>
  said(
    await post(people.accountant, concessionApi.request.path, {
      ...{ studentId: 2_000_000_000, discountId: 1, academicYearId: years.old.id, effectiveFrom: day },
      ...{ effectiveTo: '', reason: '' },
    }),
    [],
  );

export const priceActs: readonly Act[] = [
  { name: 'a concession asked', weight: 2, act: askConcession },
  { name: 'a concession ended', weight: 1, act: endConcession },
  { name: 'a due day moved', weight: 1, act: moveDueDay },
  { name: 'plans made', weight: 2, act: makePlans },
  { name: 'a new version of prices', weight: 1, act: raisePrices },
  { name: 'plans repriced', weight: 1, act: reprice },
  { name: 'a concession for nobody', weight: 1, isWrong: true, act: concedeNobody },
];
