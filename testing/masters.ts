import pg from 'pg';
import { fineRuleApi } from '#features/fee-price/contract/fine-rule.ts';
import { frequencyApi, usualRows } from '#features/fee-price/contract/frequency.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { staffRecordApi } from '#features/staff/contract/record.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { type Field, type Named, refsOf } from '#kit/contract/field.ts';
import { enteredOf, type Master, type MasterRow, namedBy, targetOf, type Values } from '#kit/contract/master.ts';
import { english } from '#kit/contract/text.ts';
import { allMasters } from '../src/app/features.server.ts';
import type { Browser, Person } from './browser.ts';
import { nextNumber, numbersOfRows } from './numbers.ts';
import type { School } from './school.ts';

/** A year that no other sample uses. */
const year = (number: number) => 2000 + number;

/** Values that a master's rules across fields require, over those of its fields alone. */
const across: Record<string, (number: number, refs: Values) => Values> = {
  academic_year: (number) => ({
    name: `${year(number)}-${year(number) + 1}`,
    startsOn: `${year(number)}-06-01`,
    endsOn: `${year(number) + 1}-05-31`,
  }),
  // A day of its own within the year.
  academic_term: (number, { academicYearId }) => {
    const of = year(numbersOfRows.get(`academic_year ${academicYearId}`) ?? 0);
    const day = new Date(Date.UTC(of, 5, 1 + (number % 300))).toISOString().slice(0, 10);
    return { startsOn: day, endsOn: day };
  },
  academic_grade: () => ({ maxAgeMonths: null }),
  fee_head: (number) => ({ category: 'Tuition', gstRate: number % 2800, sac: '9992' }),
  fee_receipt_series: (number) => ({ upiId: `school${number}@bank` }),
  fee_bank_account: (number) => ({ last4: String(1000 + (number % 9000)), ifsc: 'SBIN0001234' }),
  configuration_elective_group: () => ({ minChoices: 1, maxChoices: 2 }),
  // Each active code has one of 26 keys.
  attendance_code: (number) => ({
    code: (number % 46_000).toString(36),
    key: String.fromCharCode(65 + (number % 26)),
    isActive: false,
  }),
  transport_fee_slab: (number) => ({ fromKm: number % 100, toKm: (number % 100) + 1 }),
  transport_stop: (number) => ({ pinCode: String(395_000 + (number % 1000)) }),
  transport_time_slot: () => ({ ends: '08:30', saturdayStarts: '07:00', saturdayEnds: '08:00' }),
  transport_vehicle: (number) => ({
    registrationNo: `GJ05AB${1000 + (number % 9000)}`,
    seatCapacity: 20 + (number % 60),
  }),
  transport_vehicle_document: (number) => ({ issuedOn: `${year(number) - 1}-06-01` }),
  observation_rubric: () => ({ forWhom: 'Student' }),
  observation_type: (_, { rubricId }) => ({
    forWhom: 'Student',
    kind: rubricId ? 'Rubric' : 'Anecdotal',
    usualReach: '',
  }),
  workday_shift: () => ({ staffCategoryId: null, isDefault: false, saturdayStarts: '08:00', saturdayEnds: '12:00' }),
  // At most six are active, and a school starts with four of them.
  configuration_skill_level: () => ({ isActive: false }),
};

/** Calls the operations of every master: as an Admin, or as Staff of the set where no Admin may. */
export async function openKeeper(school: Pick<School, 'person'>, name = 'Asha'): Promise<Person> {
  const admin = await school.person({ name, role: 'Admin' });
  const keeper = await school.person({ name, role: 'Staff', sets: ['accountant', 'transportIncharge'] });
  const isForAdmins = (url = '') =>
    allMasters.every(
      ({ path, access }) => !url.startsWith(`/api${path}`) || isGranted(access, { role: 'Admin', sets: [] }),
    );
  return {
    ...admin,
    send: (request) => (isForAdmins(request.url) ? admin : keeper).send(request),
    call: (endpoint, input) =>
      (isGranted(endpoint.access, { role: 'Admin', sets: [] }) ? admin : keeper).call(endpoint, input),
  };
}

/** Rows that masters point to and that are no masters themselves. */
const plainRows: Record<string, (keeper: Browser, number: number) => Promise<{ id: number }>> = {
  fee_frequency: (keeper, number) =>
    keeper.call(frequencyApi.create, {
      name: `Frequency ${number}`,
      code: `F${number}`,
      kind: 'Annual',
      sharing: 'Equal shares',
      unit: '1',
      remainderSeq: 1,
      rows: usualRows('Annual').map((row) => ({ ...row, label: 'Year' })),
    }),
  fee_fine_rule: (keeper, number) =>
    keeper.call(fineRuleApi.create, {
      name: `Rule ${number}`,
      effectiveFrom: '2026-04-01',
      kind: 'One time',
      amount: 100,
      graceDays: 0,
      maxAmount: null,
      slabs: [],
    }),
};

/** A new row that a field may point to. */
export async function createNamed(
  keeper: Browser,
  { table }: Pick<Named, 'table'>,
): Promise<{ id: number } | undefined> {
  const master = allMasters.find((one) => one.table === table);
  return master ? create(keeper, master) : plainRows[table]?.(keeper, nextNumber());
}

async function createStaff(keeper: Browser): Promise<number> {
  const idOf = async (master: Master) => (await create(keeper, master)).id;
  const { id } = await keeper.call(staffRecordApi.create, {
    name: `Person of a row ${nextNumber()}`,
    mobile: '',
    gender: '',
    staffCategoryId: null,
    employmentTypeId: null,
    reportsToId: null,
    employeeNumber: '',
    email: `row${nextNumber()}@staff.example`,
    joinedOn: '2026-06-01',
    designationId: await idOf(designationMaster),
    departmentId: await idOf(departmentMaster),
    branchId: await idOf(branchMaster),
  });
  return id;
}

/** New rows for a master's required references; optional ones are left out. */
export async function refsFor(admin: Browser, master: Master, known: Values = {}): Promise<Values> {
  const refs: Values = {};
  for (const [name, field] of refsOf(master)) {
    if (name in known) refs[name] = known[name];
    else if (field.optional) refs[name] = null;
    else if (targetOf(namedBy(master), field).table === 'staff') refs[name] = await createStaff(admin);
    else refs[name] = (await createNamed(admin, targetOf(namedBy(master), field)))?.id ?? null;
  }
  return refs;
}

/** Valid values for a master, different from every other sample; the rows they point to are created unless given. */
export async function sampleOf(admin: Browser, master: Master, known: Values = {}): Promise<Values> {
  const refs = await refsFor(admin, master, known);
  return sampleAt(master, nextNumber(), refs);
}

function sampleAt(master: Master, number: number, refs: Values): Values {
  const plain = enteredOf(master).filter(([name]) => !(name in refs));
  const values = Object.fromEntries(plain.map(([name, field]) => [name, sampleFor(field, number)]));
  return { ...values, ...refs, isActive: true, ...across[master.table]?.(number, refs) };
}

/** Creates a row of a master, and the rows it points to. */
export async function create(admin: Browser, master: Master, known: Values = {}): Promise<MasterRow> {
  const refs = await refsFor(admin, master, known);
  const number = nextNumber();
  const values = sampleAt(master, number, refs);
  const { id, version } = await admin.call(master.api.create, values);
  numbersOfRows.set(`${master.table} ${id}`, number);
  return { ...values, id, version } as MasterRow;
}

function sampleFor(field: Field, number: number): unknown {
  switch (field.kind) {
    case 'text':
    case 'longText': {
      const end = ` ${number}`;
      return (
        english(field.label)
          .slice(0, field.max - end.length)
          .trim() + end
      );
    }
    case 'number':
      return field.least + (number % (field.most - field.least + 1));
    case 'money':
    case 'percent':
      return 100 * (1 + (number % 99));
    case 'time':
      return `0${6 + (number % 2)}:${10 + (number % 50)}`;
    case 'date':
      return `${year(number)}-06-01`;
    case 'yesNo':
      return number % 2 === 0;
    case 'oneOf':
      return field.options[number % field.options.length];
    case 'someOf':
      return field.options.slice(0, 2).join(',');
    default:
      return null;
  }
}

/** Writes a row of a master, and the rows it points to, without the server: for tests that need a place, not its audit. */
export async function plant(school: Pick<School, 'sql'>, master: Master, known: Values = {}): Promise<MasterRow> {
  const refs: Values = {};
  for (const [name, field] of refsOf(master)) {
    const { table } = targetOf(namedBy(master), field);
    const other = allMasters.find((one) => one.table === table);
    if (name in known) refs[name] = known[name];
    else refs[name] = field.optional || !other ? null : (await plant(school, other)).id;
  }
  const number = nextNumber();
  const values = { ...sampleAt(master, number, refs), ...known };
  const columns: [string, string][] = Object.entries(values).map(([name, value]) => [
    snakeOf(name),
    master.fields[name]?.kind === 'someOf' ? `string_to_array(${literal(value)}, ',')` : literal(value),
  ]);
  if (master.isOrdered) columns.push(['position', `(select coalesce(max(position), 0) + 1 from ${master.table})`]);
  const [row] = await school.sql(`insert into ${master.table} (${columns.map(([column]) => column)})
    values (${columns.map(([, value]) => value)}) returning id, version`);
  numbersOfRows.set(`${master.table} ${row?.id}`, number);
  return { ...values, ...row } as MasterRow;
}

const snakeOf = (name: string) => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
const literal = (value: unknown) => (typeof value === 'string' ? pg.escapeLiteral(value) : String(value));
