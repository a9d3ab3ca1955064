import { masterRoutes } from '#kit/server/master/routes.ts';
import { tagMasters } from '../contract/masters.ts';
import tag from './tag.ts';

export default [...tag, ...masterRoutes(tagMasters)];
