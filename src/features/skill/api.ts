export { offeredSkills } from './server/skill.ts';
