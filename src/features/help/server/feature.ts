import { serverFeature } from '#kit/server/feature.ts';
import { helpPages } from '../contract/pages.ts';

/** The school's guide inside the product. */
export const help = serverFeature({ pages: helpPages });
