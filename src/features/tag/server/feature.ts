import { serverFeature } from '#kit/server/feature.ts';
import { tagMasters } from '../contract/masters.ts';
import tagRoutes from './tag.ts';

export const tag = serverFeature({ routes: tagRoutes, masters: tagMasters });
