import { openMenu } from '#e2e/by-keyboard.ts';
import { openClass } from '#e2e/class.ts';
import { expect, expectAccessible, test, toast } from '#e2e/school.ts';
import { openFleet } from '#testing/transport.ts';

test('riders get their seats by keyboard, and see their names before their bus changes', async ({ page, school }) => {
  const keeper = await school.person({ isStaff: true, sets: ['transportIncharge'] });
  const fleet = await openFleet(school as never, { seats: 5 });
  const section = await openClass(school, { teacher: keeper, students: 2 });
  const children = await school.sql(`select student.id, student.gr_no as number, student.name
    from student_section place join student on student.id = place.student_id
    where place.section_id = ${section} order by student.id`);
  const nameOf = async (table: string, column: string, id: number | undefined) =>
    String((await school.sql(`select ${column} as name from ${table} where id = ${id}`))[0]?.name);
  const stop = await nameOf('transport_stop', 'name', fleet.stops[1]);

  await school.enter(page, keeper, { path: '/school-erp/transport/' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add rider' }).first()).toBeVisible();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Assign riders' });
  await form.getByRole('combobox', { name: 'Student' }).focus();
  for (const [place, { number, name }] of children.entries()) {
    await expect(form.getByRole('combobox', { name: 'Student' }).nth(place)).toBeFocused();
    await page.keyboard.type(String(number));
    await expect(form.getByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    // The stop of the rider before stays for the next one.
    if (place === 0) await page.keyboard.type(stop);
    for (const way of ['Pickup trip', 'Drop trip'])
      await expect(form.getByRole('combobox', { name: way }).nth(place)).not.toHaveValue('');
    if (place === 0) await page.keyboard.press('Enter');
  }
  await expectAccessible(page);
  await form.getByRole('combobox', { name: 'Drop trip' }).nth(1).press('Control+Enter');
  const question = page.getByRole('dialog', { name: 'Assign these riders?' });
  await expect(question.getByRole('listitem')).toHaveCount(2);
  await question.getByRole('button', { name: 'Assign', exact: true }).press('Enter');
  await expect(toast(page, '2 riders assigned.')).toBeVisible();

  const [bus, spare] = await Promise.all(
    [fleet.pickup.bus, fleet.spare].map((id) => nameOf('transport_vehicle', 'fleet_no', id)),
  );
  await page.goto(`/school-erp/transport/vehicle?search=${bus}`);
  await openMenu(page.getByRole('button', { name: `Actions for ${bus}`, exact: true }));
  await page.getByRole('menuitem', { name: 'Move its trips…' }).press('Enter');
  const moving = page.getByRole('dialog', { name: `Move the trips of ${bus}` });
  await moving.getByRole('combobox', { name: 'Vehicle that takes them' }).selectOption({ label: spare });
  await page.keyboard.press('Control+Enter');
  const ask = page.getByRole('dialog', { name: 'Move riders to another vehicle?' });
  await expect(ask.getByRole('listitem')).toHaveCount(2);
  await expect(ask).toContainText(`${bus} → ${spare}`);
  await expectAccessible(page);
  await ask.getByRole('button', { name: 'Move', exact: true }).press('Enter');
  await expect(toast(page, `Trips of ${bus} moved.`)).toBeVisible();
  const actions = page.getByRole('button', { name: `Actions for ${bus}`, exact: true });
  await expect(actions).toBeFocused();
  await openMenu(actions);
  await page.getByRole('menuitem', { name: 'Add documents…' }).press('Enter');
  const papers = page.getByRole('dialog', { name: `Documents of ${bus}` });
  await expect(papers.getByRole('textbox', { name: 'RC: number' })).toBeFocused();
  await expectAccessible(page);
  await papers.getByRole('textbox', { name: 'PUC: expires on' }).fill('31-03-2031');
  await page.keyboard.press('Control+Enter');
  await expect(toast(page, `Documents of ${bus} added.`)).toBeVisible();
  await expect(actions).toBeFocused();
  const [duty] = await school.sql(`select vehicle_id as id from transport_duty
    where trip_id = ${fleet.pickup.trip} and effective_to is null`);
  expect(duty?.id).toBe(fleet.spare);
});
