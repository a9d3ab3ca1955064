import { masterRoutes } from '#kit/server/master/routes.ts';
import { calendarMasters } from '../contract/masters.ts';
import calendar from './calendar.ts';
import rollOver from './roll-over.ts';
import year from './year.ts';

export default [...year, ...rollOver, ...calendar, ...masterRoutes(calendarMasters)];
