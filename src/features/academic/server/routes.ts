import { masterRoutes } from '#kit/server/master/routes.ts';
import { academicMasters } from '../contract/masters.ts';
import board from './board.ts';
import gradingScale from './grading-scale.ts';

export default [...board, ...gradingScale, ...masterRoutes(academicMasters)];
