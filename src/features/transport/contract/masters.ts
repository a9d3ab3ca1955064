import { riderReaders, transportKeepers, transportReaders } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { closedYearAt } from '#features/calendar/contract/closed-year.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';
import { vehiclePapers } from './vehicle-papers.ts';

const access = transportKeepers;
const readAccess = transportReaders;
const optionAccess = riderReaders;

export const directions = options('Pickup', 'Drop');
export type Direction = (typeof directions)[number];

export const months = options(
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
  'January',
  'February',
  'March',
  'April',
  'May',
);

const inUse = text`Current or planned trips use this. Change the trips first.`;
export const moreRiders = text`A trip would have more riders than seats.`;

export const slabMaster = defineMaster({
  table: 'transport_fee_slab',
  path: '/transport/slab',
  singular: text`fee slab`,
  plural: text`fee slabs`,
  description: text`Distances that cost the same, such as up to 5 km. Each stop belongs to a slab.`,
  access,
  readAccess,
  optionAccess,
  fields: {
    name: field.text(text`Name`, { max: 40 }),
    fromKm: field.number(text`From (km)`, { least: 0, most: 200, optional: true }),
    toKm: field.number(text`To (km)`, { least: 0, most: 200, optional: true }),
  },
  constraintMessages: {
    transport_fee_slab_rising: { field: 'toKm', message: text`Enter more than in the field before.` },
  },
});

export const slabPriceMaster = defineMaster({
  table: 'transport_slab_price',
  path: '/transport/slab-price',
  singular: text`slab price`,
  plural: text`slab prices`,
  description: text`The monthly price of each slab in an academic year.`,
  access,
  readAccess,
  optionAccess,
  fields: {
    academicYearId: field.ref(text`Academic year`, { to: namedBy(yearMaster) }),
    slabId: field.ref(text`Fee slab`, { to: namedBy(slabMaster) }),
    monthAmount: field.money(text`A month, both ways (₹)`, { least: 100 }),
    oneWayShare: field.percent(text`One way (%)`, {
      least: 100,
      initial: '60',
      hint: text`The share of the monthly amount, such as 60.`,
    }),
    months: field.someOf(text`Months charged`, {
      options: months,
      initial: months.join(','),
      isSequence: true,
      isAside: true,
    }),
  },
  labelFields: ['academicYearId', 'slabId'],
  constraintMessages: closedYearAt('academicYearId'),
});

export const stopMaster = defineMaster({
  table: 'transport_stop',
  path: '/transport/stop',
  singular: text`stop`,
  plural: text`stops`,
  description: text`Where buses stop. Routes put stops in an order.`,
  access,
  readAccess,
  optionAccess,
  fields: {
    branchId: field.ref(text`Branch`, { to: namedBy(branchMaster) }),
    name: field.text(text`Name`, { max: 80 }),
    slabId: field.ref(text`Fee slab`, { to: namedBy(slabMaster) }),
    area: field.text(text`Area`, { max: 80, optional: true }),
    landmark: field.text(text`Landmark`, { max: 120, optional: true, isAside: true }),
    pinCode: field.text(text`PIN code`, {
      max: 6,
      optional: true,
      isAside: true,
      like: /^[1-9][0-9]{5}$/,
      message: text`Enter 6 digits.`,
      inputMode: 'numeric',
    }),
  },
  key: ['branchId', 'name'],
  constraintMessages: { transport_used: { field: 'isActive', message: inUse } },
});

const weekdays = options('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday');

export const timeSlotMaster = defineMaster({
  table: 'transport_time_slot',
  path: '/transport/time-slot',
  singular: text`time slot`,
  plural: text`time slots`,
  description: text`When trips run, such as Morning 06:45 to 08:00 and Afternoon 14:00 to 15:30.`,
  access,
  readAccess,
  optionAccess,
  fields: {
    name: field.text(text`Name`, { max: 40 }),
    direction: field.oneOf(text`Direction`, { options: directions }),
    starts: field.time(text`Starts at`),
    ends: field.time(text`Ends at`),
    weekdays: field.someOf(text`Days`, { options: weekdays, initial: weekdays.join(','), isSequence: true }),
    saturdayStarts: field.time(text`On Saturday at`, {
      optional: true,
      isAside: true,
      hint: text`Leave empty where Saturday has the same times.`,
    }),
    saturdayEnds: field.time(text`On Saturday until`, { optional: true, isAside: true }),
    validFrom: field.date(text`Times valid from`, {
      isAside: true,
      hint: text`To change the times of trips, enter the day from which the new times are valid.`,
    }),
    fromGradeId: field.ref(text`From grade`, {
      to: namedBy(gradeMaster),
      optional: true,
      hint: text`Leave both grades empty for all grades.`,
    }),
    toGradeId: field.ref(text`To grade`, { to: namedBy(gradeMaster), optional: true }),
  },
  constraintMessages: {
    transport_time_slot_ends: { field: 'ends', message: text`Enter a later time.` },
    transport_time_slot_saturday: {
      field: 'saturdayEnds',
      message: text`Enter both times of Saturday, the later one here, or none.`,
    },
    transport_time_slot_used: {
      field: 'validFrom',
      message: text`Trips use these times. Enter the later day from which the new times are valid.`,
    },
    transport_trip_slot: { field: 'direction', message: text`Trips use this direction. Add another slot.` },
    transport_duty_vehicle: { field: 'starts', message: text`A vehicle would have two trips at the same time.` },
    transport_duty_driver: { field: 'starts', message: text`A driver would have two trips at the same time.` },
    transport_duty_attendant: { field: 'starts', message: text`An attendant would have two trips at the same time.` },
    transport_used: { field: 'isActive', message: inUse },
  },
});

/**
 * As plates and papers have it: groups of letters and digits with spaces, hyphens, slashes or dots between them. A state's own
 * (GJ 05 AB 1234, GJ 5 AB 12, DL 3C AB 1234), BH (22 BH 1234 AA), or temporary (T 0826 GJ 1234 A).
 */
const registration =
  /^(?:[A-Za-z]{2}[ ./-]?[0-9]{1,2}(?:[ ./-]?[A-Za-z]){0,3}[ ./-]?[0-9]{1,4}|[0-9]{2}[ ./-]?[Bb][Hh][ ./-]?[0-9]{4}[ ./-]?[A-Za-z]{1,2}|[Tt][ ./-]?[0-9]{4}[ ./-]?[A-Za-z]{2}[ ./-]?[0-9]{4}[ ./-]?[A-Za-z]{1,2})$/;

export const vehicleMaster = defineMaster({
  table: 'transport_vehicle',
  path: '/transport/vehicle',
  singular: text`vehicle`,
  plural: text`vehicles`,
  description: text`Add the school’s buses and vans, or import the fleet list.`,
  access,
  readAccess,
  optionAccess,
  fields: {
    fleetNo: field.text(text`Fleet number`, { max: 10, width: 'medium', hint: text`Such as Bus 4.` }),
    registrationNo: field.text(text`Registration number`, {
      max: 20,
      like: registration,
      message: text`Enter a number such as GJ 05 AB 1234, 22 BH 1234 AA or T 0826 GJ 1234 A.`,
    }),
    branchId: field.ref(text`Branch`, { to: namedBy(branchMaster) }),
    kind: field.oneOf(text`Kind`, { options: options('Bus', 'Mini bus', 'Van', 'Car', 'Electric') }),
    ownership: field.oneOf(text`Ownership`, { options: options('Owned', 'Hired', 'Contract'), isAside: true }),
    seatCapacity: field.number(text`Seats`, { least: 1, most: 80 }),
    reservedSeats: field.number(text`Reserved seats`, {
      least: 0,
      most: 10,
      initial: '2',
      hint: text`Kept for the attendant and teachers; usually 2.`,
    }),
    vendor: field.text(text`Vendor`, { max: 80, optional: true, isAside: true }),
    make: field.text(text`Make`, { max: 40, optional: true, isAside: true }),
    model: field.text(text`Model`, { max: 40, optional: true, isAside: true }),
    madeYear: field.number(text`Year made`, { least: 1990, most: 2100, optional: true, isAside: true }),
    fuel: field.oneOf(text`Fuel`, {
      options: options('Diesel', 'CNG', 'Petrol', 'Electric'),
      optional: true,
      isAside: true,
    }),
    chassisNo: field.text(text`Chassis number`, { max: 30, optional: true, isAside: true }),
    engineNo: field.text(text`Engine number`, { max: 30, optional: true, isAside: true }),
    gpsDevice: field.text(text`GPS device`, { max: 30, optional: true, isAside: true }),
    hasCamera: field.yesNo(text`Cameras`, { isAside: true }),
  },
  labelFields: ['fleetNo'],
  constraintMessages: {
    transport_vehicle_reserved: { field: 'reservedSeats', message: text`Enter fewer than the seats.` },
    transport_trip_seats: { field: 'seatCapacity', message: moreRiders },
    transport_used: { field: 'isActive', message: inUse },
  },
});

/** Papers without which a vehicle gets no new trip. */
export const mandatoryPapers = options('RC', 'Fitness', 'Insurance', 'Permit', 'PUC');

export const vehicleDocumentMaster = defineMaster({
  table: 'transport_vehicle_document',
  path: '/transport/vehicle-document',
  singular: text`vehicle document`,
  plural: text`vehicle documents`,
  description: text`Papers of vehicles with their last day. Without RC, fitness, insurance, permit and PUC a vehicle gets no new trip.`,
  access,
  readAccess,
  fields: {
    vehicleId: field.ref(text`Vehicle`, { to: namedBy(vehicleMaster) }),
    kind: field.oneOf(text`Document`, {
      options: vehiclePapers,
    }),
    number: field.text(text`Number`, { max: 40, optional: true }),
    issuedOn: field.date(text`Issued on`, { optional: true, isAside: true, toward: 'past' }),
    expiresOn: field.date(text`Expires on`, { toward: 'future' }),
  },
  labelFields: ['vehicleId', 'kind'],
  key: ['vehicleId', 'kind', 'expiresOn'],
  constraintMessages: {
    transport_vehicle_document_days: { field: 'expiresOn', message: text`Enter a day on or after the issue date.` },
  },
});

export const vehicleAwayMaster = defineMaster({
  table: 'transport_vehicle_away',
  path: '/transport/vehicle-away',
  singular: text`absence of a vehicle`,
  plural: text`absences of vehicles`,
  description: text`The days on which a vehicle has no trip, such as in the workshop. Give its trips another vehicle first.`,
  access,
  readAccess,
  fields: {
    vehicleId: field.ref(text`Vehicle`, { to: namedBy(vehicleMaster) }),
    effectiveFrom: field.date(text`From`),
    effectiveTo: field.date(text`Until`, { optional: true, hint: text`Leave empty until further notice.` }),
    reason: field.oneOf(text`Reason`, { options: options('Workshop', 'Fitness', 'Accident', 'Other') }),
    note: field.text(text`Note`, { max: 200, optional: true }),
  },
  labelFields: ['vehicleId', 'reason'],
  key: ['vehicleId', 'effectiveFrom'],
  constraintMessages: {
    transport_vehicle_away_days: { field: 'effectiveTo', message: text`Enter a later day.` },
    transport_vehicle_away_once: {
      field: 'effectiveFrom',
      message: text`The vehicle is away on some of these days already.`,
    },
    transport_vehicle_away: {
      field: 'vehicleId',
      message: text`The vehicle has trips on these days. Give them another vehicle first.`,
    },
  },
});

export const crewMaster = defineMaster({
  table: 'transport_crew',
  path: '/transport/crew',
  singular: text`driver or attendant`,
  plural: text`drivers and attendants`,
  description: text`Staff who drive or attend. A driver needs a valid licence and medical check for a new trip.`,
  access,
  readAccess,
  optionAccess,
  fields: {
    staffId: field.ref(text`Staff`, { to: staffNames }),
    isDriver: field.yesNo(text`Driver`),
    isAttendant: field.yesNo(text`Attendant`),
    licenceNo: field.text(text`Licence number`, { max: 20, optional: true }),
    licenceClass: field.oneOf(text`Licence class`, {
      options: options('LMV', 'LMV transport', 'HMV', 'HPMV'),
      optional: true,
      isAside: true,
    }),
    licenceExpiresOn: field.date(text`Licence expires on`, { optional: true, toward: 'future' }),
    badgeNo: field.text(text`Badge number`, { max: 20, optional: true, isAside: true }),
    policeVerifiedOn: field.date(text`Police verification on`, { optional: true, isAside: true, toward: 'past' }),
    medicalExpiresOn: field.date(text`Medical check valid until`, { optional: true, toward: 'future' }),
    trainedOn: field.date(text`Training on`, { optional: true, isAside: true, toward: 'past' }),
  },
  labelFields: ['staffId'],
  constraintMessages: { transport_used: { field: 'isActive', message: inUse } },
});

export const transportMasters = [
  slabMaster,
  slabPriceMaster,
  stopMaster,
  timeSlotMaster,
  vehicleMaster,
  vehicleDocumentMaster,
  vehicleAwayMaster,
  crewMaster,
] as const;
