import { masterRoutes } from '#kit/server/master/routes.ts';
import { subjectMasters } from '../contract/masters.ts';
import gradeSubject from './grade-subject.ts';
import studentSubject from './student-subject.ts';

export default [...gradeSubject, ...studentSubject, ...masterRoutes(subjectMasters)];
