import { codeOf } from '#features/sign-in/server/code.ts';
import { resetMessage } from '#features/sign-in/server/own-password.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { type Browser, openAccount, type Person, password } from '#testing/browser.ts';
import type { Answer } from '#testing/exchange.ts';
import { form, photo, type School } from '#testing/school.ts';

export const account = (school: School) => openAccount(school);
let made = 0;
/** A number that no other act has. */
export const nextNumber = () => ++made;

/** A user with a prepared change; `send` may be called until it succeeds. */
export interface Act {
  browser: Browser;
  send: (over?: object) => Promise<Answer>;
}

export const post = (browser: Browser, url: string, body: object): Act => ({
  browser,
  send: (over = {}) => browser.send({ method: 'POST', url: `/api/${url}`, body: { ...body, ...over } }),
});

export const removal = (browser: Browser, url: string): Act => ({
  browser,
  send: (over) => browser.send({ method: 'DELETE', url: `/api/${url}`, ...(over && { body: over }) }),
});

export async function admin(school: School) {
  const own = await account(school);
  const browser = school.browser();
  const body = { AuthenicateUserBy: 'UserNameNPassword', UserName: own.userName, Password: password };
  await post(browser, 'sign-in/authenticate-user', body).send();
  await school.sql('delete from attempt');
  return { ...own, browser };
}

export async function challenged(school: School) {
  const { email } = await account(school);
  const browser = school.browser();
  await post(browser, 'sign-in/authenticate-user', { AuthenicateUserBy: 'Email', EmailID: email }).send();
  const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
  return { browser, OTP: codeOf(school.services, row as { id: number; salt: Buffer }) };
}

export async function resetToken(school: School) {
  const { email } = await account(school);
  await post(school.browser(), 'sign-in/reset-link', { email }).send();
  const [row] = await school.sql('select max(id) as id from sign_in_reset');
  const message = await render(school.services, resetMessage, Number(row?.id));
  return /token=(\S+)/.exec(message?.text ?? '')?.[1] ?? '';
}

export const asking = (school: School) => {
  const number = nextNumber();
  const [email, mobile] = [`ask${number}@example.com`, String(6_800_000_000 + number)];
  return post(school.browser(), 'sign-in/request', { name: 'Rekha', email, mobile, reason: 'I teach.' });
};
export async function request(school: School) {
  await asking(school).send();
  const [row] = await school.sql('select max(id) as id from sign_in_request');
  return Number(row?.id);
}

export const listView = { name: 'Office', isShared: false, address: { search: 'a' }, columns: ['name'] };

/** What a member of staff works as. */
export async function work(school: School) {
  const name = `Work ${nextNumber()}`;
  const added = async (table: string, columns = 'name', values = `'${name}'`) =>
    (await school.sql(`insert into academic_${table} (${columns}) values (${values}) returning id`))[0]?.id;
  return {
    designationId: await added('designation'),
    departmentId: await added('department'),
    branchId: await added('branch', 'name, code', `'${name}', 'W${made}'`),
  };
}

/** An import of one colleague, as previewed. */
export async function importing(school: School, browser: Browser) {
  await work(school);
  const heads = 'Name,Email address,Joining date,Designation,Department,Branch';
  const file = `${heads}\nRekha,new${nextNumber()}@school.example,01-06-2026,Work ${made - 1},Work ${made - 1},Work ${made - 1}\n`;
  const { confirmToken } = (await post(browser, 'staff/import', { file }).send()).json;
  return post(browser, 'staff/import', { file, confirmToken });
}

export const job = { employer: 'Vidyalaya', jobTitle: 'Teacher', fromDay: '2020-06-01' };

export async function handsIn(school: School, person: Person): Promise<Act> {
  const url = `/api/staff/${person.staffId}/document`;
  const proof = await idOfType(school, 'Identity proof');
  const send = async (over: object = {}) =>
    person.send({ method: 'POST', url, body: form({ documentTypeId: proof, ...over }, { file: await photo() }) });
  return { browser: person, send };
}

const idOfType = async (school: School, name: string) =>
  Number((await school.sql(`select id from hris_document_type where name = '${name}'`))[0]?.id);
export const newestOf = async (school: School, table: string) =>
  Number((await school.sql(`select max(id) as id from ${table}`))[0]?.id);

/** Operations by name: the audit actions that each writes exactly once, and a prepared call. */
export type Acts = Record<string, [said: string[], begin: (school: School) => Promise<Act>]>;
