import { serverFeature } from '#kit/server/feature.ts';
import { guidePages } from '../contract/pages.ts';

/** The school's guide inside the product. */
export const guide = serverFeature({ pages: guidePages });
