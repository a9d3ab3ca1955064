import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { envelope, noInput, path } from './form.ts';

const career = z.object({ careerID: z.number(), careerName: z.string() });
export type Career = z.infer<typeof career>;

const output = envelope('lstCareerMaster', career);
const ofOneSector = z.extend(noInput, { careerID: z.string() });

export const careerApi = {
  sectors: endpoint({ method: 'GET', path: `${path}/careers`, access: 'link', envelope: true, input: noInput, output }),
  specialties: endpoint({
    method: 'GET',
    path: `${path}/careers/:careerID/specialties`,
    access: 'link',
    envelope: true,
    input: ofOneSector,
    output,
  }),
};
