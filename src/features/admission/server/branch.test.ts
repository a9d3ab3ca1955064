import { afterAll, beforeAll, expect, test } from 'vitest';
import { educationAnswers } from '#database/seed/answers.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { Person } from '#testing/browser.ts';
import { requestOf, sampleOf } from '#testing/inputs.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { finishRun } from '#testing/runs.ts';
import { type Family, familyInquiry, openSchool, type School } from '#testing/school.ts';
import { inquiryImportApi } from '../contract/import.ts';
import { inquiryApi } from '../contract/inquiry.ts';
import { inquiryList } from '../contract/list.ts';
import { reviewApi } from '../contract/review.ts';
import { reviewList } from '../contract/review-list.ts';
import { siblingApi } from '../contract/sibling.ts';
import { rows } from '../matrix.ts';
import { inquiryRuns } from './inquiry/send-many.ts';

let school: School;
/** Reaches every branch. */
let all: Person;
/** Reaches only the second branch. */
let one: Person;
let second: number;
/** A submitted form of the first branch and one of the second, of one family. */
let here: Family;
let there: Family;
const sets = ['office', 'admissionHead', 'principal'] as const;
const father = '9825011111';

beforeAll(async () => {
  school = await openSchool();
  const [row] = await school.sql(`insert into academic_branch (name, code) values ('Vesu', 'VE') returning id`);
  second = Number(row?.id);
  all = await school.person({ sets: [...sets] });
  one = await school.person({ sets: [...sets], branchIds: [second] });
  await openAdmission(school);
  here = await submitted('Asha', 1);
  there = await submitted('Nirav', second);
});
afterAll(() => school.close());

async function submitted(firstName: string, branchId: number) {
  const family = await school.inquiry({ ...familyInquiry, firstName, fatherMobile: father, branchId });
  await family.fillAll();
  await family.post('education-history', educationAnswers);
  expect((await family.submit()).status).toBe(200);
  return family;
}
const idsOf = ({ rows }: { rows: readonly { id: number }[] }) => rows.map(({ id }) => id).sort((a, b) => a - b);
const both = () => [here.id, there.id].sort((a, b) => a - b);

test('Y12 lists, counts and exports have the inquiries of the branches that the account reaches', async () => {
  for (const { api } of [inquiryList, reviewList]) {
    const ofAll = { tab: 'all' } as never;
    expect(idsOf(await all.call(api.list, ofAll))).toEqual(both());
    expect(idsOf(await one.call(api.list, ofAll))).toEqual([there.id]);
    const { rows } = await all.call(api.list, { tab: 'all', branchId: String(second) } as never);
    expect(rows).toMatchObject([{ id: there.id, branch: 'Vesu' }]);
    const exported = async (who: Person) =>
      (await who.send({ url: `/api${api.export.path}?tab=all&as=csv&columns=child` })).text;
    expect(await exported(all)).toMatch(/Asha/);
    expect(await exported(one)).toMatch(/Nirav/);
    expect(await exported(one)).not.toMatch(/Asha/);
  }
  const counted = async (who: Person) => (await who.send({ url: `/api/review/count?tab=all` })).json;
  expect(await counted(one)).not.toEqual(await counted(all));
});

test('Y12 search, the dashboard, the duplicate check and the brothers and sisters name no family outside the scope', async () => {
  const found = async (who: Person) => (await who.send({ url: '/api/search?search=98250%2011111' })).text;
  expect(await found(all)).toMatch(/Asha/);
  expect(await found(one)).toMatch(/Nirav/);
  expect(await found(one)).not.toMatch(/Asha/);
  const figuresOf = async (who: Person) =>
    (await who.call(dashboardApi.read, {})).cards.flatMap(({ title, figures }) =>
      ['Admission forms', 'Inquiries'].includes(title.id) ? figures.map(({ value }) => value) : [],
    );
  const [whole, part] = [await figuresOf(all), await figuresOf(one)];
  expect(whole.filter((value) => value === 2).length).toBeGreaterThan(0);
  expect(part).toEqual(whole.map((value) => value / 2));
  const similar = async (who: Person) =>
    (await who.call(inquiryApi.check, { fatherMobile: father } as never)).similar.map(({ id }) => id).sort();
  expect([await similar(all), await similar(one)]).toEqual([both(), [there.id]]);
  const { rows } = await one.call(siblingApi.list, { id: there.id });
  const review = await one.call(reviewApi.read, { id: there.id });
  expect([rows, review.similar, review.next]).toEqual([[], [], null]);
  const ofAll = await all.call(reviewApi.read, { id: there.id });
  expect([(await all.call(siblingApi.list, { id: there.id })).rows.length, ofAll.similar.length]).toEqual([1, 1]);
});

const ofInquiry = [inquiryApi, siblingApi, reviewApi]
  .flatMap((api) => Object.values<Endpoint>(api))
  .filter(({ path }) => path.includes('/:id'));

test.each(ofInquiry.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  'Y12 an inquiry of another branch does not exist for %s',
  async (name, endpoint) => {
    const sample = { ...(sampleOf(endpoint.input) as object), ...rows[name]?.example };
    const ask = (who: Person, id: number) => who.send(requestOf(endpoint, { ...sample, id }));
    const before = await school.sql(`select * from admission_inquiry where id = ${here.id}`);
    const nobody = await ask(one, 999_999);
    const outside = await ask(one, here.id);
    expect([nobody.status, outside.status, outside.text]).toEqual([404, 404, nobody.text]);
    expect(await school.sql(`select * from admission_inquiry where id = ${here.id}`)).toEqual(before);
    // The same request finds one of their own, unless it names another record as well.
    const own = await ask(one, there.id);
    expect(own.status === 404 && !/:id.*:/.test(endpoint.path)).toBe(false);
  },
);

test('Y12 papers and messages of a form of another branch do not exist', async () => {
  const [paper] = await school.sql(`select id, file_id from admission_document where inquiry_id = ${here.id} limit 1`);
  const urls = [`/api/review/${here.id}/document/${paper?.id}/file`, `/api/review/${here.id}/file/${paper?.file_id}`];
  for (const url of urls) {
    expect([url, (await all.send({ url })).status]).toEqual([url, 200]);
    expect([url, (await one.send({ url })).status]).toEqual([url, 404]);
  }
  const [message] = await school.sql(`insert into admission_message (inquiry_id, about, text)
    values (${here.id}, 'Other', 'x') returning id`);
  const url = `/api/review/${here.id}/message/${message?.id}/read`;
  expect((await one.send({ method: 'POST', url, body: {} })).status).toBe(404);
  expect((await all.send({ method: 'POST', url, body: {} })).status).toBe(200);
});

test('Y12 bulk acts leave out inquiries of another branch, also when a run goes on after the scope has changed', async () => {
  const fresh = async (branchId: number) => {
    const { id } = await school.inquiry({ ...familyInquiry, branchId });
    await school.sql(`update admission_inquiry set state = 'New' where id = ${id}`);
    return id;
  };
  const [mine, other] = [await fresh(second), await fresh(1)];
  const selection = { ids: [mine, other] };
  const assigned = await one.call(inquiryApi.assign, { selection, assignedToId: String(one.staffId) } as never);
  expect(assigned).toMatchObject({ changed: 1, skippedCount: 0 });
  const { confirmToken } = await all.call(inquiryApi.sendMany, { selection } as never);
  const { runId } = await all.call(inquiryApi.sendMany, { selection, confirmToken } as never);
  await school.sql(`update run set begins_at = null;
    insert into sign_in_account_branch (account_id, branch_id) values (${all.id}, ${second})`);
  await finishRun(school.services, inquiryRuns, Number(runId));
  await school.sql(`delete from sign_in_account_branch where account_id = ${all.id}`);
  const states = await school.sql(
    `select id, state from admission_inquiry where id in (${mine}, ${other}) order by id`,
  );
  expect(states).toEqual([
    { id: mine, state: 'Form sent' },
    { id: other, state: 'New' },
  ]);
});

test('Y12 an inquiry is added in and moved to a branch that the account reaches, and read from no other', async () => {
  const { id } = await school.inquiry({ ...familyInquiry, branchId: second });
  const { version, values } = await one.call(inquiryApi.read, { id });
  const [lead] = await school.sql(`select id from academic_lookup where kind = 'Lead source' limit 1`);
  const typed = { id, version, ...values, ageReason: 'Ready', leadSourceId: Number(lead?.id), gender: 'Female' };
  const moved = { ...typed, branchId: 1 };
  await expect(one.call(inquiryApi.update, moved as never)).rejects.toMatchObject({ fields: { branchId: {} } });
  const added = { ...moved, firstName: 'Other', isAnotherChild: false, sendsForm: false };
  await expect(one.call(inquiryApi.create, added as never)).rejects.toMatchObject({ fields: { branchId: {} } });
  await one.call(inquiryApi.create, { ...added, branchId: second } as never);
  await all.call(inquiryApi.update, moved as never);
  await expect(one.call(inquiryApi.read, { id })).rejects.toMatchObject({ code: 'not_found' });
  expect((await all.call(inquiryApi.read, { id })).branch).toBe('Main campus');
});

test('Y12 a row of a file names a branch that the account reaches; the only one need not be typed', async () => {
  const [year] = await school.sql(`select name, to_char(age_cutoff_on - 2372, 'DD-MM-YYYY') as born
    from academic_year where id = academic_year_on()`);
  const file = (branch: string, name: string) =>
    [
      `Child’s first name,Child’s last name,Gender,Birth date,Academic year,Program,Grade,Father mobile,Lead source,Branch`,
      `${name},Vyas,Female,${year?.born},${year?.name},Regular,Grade 1,9825070001,Walk-in,${branch}`,
      '',
    ].join('\n');
  const preview = (who: Person, branch: string) =>
    who.call(inquiryImportApi.import, { file: file(branch, 'Kavya') } as never);
  const messages = async (who: Person, branch: string) =>
    Object.keys(((await preview(who, branch)) as { rows: { messages: object }[] }).rows[0]?.messages ?? {});
  expect(await messages(one, '')).toEqual([]);
  expect(await messages(one, 'Vesu')).toEqual([]);
  expect(await messages(one, 'Main campus')).toEqual(['branchId']);
  expect(await messages(all, 'Main campus')).toEqual([]);
  expect(await messages(all, '')).toEqual(['branchId']);
});

test('Y12 the branches to choose from are those that the account reaches', async () => {
  const names = async (who: Person) =>
    (await who.call(inquiryApi.branches, { state: 'active' } as never)).map(({ name }) => name);
  expect([await names(all), await names(one)]).toEqual([['Main campus', 'Vesu'], ['Vesu']]);
});
