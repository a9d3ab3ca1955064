import { expect, expectLooks, field, test } from '#e2e/school.ts';

const typedDay = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('-');

test('families choose the time of an interaction on a phone; the office sees who has and who has not', async ({
  page,
  school,
  browser,
}) => {
  const mark = Math.floor(Math.random() * 1e6);
  const staff = await school.person({ name: `Hema ${mark}`, isStaff: true, sets: ['office'] });
  const families = [];
  for (const turn of [1, 2]) {
    const phone = String(mark).padStart(7, '0');
    families.push(
      await school.family({
        state: 'submitted',
        inquiry: { fatherMobile: `98${turn}${phone}`, motherMobile: `97${turn}${phone}` },
      }),
    );
  }
  const ids = families.map(({ id }) => id).join(', ');
  await school.sql(`insert into academic_program (name, short_name, board_id)
    select 'Times ${mark}', 'T${mark}', board_id from academic_program order by id limit 1`);
  await school.sql(`update admission_inquiry set state = 'Verified', status = 'Checked', received_at = now(),
    last_name = 'Time${mark}', program_id = (select id from academic_program where name = 'Times ${mark}') where id in (${ids})`);
  await school.sql(`insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total, interaction)
    select academic_year_id, branch_id, program_id, grade_id, 'General', 9, 'Interaction' from admission_inquiry
    where id = ${families[0]?.id}`);
  await page.addInitScript(`localStorage.setItem('userData', '${staff.staffId}')`);
  await school.enter(page, staff, { path: `/school-erp/admission/process-admission?search=Time${mark}` });

  await page.getByRole('checkbox', { name: /all/i }).first().check();
  await page.getByRole('button', { name: 'Let families choose…' }).click();
  const dialog = page.getByRole('dialog');
  await field(page, 'day').fill(typedDay(5));
  await field(page, 'secondDay').fill(typedDay(6));
  await field(page, 'to').fill('11:00');
  await field(page, 'place').fill(`Library ${mark}`);
  await field(page, 'untilDay').fill(typedDay(2));
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByText('Assessor is required.').first()).toBeVisible();
  await expectLooks(page);
  const assessor = dialog.getByRole('combobox', { name: 'Assessor', exact: true });
  if (await assessor.evaluate(({ tagName }) => tagName === 'SELECT')) {
    const value = await assessor.locator('option', { hasText: staff.name }).getAttribute('value');
    await assessor.selectOption(value ?? '');
  } else {
    await assessor.fill(staff.name);
    await page.getByRole('option', { name: staff.name }).click();
  }
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('Places to choose from: 6. Families: 2')).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('status').getByText(/^Offered/)).toBeVisible();

  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const phone = await context.newPage();
  await phone.goto(families[0]?.at('/admission') ?? '');
  await phone.getByRole('radio', { name: '10:20' }).first().check();
  await expectLooks(phone);
  await phone.getByRole('button', { name: 'Book this time' }).click();
  await expect(phone.getByText('Your time is booked.')).toBeVisible();
  await expect(phone.getByText('Meeting planned')).toBeVisible();
  await expectLooks(phone);
  await context.close();

  await page.goto('/school-erp/admission/process-admission?show=slots');
  await expect(page.getByText('1 of 2 have no time')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'chosen by the family' })).toContainText(`Time${mark}`);
  await expectLooks(page);
});
