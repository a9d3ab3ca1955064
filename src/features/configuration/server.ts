import { masterRoutes } from '#kit/server/master/routes.ts';
import { skillMasters, subjectMasters, tagMasters } from './contract.ts';

export default masterRoutes([...subjectMasters, ...tagMasters, ...skillMasters]);
