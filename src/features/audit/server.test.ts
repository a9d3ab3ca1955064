import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { houseMaster } from '#features/academic/contract/masters.ts';
import { verbs } from '#kit/contract/audit-verbs.ts';
import { english } from '#kit/contract/text.ts';
import { audit } from '#kit/server/security/audit.ts';
import { sealAudit } from '#kit/server/security/audit-seal.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';
import { holdTable } from '#testing/stored.ts';
import { auditApi } from './contract/audit.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha' });
});
afterAll(() => school.close());

const note = (entityId: number, over: object = {}) =>
  audit(school.context(), { actor: 'Test', action: 'test.done', entity: 'test', entityId, ...over });
const list = (filter: object) =>
  admin.call(auditApi.list, { actor: '', action: '', entity: 'test', entityId: '', before: '', ...filter });
const staffOf = async ({ id }: Person) =>
  Number((await school.sql(`select staff_id from sign_in_account where id = ${id}`))[0]?.staff_id);
const ids = async (filter: object) => (await list(filter)).rows.map(({ entityId }) => entityId);
const acts = async (action: string) => school.sql(`select * from audit where action = '${action}' order by id`);

describe('the audit', () => {
  test('is listed from the newest on, page by page, and found by who, what, how it ended and which record', async () => {
    for (let number = 1; number <= 120; number++) await note(number);
    const pages = [];
    for (let before: number | null | undefined; before !== null; before = pages.at(-1)?.next)
      pages.push(await list(before ? { before } : {}));
    expect(pages.map(({ rows }) => rows.length)).toEqual([50, 50, 20]);
    const all = pages.flatMap(({ rows }) => rows.map(({ entityId }) => entityId));
    expect(all).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index));

    await note(1001, { actor: '100% Rekha_J', action: 'test.found', result: 'refused' });
    for (const filter of [{ actor: '100% rekha_j' }, { action: 'found' }, { result: 'refused' }, { entityId: 1001 }])
      expect([filter, await ids(filter)]).toEqual([filter, [1001]]);
    for (const filter of [{ actor: '100_' }, { actor: 'R%a' }, { action: 'test found' }, { entity: 'test2' }])
      expect([filter, await ids(filter)]).toEqual([filter, []]);
  });

  test('takes days as the school’s: from midnight to midnight in India', async () => {
    const moments = ['2026-03-01T18:29:59Z', '2026-03-01T18:30:00Z', '2026-03-02T18:29:59Z', '2026-03-02T18:30:00Z'];
    for (const [index, at] of moments.entries()) {
      await note(2001 + index);
      await school.sql(`update audit set at = '${at}' where entity = 'test' and entity_id = ${2001 + index}`);
    }
    expect(await ids({ from: '2026-03-02', to: '2026-03-02' })).toEqual([2003, 2002]);
    expect(await ids({ to: '2026-03-01' })).toEqual([2001]);
    for (const day of ['2026-02-29', '02-03-2026', 'yesterday', "2026-03-01'; select 1"]) {
      const { status, json } = await admin.send({ url: `/api/audit?from=${encodeURIComponent(day)}` });
      expect([status, json.error.fields.from]).toEqual([422, 'Enter a valid date, such as 21-11-2026.']);
    }
  });

  test('says in words what was done to which record, and finds what a member of staff did', async () => {
    const person = await school.person({ name: 'Meena Rao' });
    const other = await school.person({ name: 'Ravi Rao' });
    await audit(school.context(), {
      actor: 'Meena Rao',
      action: 'session.confirmed',
      entity: 'sign_in_account',
      entityId: other.id,
    });
    const about = { entity: 'sign_in_account', entityId: other.id };
    const [row] = (await list({ ...about, action: 'session.confirmed' })).rows;
    expect(row).toMatchObject({
      act: { id: 'Confirmed their identity' },
      kind: { id: 'Account' },
      name: 'Ravi Rao',
      staffId: null,
    });
    const staffId = await staffOf(admin);
    const { rows } = await list({ entity: '', staffId });
    expect(new Set(rows.map((found) => `${found.actor} ${found.staffId}`))).toEqual(new Set([`Asha ${staffId}`]));
    expect((await list({ entity: '', staffId: await staffOf(person) })).rows).toEqual([]);
  });

  test('X21 entries are found by verb and area, of at most 25 each', async () => {
    const { areas } = await list({});
    expect([verbs.length <= 25, areas.length <= 25]).toEqual([true, true]);
    expect(areas).toEqual(expect.arrayContaining(['Classes and calendar', 'Fees', 'Reports', 'School', 'System']));

    await note(7001, { action: 'academic-board.created', entity: 'academic_board' });
    await note(7002, { action: 'academic-board.changed', entity: 'academic_board' });
    await note(7003, { action: 'fee-plan.made', entity: 'fee_plan' });
    const found = (filter: object) => ids({ entity: '', actor: 'Test', ...filter });
    expect(await found({ verb: 'Created', area: 'Classes and calendar' })).toEqual([7001]);
    expect(await found({ verb: 'Changed' })).toContain(7002);
    expect(await found({ area: 'Fees' })).toEqual([7003]);
    expect(await found({ area: 'Unknown' })).toEqual([]);
  });

  let noted = 0;
  test('writes roles, permissions and ways to sign in out, and what it has no words for as it is', async () => {
    const shown = async (details: Record<string, string | boolean>) => {
      const entityId = 6000 + ++noted;
      await note(entityId, { details });
      const [row] = (await list({ entityId })).rows;
      return row?.details.map(({ label, values }) => `${english(label)}: ${values.map(english).join(', ')}`);
    };
    expect(await shown({ before: 'active Staff', after: 'closed Staff office classTeacher' })).toEqual([
      'After: Inactive, Staff, Office, Class teacher',
      'Before: Active, Staff',
    ]);
    expect(await shown({ method: 'UserNameNPassword', reason: 'too many', isAdmin: true })).toEqual([
      'Method: Username and password',
      'Reason: Too many codes',
      'Admin: Yes',
    ]);
    expect(await shown({ before: 'active Staff office in ADAJ', Name: 'active', method: 'constructor' })).toEqual([
      'Name: active',
      'Before: active Staff office in ADAJ',
      'Method: constructor',
    ]);
  });

  test('names a deleted record as it was called last', async () => {
    const { id } = await admin.call(houseMaster.api.create, {
      name: 'Narmada',
      colour: 'Blue',
      staffId: null,
    } as never);
    await admin.call(houseMaster.api.remove, { id, version: 1 });
    const { rows } = await list({ entity: 'academic_house', entityId: id });
    expect(rows.map(({ name, action }) => [name, action])).toEqual([
      ['Narmada', 'academic-house.removed'],
      ['Narmada', 'academic-house.created'],
    ]);
  });

  test('H1 records its readings and exports with their user and start', async () => {
    const number = async (action: string) => (await acts(action)).length;
    const [read, exported] = [await number('audit.read'), await number('audit.exported')];
    await list({ entityId: 7 });
    await list({ before: 2_147_483_647 });
    await admin.send({ url: '/api/audit/export?entity=test' });
    expect([(await number('audit.read')) - read, (await number('audit.exported')) - exported]).toEqual([2, 1]);
    expect((await acts('audit.read')).at(-2)).toMatchObject({
      account_id: admin.id,
      role: 'Admin',
      entity: 'test',
      entity_id: 7,
    });
  });

  test('E4 is exported as a table that no spreadsheet calculates, whatever a stranger called themselves', async () => {
    await note(3001, { actor: '=HYPERLINK("http://evil.example","x")' });
    const { status, headers, text } = await admin.send({ url: '/api/audit/export?entity=test&entityId=3001' });
    expect([status, headers['content-type'], headers['cache-control'], headers['content-disposition']]).toEqual([
      200,
      'text/csv',
      'private, no-store',
      expect.stringMatching(/^attachment; filename="audit\.csv"/),
    ]);
    const lines = text.split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFF"Time (UTC)","User","Role","Sign-in session","Address","Action","Record","Record number","Result","Request ID","Details"',
    );
    expect(lines[1]).toMatch(
      /^"\d{4}-[\d-]+T[\d:.]+Z","'=HYPERLINK\(""http:\/\/evil\.example"",""x""\)","","","127\.0\.0\.1","test\.done","test","3001","done","test","{}"$/,
    );
    expect(lines).toHaveLength(3);
  });

  test('H4 is walked on request, and says at which seal it does not fit any more', async () => {
    await school.sql(`update audit set at = now() where entity = 'test' and entity_id between 2001 and 2004`);
    await sealAudit(school.services);
    const { sealed, brokenAt, head, ...others } = await admin.call(auditApi.verify, {});
    expect([sealed > 100, brokenAt, head]).toEqual([true, null, expect.stringMatching(/^[0-9a-f]{8}$/)]);
    expect(others).toEqual({ unsealed: 0, timeBackAt: null });
    const [row] = await school.sql(
      `select number::integer from audit_seal join audit on audit.id = audit_id where entity = 'test' and entity_id = 60`,
    );
    await school.sql(`update audit set actor = 'Nobody at all' where entity = 'test' and entity_id = 60`);
    expect(await admin.call(auditApi.verify, {})).toMatchObject({ brokenAt: row?.number });
    expect((await acts('audit.verified')).map(({ result }) => result)).toEqual(['done', 'refused']);
  });

  test('W4 is walked once for requests at the same time, and each request is recorded', async () => {
    const before = (await acts('audit.verified')).length;
    const check = () => admin.call(auditApi.verify, {});
    const alone = await recordStatements(school, check);
    const other = await school.person();
    const walk = await holdTable(school, 'audit_seal');
    const together = await recordStatements(school, async (_texts, answered) => {
      const checks = Promise.all(Array.from({ length: 8 }, check));
      const admitted = () => answered.filter((text) => text.includes('from "sign_in_session"')).length;
      await expect.poll(admitted).toBe(8);
      // Ten later requests of another user, one after the other, are answered once the eight have run.
      for (let turn = 0; turn < 10; turn++) await other.send({ url: '/api/sign-in/me' });
      await walk.letGo();
      return checks;
    });
    const walked = ({ texts }: { texts: string[] }) => texts.filter((text) => text.includes('"audit_seal"')).length;
    expect(walked(together)).toBe(walked(alone));
    expect(new Set(together.result.map(({ head }) => head)).size).toBe(1);
    expect(await acts('audit.verified')).toHaveLength(before + 9);
  });

  test('W13 says how many rows have no seal, and where the time goes back, as a refused check', async () => {
    await note(5001);
    await sealAudit(school.services);
    await school.sql(`update audit set at = at - interval '1 day' where entity_id = 5001`);
    await school.sql(`insert into audit (actor, action, entity, entity_id, request_id, at)
      select 'Forger', 'test.done', 'test', 5002, 'x', now() - interval '3 hours' from generate_series(1, 2)`);
    const [row] = await school.sql('select id from audit where entity_id = 5001');
    expect(await admin.call(auditApi.verify, {})).toMatchObject({ unsealed: 2, timeBackAt: Number(row?.id) });
    expect((await acts('audit.verified')).at(-1)).toMatchObject({
      result: 'refused',
      details: { unsealed: 2, timeBackAt: Number(row?.id) },
    });
    await school.sql(`delete from audit where entity_id = 5002`);
  });
});

const filters = ['actor', 'action', 'entity', 'result', 'from', 'to', 'entityId', 'before'];
const odd = {
  quote: `'; drop table audit; --`,
  percent: '%',
  underscore: '_',
  backslash: '\\',
  'half an escape': "\\'",
  emoji: '👩🏽‍🏫',
  NUL: '\0',
  'more than PostgreSQL counts': '99999999999999999999',
  'what JavaScript knows': '__proto__',
};

test.each(Object.entries(odd))(
  'F2 F3 F5 %s in a filter finds what is so called, or is refused in words',
  async (_what, text) => {
    for (const name of filters) {
      for (const query of [{ [name]: text }, { [`${name}[]`]: text }, { [`${name}[${text}]`]: 'x' }]) {
        const { status, text: answer } = await admin.send({ url: `/api/audit?${new URLSearchParams(query)}` });
        expect([name, [200, 400, 422].includes(status)]).toEqual([name, true]);
        expect(answer).not.toMatch(/syntax|postgres|for type|invalid byte|stack/i);
      }
    }
    await note(4001, { actor: `Called ${text}`.replace('\0', '') });
    const found = await admin.send({ url: `/api/audit?${new URLSearchParams({ actor: text })}` });
    if (text !== odd.NUL)
      expect(found.json.rows.map(({ actor }: { actor: string }) => actor)).toContain(`Called ${text}`);
  },
);

test('F2 F4 a name to sort by is none, and a text of 100 kB is refused before it is looked at', async () => {
  const names = (answer: { json: { rows: { actor: string }[] } }) => answer.json.rows.map(({ actor }) => actor);
  const plain = await admin.send({ url: '/api/audit?action=test' });
  for (const more of ['sort=details', 'order[by]=actor', 'orderBy=1;select pg_sleep(9)', 'columns=password_hash'])
    expect(names(await admin.send({ url: `/api/audit?action=test&${more}` }))).toEqual(names(plain));
  expect((await admin.send({ url: `/api/audit?actor=${'x'.repeat(100_000)}` })).status).toBe(414);
  const { status, json } = await admin.send({ url: `/api/audit?actor=${'x'.repeat(101)}` });
  expect([status, json.error.fields]).toEqual([422, { actor: 'Use at most 100 characters.' }]);
});
