import { serverFeature } from '#kit/server/feature.ts';
import { skillMasters } from '../contract/masters.ts';
import skillRoutes from './skill.ts';

export const skill = serverFeature({ routes: skillRoutes, masters: skillMasters });
