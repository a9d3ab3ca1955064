import type { Locator, Page } from '@playwright/test';
import { expect, expectLooks, field, test } from '#e2e/school.ts';

/** Days from today as it is typed, such as 05-03-2027. */
const typedDay = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('-');

const state = (page: Page, words: string) => expect(page.locator('main').getByText(words, { exact: true }).first());

/** Presses keys alone, as a user without a mouse does, and counts them. */
function openKeys(page: Page) {
  let pressed = 0;
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      pressed++;
      await page.keyboard.press(key);
    }
  };
  const type = async (words: string) => {
    pressed += words.length;
    await page.keyboard.type(words);
  };
  /** Goes to a control with Tab, or back to it. */
  const reach = async (control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    await expect(control).toBeVisible();
    for (let stops = 0; stops < 60; stops++) {
      if ((await control.and(page.locator(':focus')).count()) > 0) return;
      await press(key);
    }
    throw new Error(`${key} did not come to ${control}`);
  };
  /** Chooses by typing, in a list or, where there are more than thirty entries, in a search box. */
  const choose = async (list: Locator, words: string) => {
    await reach(list);
    await expect(async () => {
      if (await list.evaluate(({ tagName }) => tagName === 'SELECT')) {
        await type(words);
        return expect(list.locator('option:checked')).toContainText(words, { timeout: 500 });
      }
      await press('ControlOrMeta+a');
      await type(words);
      await expect(page.getByRole('option', { name: words })).toBeVisible({ timeout: 5000 });
      await press('Enter');
      await expect(list).toHaveValue(new RegExp(words), { timeout: 500 });
    }).toPass({ intervals: [1500] });
  };
  return { press, type, reach, choose, count: () => pressed };
}

test('a verified form becomes a child in a section by keyboard alone: interaction, offer, fee and account', async ({
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
  // A program of its own: seats and prices of another test don't meet these.
  await does(`insert into academic_program (name, short_name, board_id)
    select 'Journey ${mark}', 'J${mark}', board_id from academic_program order by id limit 1;
    update admission_inquiry set state = 'Verified', program_id = (select id from academic_program where name = 'Journey ${mark}')
    where id = ${family.id};
    insert into admission_verdict (inquiry_id, section, result, staff_id, decided_at)
    select ${family.id}, section, 'Accepted', (select min(id) from staff), now()
    from unnest(array['Child', 'Family', 'Health', 'Contacts', 'Languages']) as section on conflict do nothing;
    insert into admission_document_verdict (document_id, result, staff_id, decided_at)
    select id, 'Verified', (select min(id) from staff), now() from admission_document where inquiry_id = ${family.id}
    on conflict do nothing;
    insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total, interaction, admission_fee)
    select academic_year_id, branch_id, program_id, grade_id, 'General', 1, 'Interaction', 1500000
    from admission_inquiry where id = ${family.id};
    insert into academic_section (academic_year_id, branch_id, program_id, grade_id, name, capacity, medium)
    select academic_year_id, branch_id, program_id, grade_id, 'J${mark}', 30, 'English' from admission_inquiry where id = ${family.id};
    insert into fee_receipt_series (name, short_name) select 'School ${mark}', 'S${mark}'
    where not exists (select from fee_receipt_series where is_active)`);
  await page.addInitScript(`localStorage.setItem('userData', '${staff.staffId}')`);
  await school.enter(page, { id, ...staff }, { path: `/school-erp/admission/process-admission/${family.id}` });

  const dialog = page.getByRole('dialog');
  const { press, type, reach, choose, count } = openKeys(page);
  const keys: Record<string, number> = {};
  const counted = (step: string) => {
    keys[step] = count() - Object.values(keys).reduce((sum, own) => sum + own, 0);
  };
  await expect(page.getByRole('button', { name: 'Plan interaction…' })).toBeVisible();
  await press('p');
  await expect(page.getByRole('dialog', { name: 'Plan interactions' })).toBeVisible();
  await reach(field(page, 'day'));
  await type(typedDay(3));
  await reach(field(page, 'place'));
  // Another test's slots in the same room or hour would clash.
  await type(`Room ${mark}`);
  await choose(dialog.getByRole('combobox', { name: 'Assessor', exact: true }), staff.name);
  await reach(dialog.getByRole('checkbox'));
  await press('Space', 'Enter');
  await reach(dialog.getByRole('button', { name: 'Plan', exact: true }));
  await press('Enter');
  await expect(page.getByRole('status').getByText(/^Planned/)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  counted('slot');
  // Attendance is entered on the day of the slot.
  await school.sql(`update admission_slot set starts_at = starts_at - interval '3 days', ends_at = ends_at - interval '3 days'
    where place = 'Room ${mark}'`);

  // The page is read again on that day.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Enter result…' })).toBeVisible();
  await press('r');
  await reach(field(page, 'recommendation'));
  await type('Recom');
  await reach(field(page, 'note'));
  await type('Counts to twenty.');
  await reach(dialog.getByRole('button', { name: 'Save' }));
  await press('Enter');
  await expect(page.getByText('Counts to twenty.')).toBeVisible();
  await state(page, 'Interaction done').toBeVisible();
  await expect(dialog).toHaveCount(0);
  counted('outcome');

  await press('o');
  await expect(page.getByRole('dialog', { name: 'Offer a seat' })).toBeVisible();
  await reach(field(page, 'offerUntil'));
  await press('Enter');
  await reach(dialog.getByRole('button', { name: 'Hold' }));
  await press('Enter');
  await expect(page.getByRole('button', { name: 'Release…' })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expectLooks(page);
  counted('decision');

  await press('l');
  await expect(page.getByRole('dialog', { name: 'Release decisions' })).toBeVisible();
  await reach(field(page, 'day'));
  await press('Enter');
  await reach(dialog.getByRole('button', { name: 'Release', exact: true }));
  await press('Enter');
  await expect(dialog.getByRole('button', { name: 'Undo' })).toBeVisible();
  await school.doRuns({ id });
  // The result is read although nothing is held any more, and the button that opened the dialog is gone.
  await expect(page.getByRole('button', { name: 'Record fee…', includeHidden: true })).toBeVisible();
  await expect(dialog.getByText('Finished: 1 done, 0 skipped, 0 failed.')).toBeVisible();
  await press('Escape');
  await expect(dialog).toHaveCount(0);
  counted('release');

  await press('f');
  await reach(page.getByRole('radio').first());
  await press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'UPI' })).toBeChecked();
  await reach(field(page, 'reference'));
  await type(`UPI${mark}`);
  await press('Enter');
  await expect(page.getByRole('status').getByText(/^Seat confirmed/)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  counted('fee');

  await reach(page.getByRole('link', { name: 'Create the account' }));
  await press('Enter');
  await reach(page.getByRole('button', { name: 'Change: Class' }));
  await press('Enter');
  const section = page.getByRole('combobox', { name: 'Section' });
  await reach(section);
  await press('ArrowDown');
  await expect(section.locator('option:checked')).toContainText(`J${mark}`);
  // Prices would be seen by the tests of fees.
  await expect(page.getByText(/The account is created without a fee plan/)).toBeVisible();
  await expectLooks(page);
  await press('ControlOrMeta+Enter');
  await reach(dialog.getByRole('button', { name: 'Create', exact: true }));
  await press('Enter');
  await expect(page.getByText(/is a student with GR number/)).toBeVisible();
  counted('account');
  test.info().annotations.push({ type: 'keys', description: JSON.stringify({ ...keys, all: count() }) });
  const [child] = await school.sql(`select section.name from admission_inquiry inquiry
    join student_enrollment enrollment on enrollment.student_id = inquiry.student_id
    join student_section own on own.enrollment_id = enrollment.id
    join academic_section section on section.id = own.section_id where inquiry.id = ${family.id}`);
  expect(child).toEqual({ name: `J${mark}` });
});
