import { serverFeature } from '#kit/server/feature.ts';
import sectionTeacher from './section-teacher.ts';

export const teaching = serverFeature({ routes: sectionTeacher });
