import { options } from '#kit/contract/text.ts';

/** The words that the school publishes to the family, which reads them in its language. */
const publishedStatuses = options(
  'Received',
  'Under review',
  'Correction needed',
  'Checked',
  'Meeting planned',
  'On the waiting list',
  'Place offered',
  'Place confirmed',
  'Admitted',
  'Offer expired',
  'No place offered',
);
export type PublishedStatus = (typeof publishedStatuses)[number];
