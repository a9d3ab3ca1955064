import { masterRoutes } from '#kit/server/master/routes.ts';
import { skillMasters } from '../contract/masters.ts';
import skill from './skill.ts';

export default [...skill, ...masterRoutes(skillMasters)];
