import type * as z from 'zod/mini';
import type { nameOptions } from '#kit/contract/field.ts';

/** The grades that a day of the calendar may be for. */
export type Grades = z.output<typeof nameOptions>;
