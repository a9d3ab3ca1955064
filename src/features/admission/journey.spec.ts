import type { Page } from '@playwright/test';
import { chooseByTyping } from '#e2e/by-keyboard.ts';
import { expect, expectLooks, field, test } from '#e2e/school.ts';

/** Days from today as it is typed, such as 05-03-2027. */
const typedDay = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('-');

const state = (page: Page, words: string) => expect(page.locator('main').getByText(words, { exact: true }).first());

test('a verified form becomes a child in a section by the keys of each step: interaction, offer, fee and account', async ({
  page,
  school,
}) => {
  const mark = Math.floor(Math.random() * 1e6);
  const { id, ...staff } = await school.person({
    name: `Hasmukh ${mark}`,
    isStaff: true,
    sets: ['office', 'admissionHead', 'accountant'],
  });
  const family = await school.family({
    state: 'submitted',
    inquiry: { fatherMobile: `98${String(mark).padStart(8, '0')}`, motherMobile: `97${String(mark).padStart(8, '0')}` },
  });
  const does = async (statements: string) => {
    for (const statement of statements.split(';')) await school.sql(statement);
  };
  await does(`insert into admission_verdict (inquiry_id, section, result, staff_id, decided_at)
    select ${family.id}, section, 'Accepted', (select min(id) from staff), now()
    from unnest(array['Child', 'Family', 'Health', 'Contacts', 'Languages']) as section on conflict do nothing;
    insert into admission_document_verdict (document_id, result, staff_id, decided_at)
    select id, 'Verified', (select min(id) from staff), now() from admission_document where inquiry_id = ${family.id}
    on conflict do nothing;
    update admission_inquiry set state = 'Verified' where id = ${family.id};
    insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total, interaction, admission_fee)
    select academic_year_id, branch_id, program_id, grade_id, 'General', 500, 'Interaction', 1500000
    from admission_inquiry where id = ${family.id}
    on conflict on constraint admission_seat_once do update set interaction = 'Interaction', admission_fee = 1500000;
    insert into academic_section (academic_year_id, branch_id, program_id, grade_id, name, capacity, medium)
    select academic_year_id, branch_id, program_id, grade_id, 'J${mark}', 30, 'English' from admission_inquiry where id = ${family.id};
    insert into fee_receipt_series (name, short_name) select 'School ${mark}', 'S${mark}'
    where not exists (select from fee_receipt_series where is_active)`);
  await page.addInitScript(`localStorage.setItem('userData', '${staff.staffId}')`);
  await school.enter(page, { id, ...staff }, { path: `/school-erp/admission/process-admission/${family.id}` });

  await expect(page.getByRole('button', { name: 'Plan interactions…' })).toBeVisible();
  await page.keyboard.press('p');
  const slot = page.getByRole('dialog', { name: 'Plan interactions' });
  await field(page, 'day').fill(typedDay(3));
  // Another test's slots in the same room or hour would clash.
  await field(page, 'place').fill(`Room ${mark}`);
  await chooseByTyping(slot.getByRole('combobox', { name: /Assessor/ }).first(), staff.name);
  await slot.getByRole('checkbox').last().press('Space');
  await field(page, 'place').press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Plan', exact: true }).press('Enter');
  await expect(page.getByRole('status').getByText(/^Planned/)).toBeVisible();
  await page.getByRole('button', { name: 'Came', exact: true }).press('Enter');
  await state(page, 'Interaction done').toBeVisible();

  await page.locator('h1').focus();
  await page.keyboard.press('o');
  await expect(page.getByRole('dialog', { name: 'Offer a seat' })).toBeVisible();
  await field(page, 'offerUntil').press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Hold' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Release…' })).toBeVisible();
  await expectLooks(page);

  await page.locator('h1').focus();
  await page.keyboard.press('l');
  await field(page, 'day').press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).press('Enter');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Undo' })).toBeVisible();
  await school.doRuns();
  const released = page.getByRole('dialog', { name: 'Release decisions' });
  await expect(released.getByText('Finished: 1 done, 0 skipped, 0 failed.')).toBeVisible();
  await released.getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(page.getByRole('button', { name: /^Record fee of/ })).toBeVisible();

  await page.locator('h1').focus();
  await page.keyboard.press('f');
  await page.getByRole('radio', { name: 'UPI' }).press('Space');
  await field(page, 'reference').fill(`UPI${mark}`);
  await field(page, 'reference').press('Enter');
  await expect(page.getByRole('status').getByText(/^Seat confirmed/)).toBeVisible();

  await page.getByRole('link', { name: 'Create the account' }).press('Enter');
  await chooseByTyping(page.getByRole('combobox', { name: 'Section' }), `Grade 1, J${mark}`);
  const withoutPlan = page.getByRole('checkbox', { name: 'Create the account without a fee plan' });
  if (await withoutPlan.isVisible()) await withoutPlan.press('Space');
  await expectLooks(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).press('Enter');
  await expect(page.getByText(/is a student with GR number/)).toBeVisible();
  const [child] = await school.sql(`select section.name from admission_inquiry inquiry
    join student_enrollment enrollment on enrollment.student_id = inquiry.student_id
    join student_section own on own.enrollment_id = enrollment.id
    join academic_section section on section.id = own.section_id where inquiry.id = ${family.id}`);
  expect(child).toEqual({ name: `J${mark}` });
});
