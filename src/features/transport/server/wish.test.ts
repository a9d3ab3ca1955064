import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountApi } from '#features/admission/contract/account.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { confirmSeat } from '#testing/admission.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { openFleet } from '#testing/transport.ts';
import { riderApi } from '../contract/rider.ts';

let school: School;
let office: Person;
let keeper: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  keeper = await school.person({ name: 'Ramesh', sets: ['transportIncharge'] });
  section = await openSection(school);
});
afterAll(() => school.close());

const texts = ['middleName', 'gender', 'udiseUid', 'pen', 'apaar', 'returning', 'barred', 'restriction'];
const adults = ['fatherIs', 'motherIs', 'guardianIs', 'contact1Is', 'contact2Is'];
let phones = 0;

/** A student admitted by the form, which asks for the bus or does not. */
async function admit(firstName: string, isTransportServiceOpted: boolean): Promise<number> {
  phones += 2;
  const parents = {
    fatherMobileNo: String(7_100_000_000 + phones),
    motherMobileNo: String(7_100_000_001 + phones),
    fatherEmailID: `father${phones}@family.example`,
    motherEmailID: `mother${phones}@family.example`,
  };
  const { id } = await confirmSeat(school, section, { firstName, isTransportServiceOpted }, parents);
  const { version, joinsOn } = await office.call(accountApi.read, { id });
  const input = {
    ...Object.fromEntries([...texts, ...adults].map((name) => [name, ''])),
    id,
    version,
    joinsOn,
    udiseUid: `2401001${String(phones).padStart(4, '0')}`,
    sectionId: section,
    houseId: null,
    withoutPlan: true,
  };
  const { confirmToken } = await office.call(accountApi.create, input as never);
  const { student } = await office.call(accountApi.create, { ...input, confirmToken } as never);
  return student?.id ?? 0;
}
const wished = async () => (await keeper.call(riderApi.wishes, {})).students.map(({ id }) => id);

test('F1.1 the students who want the bus are those whose admission form ticked transport and who have no seat', async () => {
  const [first, second] = [await admit('Meera', true), await admit('Kavya', true)];
  const walker = await admit('Ira', false);
  expect(await wished()).toEqual([second, first]);
  expect(await wished()).not.toContain(walker);
  const { pickup, stops } = await openFleet(school, { seats: 3 });
  const input = {
    riders: [
      {
        studentId: first,
        staffId: null,
        pickupTripId: pickup.trip,
        pickupStopId: stops[0] ?? 0,
        dropTripId: null,
        dropStopId: null,
        fee: 'By stop' as const,
      },
    ],
    effectiveFrom: toLocalDate(new Date()),
    billedFrom: '',
  };
  const { confirmToken } = await keeper.call(riderApi.assign, input);
  expect(await wished()).toHaveLength(2);
  await keeper.call(riderApi.assign, { ...input, confirmToken: confirmToken ?? '' });
  expect(await wished()).toEqual([second]);
});
