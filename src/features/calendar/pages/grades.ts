import type { gradeMaster } from '#features/academic/contract/masters.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';

export type Grades = OutputOf<typeof gradeMaster.api.options>;
