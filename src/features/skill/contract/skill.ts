import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { stages } from '#features/academic/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { skillMaster } from './masters.ts';

const skill = z.object({ id: z.number(), name: z.string(), domain: z.string(), description: z.string() });
/** A level of progress, with its meaning at the stage. */
const level = z.object({ id: z.number(), name: z.string(), descriptor: z.string() });

export const skillsOfStage = z.object({ skills: z.array(skill), levels: z.array(level) });
export type SkillsOfStage = z.infer<typeof skillsOfStage>;

export const skillApi = {
  /** The active skills of a stage, and the active levels. */
  offer: endpoint({
    method: 'GET',
    path: `${skillMaster.path}/offer`,
    access: signedIn,
    shows: ['skill', 'skill-domain'],
    input: z.object({ stage: z.enum(stages) }),
    output: skillsOfStage,
  }),
};
