import { masterRoutes } from '#kit/server/master/routes.ts';
import { skillMasters, subjectMasters, tagMasters } from '../contract/masters.ts';
import gradeSubject from './grade-subject.ts';

export default [...gradeSubject, ...masterRoutes([...subjectMasters, ...tagMasters, ...skillMasters])];
