import * as z from 'zod/mini';
import { riderReaders } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { optionsInput, peopleOptions } from '#kit/contract/field.ts';
import { namedBy } from '#kit/contract/master.ts';
import { crewMaster } from './masters.ts';

const optionsAt = <Path extends string>(path: Path) =>
  endpoint({
    method: 'GET',
    path,
    access: riderReaders,
    shows: ['crew', 'staff'],
    input: z.object(optionsInput),
    output: peopleOptions,
  });

/** The people of the crew by what they do, as choices for a trip. */
export const crewApi = {
  drivers: optionsAt('/transport/driver/option'),
  attendants: optionsAt('/transport/attendant/option'),
};

export const driverNames = { ...namedBy(crewMaster), isPeople: true as const, options: crewApi.drivers };
export const attendantNames = { ...namedBy(crewMaster), isPeople: true as const, options: crewApi.attendants };
