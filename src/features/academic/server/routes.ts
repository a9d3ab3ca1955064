import { masterRoutes } from '#kit/server/master/routes.ts';
import { academicMasters, organizationalMasters } from '../contract/masters.ts';
import calendar from './calendar.ts';
import checklist from './checklist.ts';
import gradingScale from './grading-scale.ts';
import numberSeries from './number-series.ts';
import profile from './profile.ts';
import rollOver from './roll-over.ts';
import school from './school.ts';
import sectionStudent from './section-student.ts';
import sectionTeacher from './section-teacher.ts';
import year from './year.ts';

export default [
  ...school,
  ...profile,
  ...numberSeries,
  ...year,
  ...rollOver,
  ...calendar,
  ...checklist,
  ...gradingScale,
  ...sectionTeacher,
  ...sectionStudent,
  ...masterRoutes([...academicMasters, ...organizationalMasters]),
];
