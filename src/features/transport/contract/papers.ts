import * as z from 'zod/mini';
import { transportKeepers, transportReaders } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, rule } from '#kit/contract/fields.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import type { mandatoryPapers } from './masters.ts';
import { routeShows } from './route.ts';
import { vehiclePapers } from './vehicle-papers.ts';

const number = { max: 40, optional: true } as const;
const day = { optional: true, toward: 'future' } as const;

/** Number and last day of each paper without which a vehicle gets no new trip. */
export const paperFields = {
  rcNumber: field.text(text`RC: number`, number),
  rcExpiresOn: field.date(text`RC: expires on`, day),
  fitnessNumber: field.text(text`Fitness: number`, number),
  fitnessExpiresOn: field.date(text`Fitness: expires on`, day),
  insuranceNumber: field.text(text`Insurance: number`, number),
  insuranceExpiresOn: field.date(text`Insurance: expires on`, day),
  permitNumber: field.text(text`Permit: number`, number),
  permitExpiresOn: field.date(text`Permit: expires on`, day),
  pucNumber: field.text(text`PUC: number`, number),
  pucExpiresOn: field.date(text`PUC: expires on`, day),
};

type Name = keyof typeof paperFields;

/** The fields of each paper. */
export const fieldsOfPapers = {
  RC: ['rcNumber', 'rcExpiresOn'],
  Fitness: ['fitnessNumber', 'fitnessExpiresOn'],
  Insurance: ['insuranceNumber', 'insuranceExpiresOn'],
  Permit: ['permitNumber', 'permitExpiresOn'],
  PUC: ['pucNumber', 'pucExpiresOn'],
} as const satisfies Record<(typeof mandatoryPapers)[number], readonly [Name, Name]>;

const withDays = rule<Record<Name, string>>((draft, say) => {
  const papers = Object.values(fieldsOfPapers);
  for (const [number, expiresOn] of papers)
    if (draft[number] && draft[expiresOn] === '') say(expiresOn, text`Enter the last day of this document.`);
  if (papers.every((names) => names.every((name) => draft[name] === '')))
    say('rcExpiresOn', text`Enter at least one document.`);
});

export const papersApi = {
  /** Adds the papers of a vehicle that have a last day, all or none. */
  addPapers: endpoint({
    method: 'POST',
    path: '/transport/vehicle/:id/papers',
    access: transportKeepers,
    changes: ['vehicle-document', 'vehicle', 'route'],
    input: z.object({ id, ...inputOf(paperFields) }).check(withDays),
    output: z.object({ added: z.number() }),
  }),
};

/** A paper that expires within so many days is listed as expiring soon. */
export const soonDays = 30;

const papers = [...vehiclePapers, ...options('Licence', 'Medical check')] as const;

const owners = options('Vehicle', 'Driver', 'Attendant');

/** The papers of vehicles, drivers and attendants that count, the first to expire first; a missing one has no last day. */
export const paperList = defineList({
  name: 'transport_paper',
  path: '/transport/paper',
  singular: text`paper`,
  plural: text`papers`,
  access: transportReaders,
  shows: routeShows,
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    owner: { kind: 'oneOf', label: text`Kind`, options: owners, isAside: true },
    paper: { kind: 'oneOf', label: text`Document`, options: papers },
    expiresOn: { kind: 'date', label: text`Expires on`, isSorted: true, onPhone: 'end' },
    partner: { kind: 'text', label: text`Vehicle or driver today`, head: text`With` },
    number: { kind: 'text', label: text`Number`, onPhone: 'away' },
  },
  filters: { owner: { kind: 'oneOf', label: text`Kind`, options: owners } },
  tabs: {
    expired: text`Expired`,
    soon: text`Soon`,
    all: text`All`,
  },
  sort: 'expiresOn',
  extra: {},
});
