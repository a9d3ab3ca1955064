import { options } from '#kit/contract/text.ts';

/** The kinds of papers that a vehicle has. */
export const vehiclePapers = options(
  'RC',
  'Fitness',
  'Insurance',
  'Permit',
  'PUC',
  'Speed governor',
  'Road tax',
  'Fire extinguisher',
  'First aid',
  'GPS',
);
