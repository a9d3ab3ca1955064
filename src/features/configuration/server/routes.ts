import { masterRoutes } from '#kit/server/master/routes.ts';
import { skillMasters, subjectMasters, tagMasters } from '../contract/masters.ts';
import gradeSubject from './grade-subject.ts';
import skill from './skill.ts';
import studentSubject from './student-subject.ts';
import tag from './tag.ts';

export default [
  ...gradeSubject,
  ...studentSubject,
  ...tag,
  ...skill,
  ...masterRoutes([...subjectMasters, ...tagMasters, ...skillMasters]),
];
