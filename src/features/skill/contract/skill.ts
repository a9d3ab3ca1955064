import * as z from 'zod/mini';
import { stages } from '#features/academic/contract/masters.ts';
import { signedIn } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { skillMaster } from './masters.ts';

const skill = z.object({ id: z.number(), name: z.string(), domain: z.string(), description: z.string() });
/** How far a child has come, with what that means at the stage. */
const level = z.object({ id: z.number(), name: z.string(), descriptor: z.string() });

export const skillsOfStage = z.object({ skills: z.array(skill), levels: z.array(level) });
export type SkillsOfStage = z.infer<typeof skillsOfStage>;

export const skillApi = {
  /** The skills that evidence can be given for at a stage, and the levels. */
  offer: endpoint({
    method: 'GET',
    path: `${skillMaster.path}/offer`,
    access: signedIn,
    shows: ['skill', 'skill-domain'],
    input: z.object({ stage: z.enum(stages) }),
    output: skillsOfStage,
  }),
};
