import type { Page } from '@playwright/test';
import { grantedSets } from '#access/contract/grants.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { openClass } from './class.ts';
import { countedKeyboard } from './counted-keys.ts';
import { expect, type Person, type School, test, toast } from './school.ts';

/**
 * The most keys that a common job may take, with every letter that is typed. A page that needs more fails here; one that
 * needs fewer lowers its number. An inquiry takes 47, and six more where the school has several programs, years and
 * lead sources.
 */
const most = { register: 7, receipt: 10, find: 10, answer: 17, inquiry: 53, decision: 1 };

const row = async (school: School, statement: string) => (await school.sql(statement))[0] ?? {};

/** A student of a class who owes ₹1,000.00 today. */
async function openDebtor(school: School, teacher: Person) {
  const section = await openClass(school, { teacher, students: 1 });
  const { id, grNo } = await row(
    school,
    `select student.id, gr_no as "grNo" from student join student_section own on own.student_id = student.id
     where own.section_id = ${section}`,
  );
  await school.sql(`with adult as (insert into guardian (first_name, last_name) values ('Raj', 'Shah') returning id)
    insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary)
    select ${id}, adult.id, (select min(id) from academic_lookup where kind = 'Relation'), 'Parent', true from adult`);
  await school.sql(`insert into fee_account (student_id) values (${id})`);
  await school.sql(`insert into fee_receipt_series (name, short_name) select 'Main', 'MAIN'
    where not exists (select from fee_receipt_series where is_active)`);
  await school.sql(`with due as (
      insert into fee_due (account_id, kind, receipt_series_id, gst_rate, label, due_on)
      select account.id, 'Extra', (select min(id) from fee_receipt_series where is_active), 0, 'Lost book',
        (now() at time zone 'Asia/Kolkata')::date
      from fee_account account where student_id = ${id} returning *)
    insert into fee_adjustment (account_id, kind, due_id, amount, reason, status, done_on, asked_by)
      select account_id, 'Debit', id, 100000, 'Lost', 'Done', due_on, ${teacher.staffId} from due`);
  const { due } = await row(
    school,
    `with entry as (
      insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, adjustment_id)
      select due.account_id, due.id, due.receipt_series_id, 'Debit', due.due_on, due.due_on, 100000, own.id
      from fee_adjustment own join fee_due due on due.id = own.due_id
      join fee_account account on account.id = due.account_id where account.student_id = ${id} returning due_id)
    select due_id as due from entry`,
  );
  return { id: Number(id), grNo: String(grNo), due: Number(due) };
}

/** Enters something over the page's own session. */
const enter = (page: Page, path: string, body: object) =>
  page.evaluate<number>(`fetch('/api${path}', { method: 'POST', body: ${JSON.stringify(JSON.stringify(body))},
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() } }).then(({ status }) => status)`);

test('a register of forty with two absent takes seven keys', async ({ page, school }) => {
  const teacher = await school.person({ isStaff: true });
  await openClass(school, { teacher, students: 40 });
  await school.enter(page, teacher, { path: '/school-erp/attendance/student-attendance' });
  await expect(page.getByRole('listitem', { name: /^1 Child 1 / })).toBeFocused();
  const { counted, press } = countedKeyboard(page);
  await press('7', 'a', '1', '8', 'a', 'Enter');
  await expect(page.getByRole('dialog', { name: 'Submit the register' })).toContainText('18');
  await press('Enter');
  await expect(page.getByText(/^Taken \d/)).toBeVisible();
  expect(counted.keys).toBeLessThanOrEqual(most.register);
});

test('the whole due of a child is received in cash by the GR number and two keys', async ({ page, school }) => {
  const cashier = await school.person({ isStaff: true, sets: ['accountant'] });
  const { grNo } = await openDebtor(school, cashier);
  // The dialog of the printer would wait for an answer.
  await page.addInitScript('window.print = () => undefined');
  await school.enter(page, cashier, { path: '/school-erp/fee/student-wise-fees-structure' });
  await expect(page.getByRole('combobox', { name: /GR number/ })).toBeFocused();
  const { counted, press, type } = countedKeyboard(page);
  await type(grNo);
  await press('Enter');
  await expect(page.getByLabel('Amount (₹)')).toBeFocused();
  await expect(page.getByLabel('Amount (₹)')).toHaveValue('1,000');
  await expect(page.getByText('One thousand rupees only')).toBeVisible();
  // The counter takes an Enter within half a second for the one that found the family.
  await page.evaluate('new Promise((done) => setTimeout(done, 600))');
  await press('Enter');
  await expect
    .poll(() =>
      row(
        school,
        `select sum(paid)::integer as paid from fee_due due join fee_account account on account.id = due.account_id
         join student on student.id = account.student_id where gr_no = '${grNo}'`,
      ),
    )
    .toEqual({ paid: 100_000 });
  expect(counted.keys).toBeLessThanOrEqual(most.receipt);
});

test('a child is found from any page by the GR number, and Enter opens the record', async ({ page, school }) => {
  const office = await school.person({ isStaff: true, sets: grantedSets });
  const section = await openClass(school, { teacher: office, students: 1 });
  const { grNo } = await row(
    school,
    `select gr_no as "grNo" from student join student_section own on own.student_id = student.id
    where own.section_id = ${section}`,
  );
  await school.enter(page, office, { path: '/school-erp/transport/time-slot' });
  await expect(page.getByRole('heading', { level: 1, name: 'Time Slot' })).toBeVisible();
  const { counted, press, type } = countedKeyboard(page);
  await press('Control+k');
  await type(String(grNo));
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Child 1 Shah' })).toBeVisible();
  expect(counted.keys).toBeLessThanOrEqual(most.find);
});

test('a ticket is answered by R, the words and Ctrl Enter', async ({ page, school }) => {
  const raiser = await school.person({ isStaff: true });
  const agent = await school.person({ isStaff: true, sets: ['ticketAgent'] });
  await school.sql(`with department as (insert into academic_department (name) values ('Keys ${agent.staffId}') returning id)
    insert into ticket_category (name, department_id, assignee_id, priority)
      select 'Keys ${agent.staffId}', id, ${agent.staffId}, 'High' from department`);
  await school.enter(page, raiser, { path: '/school-erp/ticket/ticket-entry-assign-by-me' });
  const subject = `Lamp ${agent.staffId}`;
  await expect(page.getByText('You have not raised any ticket.')).toBeVisible();
  await page.keyboard.press('n');
  const raise = page.getByRole('dialog', { name: 'Raise a ticket' });
  await expect(raise.getByRole('combobox', { name: 'Category' })).toBeFocused();
  await page.keyboard.type(`Keys ${agent.staffId}`);
  await expect(raise.getByRole('option', { name: `Keys ${agent.staffId}` })).toBeVisible();
  await page.keyboard.press('Enter');
  await raise.getByLabel('Subject').fill(subject);
  await raise.getByLabel('Description').fill('It is dark.');
  await page.keyboard.press('Control+Enter');
  await expect(toast(page, 'The ticket was raised.')).toBeVisible();
  await school.enter(page, agent, { path: '/school-erp/ticket/ticket-entry-assign-to-me' });
  await page.getByRole('link', { name: subject }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(toast(page, 'Accepted.')).toBeVisible();
  await page.getByRole('heading', { name: subject }).focus();
  const { counted, press, type } = countedKeyboard(page);
  await press('r');
  await expect(page.getByLabel('Reply', { exact: true })).toBeFocused();
  await type('I come at noon.');
  await press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('I come at noon.');
  expect(counted.keys).toBeLessThanOrEqual(most.answer);
});

test('an inquiry by telephone takes one screen and few keys beside its words', async ({ page, school }) => {
  const office = await school.person({ isStaff: true, sets: ['office'] });
  await openAdmission(school, 'academic_year.id = academic_year_on()');
  // The admission's pages ask for a sign-in in a browser that has had none.
  await page.addInitScript(`localStorage.setItem('userData', '${office.staffId}')`);
  await school.enter(page, office, { path: '/school-erp/admission/inquiry' });
  const mark = String(Math.floor(Math.random() * 1e5)).padStart(5, '0');
  await expect(page.getByRole('button', { name: 'Add inquiry' }).first()).toBeVisible();
  await page.getByRole('heading', { level: 1 }).focus();
  const { counted, press, type, tabTo } = countedKeyboard(page);
  await press('n');
  const drawer = page.getByRole('dialog', { name: 'Add inquiry' });
  await expect(drawer.getByRole('textbox', { name: 'Mobile number', exact: true })).toBeFocused();
  await type(`97230${mark}`);
  await tabTo(drawer.getByRole('textbox', { name: /^Caller’s name/ }));
  await type('Raj Rao');
  await press('Tab');
  await type('Om');
  await expect(drawer.getByRole('textbox', { name: /^Child’s last name/ })).toHaveValue('Rao');
  await tabTo(drawer.getByRole('radio', { name: 'Female' }));
  await press('Space', 'Tab');
  await type('5-1-20');
  await tabTo(drawer.getByRole('combobox', { name: /^Grade/ }));
  await type('Grade 1');
  for (const name of [/^Academic year/, /^Program/, /^Lead source/]) {
    const choice = drawer.getByRole('combobox', { name });
    if (!(await choice.isVisible()) || (await choice.inputValue()) !== '') continue;
    await tabTo(choice);
    await press('ArrowDown');
  }
  await press('Control+Enter');
  await expect(page.getByRole('link', { name: 'Om Rao' }).first()).toBeVisible();
  expect(counted.keys).toBeLessThanOrEqual(most.inquiry);
});

test('an open request is approved with one key', async ({ page, school }) => {
  const cashier = await school.person({ isStaff: true, sets: ['accountant'] });
  const principal = await school.person({ isStaff: true, sets: ['principal', 'financeApprover'] });
  const { id, due } = await openDebtor(school, cashier);
  await school.enter(page, cashier);
  const credit = { studentId: id, kind: 'Credit', dueId: due, amount: 40_000, reason: 'Found again' };
  const none = { feeHeadId: null, dueOn: '', fromSeriesId: null, toSeriesId: null };
  expect(await enter(page, '/fee/adjustment', { ...none, ...credit })).toBe(200);
  const { asked } = await row(
    school,
    `select approval.id as asked from approval
    join fee_adjustment own on own.id = approval.fee_adjustment_id where own.due_id = ${due} and own.kind = 'Credit'`,
  );
  await school.enter(page, principal, { path: `/school-erp/approval/inbox?request=${asked}` });
  await expect(page.getByRole('dialog').getByText('Found again').first()).toBeVisible();
  const { counted, press } = countedKeyboard(page);
  await press('a');
  await expect
    .poll(() => row(school, `select status from approval where id = ${asked}`))
    .toEqual({ status: 'Approved' });
  expect(counted.keys).toBeLessThanOrEqual(most.decision);
});
