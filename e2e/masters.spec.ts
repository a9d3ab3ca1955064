import type { Page } from '@playwright/test';
import { openMenu } from './by-keyboard.ts';
import { expect, expectAccessible, expectLooks, expectNoSidewaysScroll, test, toast } from './school.ts';

/** A box of the form at the side. */
const box = (page: Page, name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true });
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });
const rowMenu = (page: Page, name: string) =>
  page.getByRole('button', { name: `What to do with ${name}`, exact: true });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

test('an Admin adds, changes, switches off and removes with the keyboard alone, and the history tells', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  const name = `Board ${Date.now() % 1e6}`;
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=board' });
  await page.getByRole('button', { name: 'Add board' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Add board' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(box(page, 'Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('Name is required.');
  await expectAccessible(page);
  await box(page, 'Name').focus();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Added.')).toBeVisible();
  await expect(row(page, name)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add board' })).toBeFocused();

  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
  await box(page, 'Short name (optional)').focus();
  await page.keyboard.type('SHORT');
  await page.keyboard.press('Escape');
  await expect(page.getByText('What you entered is not saved.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).press('Enter');
  await box(page, 'Short name (optional)').press('Enter');
  await expect(row(page, name)).toContainText('SHORT');

  for (const what of ['Deactivate', 'Activate']) {
    await openMenu(rowMenu(page, name));
    await item(page, what).press('Enter');
    await expect(row(page, name).getByText('Not active')).toHaveCount(what === 'Deactivate' ? 1 : 0);
  }
  await openMenu(rowMenu(page, name));
  await item(page, 'History').press('Enter');
  const history = page.getByRole('dialog', { name: `History of ${name}` });
  await expect(history.getByRole('listitem')).toHaveCount(4);
  await expect(history).toContainText('– → SHORT');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(rowMenu(page, name)).toBeFocused();
  await openMenu(rowMenu(page, name));
  await item(page, 'Remove').press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(row(page, name)).toHaveCount(0);
});

test('of two Admins who change the same row the second sees both versions and chooses', async ({
  page,
  school,
  browser,
}) => {
  const [admin, other] = [await school.person({ isAdmin: true }), await school.person({ isAdmin: true })];
  const name = `House ${Date.now() % 1e6}`;
  await school.sql(`insert into academic_house (name, colour) values ('${name}', 'Teal')`);
  const path = `/school-erp/academic/academic-master?tab=house&search=${name}`;
  const second = await (await browser.newContext()).newPage();
  for (const [tab, person] of [
    [page, admin],
    [second, other],
  ] as const) {
    await school.enter(tab, person, { path });
    await tab.getByRole('button', { name, exact: true }).click();
  }
  await page.getByRole('dialog').getByRole('combobox', { name: 'Colour' }).selectOption('Red');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, name)).toContainText('Red');
  await second.getByRole('dialog').getByRole('combobox', { name: 'Colour' }).selectOption('Blue');
  await second.getByRole('button', { name: 'Save' }).click();
  await expect(second.getByRole('dialog').getByRole('alert')).toContainText(
    'Somebody has changed this meanwhile. Which is right?',
  );
  await expect(second.getByRole('row', { name: 'Colour Red Blue' })).toBeVisible();
  await expectAccessible(second);
  await second.getByRole('button', { name: 'Take what is saved' }).click();
  await expect(second.getByRole('dialog').getByRole('combobox', { name: 'Colour' })).toHaveValue('Red');
  await second.getByRole('dialog').getByRole('combobox', { name: 'Colour' }).selectOption('Green');
  await second.getByRole('button', { name: 'Save' }).click();
  await expect(row(second, name)).toContainText('Green');
  await second.context().close();
});

test('a file is looked at before it is imported, and a wrong one says what to mend', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  const start = Date.now() % 1e6;
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=house' });
  const choose = (text: string, name = 'houses.csv') =>
    page.getByLabel(/^Choose a/).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'More' }).click();
  await item(page, 'Import…').click();
  await expectAccessible(page);
  await choose('PK\u0003\u0004', 'houses.xlsx');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('This is no CSV file.');
  await choose(`Name,Colour\nA${start},Mauve\nB${start},Teal\n`);
  await expect(page.getByText('1 row cannot be imported as it is, so none is.')).toBeVisible();
  await expect(page.getByRole('row', { name: `2 A${start} refused Colour is one of` })).toBeVisible();
  await expectAccessible(page);
  await choose(`Name,Colour\nA${start},Red\nB${start},Teal\n`);
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expect(toast(page, 'Imported.')).toBeVisible();
  await expect(row(page, `A${start}`)).toBeVisible();
  await page.getByRole('button', { name: 'More' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), item(page, 'Export as CSV').click()]);
  expect(file.suggestedFilename()).toBe('houses.csv');
});

test('a list is put in order, narrowed and turned, and its address says so', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  const mark = `T${Date.now() % 1e6}`;
  await school.sql(`insert into academic_designation (name, level)
    select '${mark} ' || lpad(n::text, 2, '0'), n % 20 + 1 from generate_series(1, 60) as n`);
  await school.enter(page, admin, { path: '/school-erp/academic/organizational-master?tab=designation' });
  await page.getByRole('searchbox', { name: 'Search designations' }).fill(mark);
  await expect(page).toHaveURL(new RegExp(`search=${mark}`));
  await expect(page.getByRole('status').filter({ hasText: '60 designations' })).toBeVisible();
  await page.getByRole('button', { name: 'Last page' }).click();
  await expect(row(page, `${mark} 60`)).toBeVisible();
  await page.getByRole('button', { name: 'Previous page' }).click();
  await page.getByRole('button', { name: 'First page' }).click();
  await expect(row(page, `${mark} 01`)).toBeVisible();
  await page.getByRole('button', { name: 'Level' }).click();
  await page.getByRole('button', { name: 'Level' }).click();
  await expect(page).toHaveURL(new RegExp(`search=${mark}&sort=-level`));
  await expect(page.getByRole('columnheader', { name: 'Level' })).toHaveAttribute('aria-sort', 'descending');
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toContainText('20');
  await page.getByRole('button', { name: 'More' }).click();
  await item(page, 'Columns…').click();
  await page.getByRole('checkbox', { name: 'Level' }).uncheck();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Level' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Used' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Level' })).toHaveCount(0);
  await school.sql(`delete from academic_designation where name like '${mark} %'`);
});

test('levels are put in another order by the menu of a row, or by dragging it', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/configuration/skill-master?tab=skill-level' });
  const names = () => page.locator('.list-name').allTextContents();
  await expect.poll(names).toEqual(['Beginner', 'Progressing', 'Proficient', 'Advanced']);
  await rowMenu(page, 'Beginner').click();
  await item(page, 'Move down').click();
  await expect.poll(names).toEqual(['Progressing', 'Beginner', 'Proficient', 'Advanced']);
  await rowMenu(page, 'Advanced').click();
  await item(page, 'Move up').click();
  await expect.poll(names).toEqual(['Progressing', 'Beginner', 'Advanced', 'Proficient']);
  await rowMenu(page, 'Beginner').click();
  await item(page, 'Move up').click();
  await rowMenu(page, 'Proficient').click();
  await item(page, 'Move up').click();
  await expect.poll(names).toEqual(['Beginner', 'Progressing', 'Proficient', 'Advanced']);

  const drag = (name: string, to: string) => row(page, name).dragTo(row(page, to));
  await drag('Beginner', 'Proficient');
  await expect.poll(names).toEqual(['Progressing', 'Proficient', 'Beginner', 'Advanced']);
  await drag('Beginner', 'Progressing');
  await expect.poll(names).toEqual(['Beginner', 'Progressing', 'Proficient', 'Advanced']);
});

test('another year is made the current one, after a question', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master' });
  for (const [to, before, became] of [
    ['2027-28', '2026-27', 'Closed'],
    ['2026-27', '2027-28', 'Planned'],
  ] as const) {
    await rowMenu(page, to).click();
    await item(page, 'Make it the current year').click();
    await page.getByRole('button', { name: 'Make it current' }).click();
    await expect(row(page, to)).toContainText('Current');
    await expect(row(page, before)).toContainText(became);
  }
});

const pages = {
  'the academic years': '/school-erp/academic/academic-master',
  'grades, a full list': '/school-erp/academic/academic-master?tab=grade',
  'sections, empty': '/school-erp/academic/academic-master?tab=section&search=nothing-of-this-name',
  departments: '/school-erp/academic/organizational-master?tab=department',
  subjects: '/school-erp/configuration/subject',
  tags: '/school-erp/configuration/tag-master',
  skills: '/school-erp/configuration/skill-master',
};

for (const [what, path] of Object.entries(pages)) {
  test(`${what}: fits every width, in light and dark, with its form open and refused`, async ({ page, school }) => {
    const admin = await school.person({ isAdmin: true });
    await school.enter(page, admin, { path: path });
    await expect(page.getByRole('button', { name: /^Add / })).toBeVisible();
    await expectLooks(page);
    await page.getByRole('button', { name: /^Add / }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('alert', { name: 'There is a problem' })).toBeVisible();
    await expectLooks(page);
  });
}

test('the working year decides which sections are shown and what a new one begins with', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  const mark = `W${Date.now() % 1e5}`;
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select id, 1, 4, 1, '${mark}', 40, 'English' from academic_year where name = '2026-27'`);
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=section' });
  await expect(row(page, `Grade 1, ${mark}`)).toBeVisible();
  await page.getByRole('combobox', { name: 'Working year' }).selectOption('2027-28');
  await expect(row(page, `Grade 1, ${mark}`)).toHaveCount(0);
  await page.getByRole('button', { name: 'Add section' }).click();
  const year = page.getByRole('dialog').getByRole('combobox', { name: 'Academic year' });
  await expect(year.locator('option:checked')).toHaveText('2027-28');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Working year' }).locator('option:checked')).toHaveText('2027-28');
  await page.getByRole('combobox', { name: 'Academic year' }).selectOption('all');
  await expect(row(page, `Grade 1, ${mark}`)).toBeVisible();
  await school.sql(`update academic_year set status = 'Closed' where name = '2027-28'`);
  await page.goto('/school-erp/academic/academic-master?tab=section');
  await expect(page.getByText('2027-28 is closed. What belongs to it can only be read.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add section' })).toHaveCount(0);
  await school.sql(`update academic_year set status = 'Planned' where name = '2027-28'`);
  await school.sql(`delete from academic_section where name = '${mark}'`);
});

test('a list of which the working year has none says so, not that there are none', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=term' });
  await page.getByRole('combobox', { name: 'Working year' }).selectOption('2027-28');
  await expect(page.getByText('There are no terms in 2027-28 yet.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search terms' }).fill('nothing');
  await expect(page.getByText('Nothing is found. Look for another word, or show all.')).toBeVisible();
});

test('the history of a row is turned to older entries and back to newer ones', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  const name = `House ${Date.now() % 1e6}`;
  await school.sql(`with house as (insert into academic_house (name, colour) values ('${name}', 'Teal') returning id)
    insert into audit (actor, action, entity, entity_id, request_id, details)
    select 'Editor ' || n, 'academic-house.changed', 'academic_house', id, 'test', '{}' from house, generate_series(1, 45) as n`);
  await school.enter(page, admin, { path: `/school-erp/academic/academic-master?tab=house&search=${name}` });
  await rowMenu(page, name).click();
  await item(page, 'History').click();
  const first = page.getByRole('dialog').getByRole('listitem').first();
  const [newer, older] = ['Newer', 'Older'].map((words) => page.getByRole('button', { name: words, exact: true }));
  for (const [button, editor] of [
    [older, 25],
    [older, 5],
    [older, 5],
    [newer, 25],
    [newer, 45],
    [newer, 45],
  ] as const) {
    await button?.press('Enter');
    await expect(first).toContainText(`Editor ${editor} `);
    await expect(button as NonNullable<typeof button>).toBeFocused();
  }
  await expectAccessible(page);
  await school.sql(`delete from academic_house where name = '${name}'`);
});

test('who confirms twice has it done once', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  const name = `House ${Date.now() % 1e6}`;
  await school.sql(`insert into academic_house (name, colour) values ('${name}', 'Teal')`);
  await school.enter(page, admin, { path: `/school-erp/academic/academic-master?tab=house&search=${name}` });
  let asked = 0;
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/academic/house/*', async (route) => {
    asked++;
    await answer.promise;
    await route.continue();
  });
  await rowMenu(page, name).click();
  await item(page, 'Remove').click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Remove' });
  await confirm.dblclick();
  await confirm.press('Enter');
  answer.resolve();
  await expect(toast(page, 'Removed.')).toBeVisible();
  expect(asked).toBe(1);
});

test('the school’s profile and settings are saved, and shown', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/organizational-master' });
  const code = page.getByRole('textbox', { name: 'UDISE code (optional)' });
  await code.fill('123');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('A UDISE code has 11 digits.');
  await expectAccessible(page);
  await code.fill('24220100123');
  await page.getByRole('link', { name: 'Settings' }).click();
  const unsaved = page.getByRole('dialog', { name: 'What you entered is not saved.' });
  await expectAccessible(page);
  await unsaved.getByRole('button', { name: 'Keep editing' }).press('Enter');
  await expect(code).toHaveValue('24220100123');
  await code.press('Enter');
  await expect(toast(page, 'Saved.')).toBeVisible();
  await expect(code).toBeFocused();
  await code.fill('24220100124');
  await code.press('Enter');
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toHaveCount(0);
  await expect
    .poll(() => school.sql('select udise_code from academic_school'))
    .toEqual([{ udise_code: '24220100124' }]);
  await page.reload();
  await expect(code).toHaveValue('24220100124');
  await page.getByRole('link', { name: 'Settings' }).click();
  const days = page.getByRole('textbox', { name: 'Days for which a form’s link is open' });
  await days.fill('400');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('is a whole number of 1 to 365.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'School', exact: true }).click();
  await unsaved.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(code).toBeVisible();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(days).toHaveValue('60');
});

type Named = Record<'grades' | 'subjects', { name: string }[]>;

test('which grade takes which subject is chosen cell by cell, saved together, and copied to the next year', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  const name = `Subject ${Date.now() % 1e6}`;
  await school.sql(`insert into configuration_subject (name, code, short_name, kind)
    values ('${name}', '${Date.now() % 1e6}', 'S', 'Scholastic')`);
  // Others have made grades and subjects meanwhile: a school has some fifteen of them.
  await page.route(/\/api\/configuration\/grade-subject\?/, async (route) => {
    const answer = await route.fetch();
    const { grades, subjects, ...rest }: Named = await answer.json();
    const own = subjects.filter((subject) => subject.name === name);
    const others = subjects.filter((subject) => subject.name !== name).slice(0, 14);
    const json = { ...rest, grades: grades.slice(0, 15), subjects: [...own, ...others] };
    await route.fulfill({ response: answer, json });
  });
  await school.enter(page, admin, { path: '/school-erp/configuration/subject?tab=grade' });
  const cell = (grade: string) => page.getByRole('combobox', { name: `${name} in ${grade}`, exact: true });
  await cell('Grade 1').focus();
  await page.keyboard.press('c');
  await page.keyboard.press('Tab');
  await expect(cell('Grade 2')).toBeFocused();
  await page.keyboard.press('e');
  await expect(page.getByText('2 changes are not saved yet')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Saved.')).toBeVisible();
  await page.reload();
  await expect(cell('Grade 1')).toHaveValue('C');
  await expect(cell('Grade 2')).toHaveValue('E');

  await page.getByRole('combobox', { name: 'Working year' }).selectOption('2027-28');
  await expect(cell('Grade 1')).toHaveValue('');
  await page.getByRole('button', { name: 'Copy from 2026-27…' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  await expect(cell('Grade 1')).toHaveValue('C');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
});

test('on paper stand the school, the title and the list, and nothing that can only be pressed', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=grade' });
  await expect(row(page, 'Grade 1')).toBeVisible();
  const onPaper = page.locator('.only-print');
  await expect(onPaper).toBeHidden();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(onPaper).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(row(page, 'Grade 1')).toBeVisible();
  for (const pressed of ['.shell-head', '.shell-menu', '.tabs', '.list-buttons', '.search-box', '.row-menu'])
    await expect(page.locator(pressed).first()).toBeHidden();
  // Dark ink, also where the device prefers dark surfaces.
  const [red = 0] =
    String(await page.evaluate('getComputedStyle(document.querySelector("h1")).color'))
      .match(/\d+/g)
      ?.map(Number) ?? [];
  expect(red).toBeLessThan(80);
});

test('a choice that forms count on offers its history and nothing else, and another one all there is', async ({
  page,
  school,
}) => {
  await school.enter(page, await school.person({ isAdmin: true }), {
    path: '/school-erp/academic/organizational-master?tab=lookup&isSystem=yes',
  });
  const first = page.getByRole('row').nth(1);
  await expect(first.getByRole('button')).toHaveCount(1);
  await first.getByRole('button').press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['History', 'Fixed: forms count on it']);
  await expectAccessible(page);
  await page.goto('/school-erp/academic/organizational-master?tab=lookup&isSystem=no');
  await page.getByRole('row').nth(1).getByRole('button').last().press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['Change', 'History', 'Deactivate', 'Remove']);
});

test('an empty list says what there must be first', async ({ page, school }) => {
  // Others have made tags meanwhile: this school has none, and no group either.
  const none = { rows: [], next: null, previous: null, total: 0, isMore: false };
  await page.route(/\/api\/configuration\/tag(\?|$)/, (route) => route.fulfill({ json: none }));
  await page.route(/\/api\/configuration\/tag-group\/option/, (route) => route.fulfill({ json: [] }));
  await school.enter(page, await school.person({ isAdmin: true }), { path: '/school-erp/configuration/tag-master' });
  await expect(page.getByText('There are no tags yet.')).toBeVisible();
  await expect(page.getByText('First there must be something to choose as “Group”.')).toBeVisible();
  await expectLooks(page);
});
