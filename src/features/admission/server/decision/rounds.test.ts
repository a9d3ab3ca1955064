import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalDate } from '#kit/server/day.ts';
import { confirmSeat } from '#testing/admission.ts';
import type { Person } from '#testing/browser.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { openSeats } from '#testing/seats.ts';
import { isSoak } from '#testing/soak.ts';
import { openSection } from '#testing/teachers.ts';
import { accountApi } from '../../contract/account.ts';
import { processApi } from '../../contract/process.ts';

let school: School;
let head: Person;
let office: Person;
let accountant: Person;
let section: number;
const today = toLocalDate(new Date());
const callers = 20;
const rounds = isSoak ? 40 : 2;

beforeAll(async () => {
  school = await openOwnSchool();
  head = await school.person({ role: 'Staff', sets: ['admissionHead'] });
  office = await school.person({ role: 'Staff', sets: ['office'] });
  accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  section = await openSection(school);
  await school.sql(`insert into fee_receipt_series (name, short_name) values ('School', 'SCH')`);
  await school.sql(`create sequence failing;
    create function fail_at_times() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      if nextval('failing') % 4 = 0 then raise exception 'forced'; end if;
      return null;
    end $$;
    create trigger fail_at_times after update on admission_inquiry for each row execute function fail_at_times()`);
});
afterAll(() => school.close());

/** Calls at once, while every fourth transaction fails at its last statement but one and three connections are cut. */
async function storm(calls: (() => Promise<unknown>)[]) {
  await school.sql('alter table admission_inquiry enable trigger fail_at_times');
  const answers = Promise.allSettled(calls.map((call) => call()));
  for (let cut = 0; cut < 3; cut++)
    await school.sql(`select pg_terminate_backend(pid) from (select pid from pg_stat_activity
      where datname = current_database() and usename <> current_user and xact_start is not null
      order by random() limit 1) as one`);
  await answers;
  await school.sql('alter table admission_inquiry disable trigger fail_at_times');
}

/** The storms were storms: some callers were refused with a failure of their own. */
async function expectFailures() {
  const [row] = await school.sql('select last_value::integer as updates from failing');
  expect(Number(row?.updates)).toBeGreaterThan(4);
}

/** A row of the seat plan has counted exactly those who hold a seat, and no more than there are. */
async function expectSeats(seatId: number, most: number) {
  const [row] = await school.sql(`select taken, (select count(*)::integer from admission_inquiry
    where seat_id = ${seatId} and holds_seat) as holders from admission_seat where id = ${seatId}`);
  expect(row?.taken).toBe(row?.holders);
  expect(Number(row?.taken)).toBeLessThanOrEqual(most);
}

test('A3.2 in rounds of 20 callers with failures and cut connections no seat is given twice, and no reference is used twice', async () => {
  await school.sql('alter table admission_inquiry disable trigger fail_at_times');
  const { planned, decide, release } = openSeats(school, head);
  const row = await planned({ total: 500, reserved: 0 });
  let given = 0;
  for (let round = 0; round < rounds; round++) {
    const total = given + 3;
    await school.sql(`update admission_seat set total = ${total} where id = ${row.id}`);
    const ids: number[] = [];
    for (let child = 0; child < callers; child++) ids.push(await row.verified());
    const input = (id: number) => ({
      kind: 'Offer',
      seatQuota: '',
      conditions: '',
      offerUntil: '',
      note: '',
      selection: { ids: [id], isAll: false, query: {} },
    });
    const tokens = await Promise.all(
      ids.map(async (id) => (await head.call(processApi.decide, input(id) as never)).confirmToken),
    );
    await storm(
      ids.map((id, at) => () => head.call(processApi.decide, { ...input(id), confirmToken: tokens[at] } as never)),
    );
    await expectSeats(row.id, total);
    // In calm the seats that are left go to the next, and to no other.
    await decide('Offer', ids);
    await expectSeats(row.id, total);
    const held = (
      await school.sql(`select id from admission_inquiry where id in (${ids}) and held_kind = 'Offer'`)
    ).map(({ id }) => Number(id));
    expect(held).toHaveLength(3);
    await release(held);

    const version = async (id: number) =>
      Number((await school.sql(`select version from admission_inquiry where id = ${id}`))[0]?.version);
    const pay = async (id: number, reference: string) =>
      accountant.call(processApi.pay, {
        id,
        version: await version(id),
        mode: 'UPI',
        reference,
        paidOn: today,
      } as never);
    /** Most have been paid in the storm. */
    const ifPaid = (error: { code?: string }) => expect(error.code).toBe('conflict');
    await storm(
      Array.from(
        { length: callers },
        (_, at) => () => pay(held[at % held.length] ?? 0, at % 2 === 0 ? `ONE${round}` : `R${round}-${at}`),
      ),
    );
    for (const id of held) await pay(id, `CALM${id}`).catch(ifPaid);
    expect(
      await school.sql(`select state, (select count(*)::integer from admission_payment
        where inquiry_id = inquiry.id and reversed_at is null) as paid from admission_inquiry inquiry where id in (${held})`),
    ).toEqual(Array(3).fill({ state: 'Seat confirmed', paid: 1 }));
    await expectSeats(row.id, total);
    given += 3;
  }
  await expectFailures();
  const twice = await school.sql(`select upper(reference) from admission_payment where reversed_at is null
    group by upper(reference) having count(*) > 1`);
  expect(twice).toEqual([]);
  const numbers = (await school.sql('select number_value as value from fee_receipt order by number_value')).map(
    ({ value }) => value,
  );
  expect(numbers).toEqual(Array.from({ length: rounds * 3 }, (_, at) => at + 1));
});

test('A4.1 A4.4 B45 in rounds of 20 callers with failures and cut connections an application makes one child, and GR numbers have no gap', async () => {
  await school.sql('alter table admission_inquiry disable trigger fail_at_times');
  let phones = 7_300_000_000;
  const families: number[] = [];
  for (let round = 0; round < rounds; round++) {
    phones += 2;
    await school.sql('delete from attempt');
    const { id } = await confirmSeat(
      school,
      section,
      { firstName: 'Asha' },
      {
        fatherMobileNo: String(phones),
        motherMobileNo: String(phones + 1),
        fatherEmailID: `father${phones}@family.example`,
        motherEmailID: `mother${phones}@family.example`,
      },
    );
    families.push(id);
    const { version, joinsOn } = await office.call(accountApi.read, { id });
    const texts = ['middleName', 'gender', 'udiseUid', 'pen', 'apaar', 'returning', 'barred', 'restriction'];
    const adults = ['fatherIs', 'motherIs', 'guardianIs', 'contact1Is', 'contact2Is'];
    const input = {
      ...Object.fromEntries([...texts, ...adults].map((field) => [field, ''])),
      // Every round has another Asha of the same birth date.
      ...{ id, version, joinsOn, sectionId: null, houseId: null, withoutPlan: true, returning: 'Another child' },
    };
    const { confirmToken } = await office.call(accountApi.create, input as never);
    const create = () => office.call(accountApi.create, { ...input, confirmToken } as never);
    await storm(Array.from({ length: callers }, () => create));
    // In calm the account is there already, or is created now.
    await create().catch(({ code }: { code: string }) => expect(code).toBe('conflict'));
  }
  await expectFailures();
  const made = await school.sql(`select inquiry.id, student.gr_no::integer as gr from admission_inquiry inquiry
    join student on student.id = inquiry.student_id where inquiry.id in (${families}) order by inquiry.id`);
  expect(made.map(({ id }) => id)).toEqual(families);
  const students = (await school.sql('select gr_no::integer as gr from student order by 1')).map(({ gr }) =>
    Number(gr),
  );
  const first = students[0] ?? 0;
  expect(students).toEqual(families.map((_, at) => first + at));
});
