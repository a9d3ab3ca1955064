import * as z from 'zod/mini';
import { riderReaders } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import { namedBy } from '#kit/contract/master.ts';
import { crewMaster } from './masters.ts';

const optionsAt = <Path extends string>(path: Path) =>
  endpoint({
    method: 'GET',
    path,
    access: riderReaders,
    shows: ['crew', 'staff'],
    input: z.object(optionsInput),
    output: nameOptions,
  });

/** The people of the crew by what they do, as choices for a trip. */
export const crewApi = {
  drivers: optionsAt('/transport/driver/option'),
  attendants: optionsAt('/transport/attendant/option'),
};

export const driverNames = { ...namedBy(crewMaster), options: crewApi.drivers };
export const attendantNames = { ...namedBy(crewMaster), options: crewApi.attendants };
