import { expect, test, toast } from '#e2e/school.ts';

test('a ticket is raised, accepted, answered, resolved and confirmed by keyboard', async ({ page, school }) => {
  const raiser = await school.person({ isStaff: true });
  const agent = await school.person({ isStaff: true, sets: ['ticketAgent'] });
  await school.sql(`
    with department as (insert into academic_department (name) values ('Works ${agent.staffId}') returning id)
    insert into ticket_category (name, department_id, assignee_id, priority)
      select 'Plumbing ${agent.staffId}', id, ${agent.staffId}, 'High' from department`);

  await school.enter(page, raiser, { path: '/school-erp/ticket/ticket-entry-assign-by-me' });
  await expect(page.getByText('You have not raised any ticket.')).toBeVisible();
  await page.keyboard.press('n');
  const raise = page.getByRole('dialog', { name: 'Raise a ticket' });
  await expect(raise.getByRole('combobox', { name: 'Category' })).toBeFocused();
  await page.keyboard.type(`bing ${agent.staffId}`);
  await expect(raise.getByRole('option', { name: `Plumbing ${agent.staffId}` })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(raise).toContainText(`Goes to ${agent.name}.`);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Tap drips');
  await page.keyboard.press('Tab');
  await expect(raise.getByLabel('Description')).toBeFocused();
  await page.keyboard.type('On the second floor.');
  await page.keyboard.press('Control+Enter');
  await expect(toast(page, 'The ticket was raised.')).toBeVisible();

  await school.enter(page, agent, { path: '/school-erp/ticket/ticket-entry-assign-to-me' });
  await page.getByRole('link', { name: 'Tap drips' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible();
  await page.keyboard.press('a');
  await expect(toast(page, 'Accepted.')).toBeVisible();
  await expect(page.getByText('In progress')).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.getByLabel('Reply', { exact: true })).toBeFocused();
  await page.keyboard.type('I am coming today.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('I am coming today.');
  await expect(page.getByLabel('Reply', { exact: true })).toHaveValue('');
  await page.getByRole('heading', { name: 'Tap drips' }).focus();
  await page.keyboard.press('e');
  const resolve = page.getByRole('dialog', { name: 'Resolve' });
  await expect(resolve.getByLabel('Solution')).toBeFocused();
  await page.keyboard.type('A new washer.');
  await page.keyboard.press('Control+Enter');
  await expect(resolve).toBeHidden();
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('A new washer.');

  await school.enter(page, raiser, { path: '/school-erp/ticket/ticket-entry-assign-by-me?tab=resolved' });
  await page.getByRole('link', { name: 'Tap drips' }).press('Enter');
  await page.getByRole('button', { name: 'Confirm and close…' }).press('Enter');
  const confirm = page.getByRole('dialog', { name: 'Confirm the solution' });
  await confirm.getByLabel('Rating').selectOption({ label: '5 of 5 stars' });
  await page.keyboard.press('Control+Enter');
  await expect(confirm).toBeHidden();
  await expect(page.getByText('5 of 5 stars')).toBeVisible();
});
