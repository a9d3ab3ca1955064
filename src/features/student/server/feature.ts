import { serverFeature } from '#kit/server/feature.ts';
import sectionStudent from './section-student.ts';

export const student = serverFeature({ routes: sectionStudent });
