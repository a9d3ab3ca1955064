import { addDays } from '#kit/server/day.ts';
import { form, paper } from '../school.ts';
import { type Act, ask, childOn, confirm, post, said } from './acting.ts';
import { addChild } from './acts.ts';

const birthCertificate = await paper('Birth certificate');

/** The office corrects a birth date that was typed wrong, which waits for the principal where a certificate prints it. */
const correctBirthDate: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const birthDate = `201${5 + random.upTo(4)}-0${1 + random.upTo(9)}-1${random.upTo(10)}`;
  const empty = Object.fromEntries(
    ['firstName', 'middleName', 'lastName', 'gender', 'birthPlace', 'nationalityId', 'motherTongueId', 'religionId']
      .concat('casteCategoryId', 'caste', 'subCaste', 'authority', 'orderNo', 'orderOn')
      .map((name) => [name, '']),
  );
  const fields = {
    ...empty,
    field: 'birthDate',
    birthDate,
    kind: 'Clerical mistake',
    reason: 'Typed wrong',
    isPrinted: 'true',
  };
  const url = `/api/student/${child.id}/correction`;
  return said(
    await ask(world.people.office, { method: 'POST', url, body: form(fields, { paper: birthCertificate }) }),
    [child.id],
  );
};

/** The office issues a certificate, which draws a number. */
const certify: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const body = { kind: 'Bonafide', purpose: 'Passport', conduct: '', overrideReason: '' };
  return said(await confirm(world.people.office, `/student/${child.id}/certificate`, body), [child.id]);
};

/** A child is entered a second time, with another birth date, and the principal merges the two records. */
const merge: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const twice = await addChild(world, day, { id: child.sectionId, gradeId: child.gradeId });
  if (twice.status !== 200) return twice;
  const [retiredId = 0] = twice.students;
  const body = {
    keptId: child.id,
    retiredId,
    taken: [],
    marks: 'Kept record',
    exceptions: [],
    isOneChild: true,
    reason: 'Entered twice',
  };
  return said(await confirm(world.people.principal, '/student/merge', body), [child.id, retiredId]);
};

/** Another driver takes the bus on three days. */
const standIn: Act['act'] = async ({ people, fleet }, random, day) => {
  const { incharge } = people;
  const from = addDays(day, random.upTo(5));
  const to = addDays(from, random.upTo(3));
  const shown = await ask(incharge, { url: `/api/transport/today?day=${from}` });
  const trip = shown.json?.trips?.find(({ id }: { id: number }) => id === fleet.trip);
  if (!trip) return said(shown, []);
  const free = await ask(incharge, {
    url: `/api/transport/trip/${trip.id}/free?role=Driver&isAll=&from=${from}&to=${to}`,
  });
  const own = free.json?.rows?.[0]?.id;
  if (!own) return said(free, []);
  const body = {
    tripId: trip.id,
    role: 'Driver',
    replacedId: trip.driver?.id ?? null,
    ownId: own,
    isAll: false,
    isAway: false,
    isTold: true,
    moves: [],
    effectiveFrom: from,
    effectiveTo: to,
    reason: 'Fever',
  };
  return said(await confirm(incharge, '/transport/stand-in', body), []);
};

/** A call about admission. */
const inquire: Act['act'] = async ({ people, prices }, random, day) => {
  const sent = await post(people.office, '/inquiry', {
    academicYearId: prices.place.academicYearId,
    branchId: prices.place.branchId,
    programId: prices.place.programId,
    gradeId: prices.place.gradeId,
    birthDate: addDays(day, -2200 - random.upTo(200)),
  });
  return said(sent, []);
};

export const officeActs: readonly Act[] = [
  { name: 'a birth date corrected', weight: 1, act: correctBirthDate },
  { name: 'a certificate', weight: 2, act: certify },
  { name: 'two records merged', weight: 1, act: merge },
  { name: 'a driver replaced', weight: 2, act: standIn },
  { name: 'an inquiry of half its fields', weight: 1, isWrong: true, act: inquire },
];
