import { masterRoutes } from '#kit/server/master/routes.ts';
import { schoolMasters } from '../contract/masters.ts';
import checklist from './checklist.ts';
import numberSeries from './number-series.ts';
import profile from './profile.ts';
import school from './school.ts';

export default [...school, ...profile, ...numberSeries, ...checklist, ...masterRoutes(schoolMasters)];
