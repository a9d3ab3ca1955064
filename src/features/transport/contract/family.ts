import * as z from 'zod/mini';

/** A ride to or from school. */
const way = z.object({
  trip: z.enum(['pickup', 'drop']),
  time: z.string(),
  stop: z.string(),
  vehicle: z.string(),
  /** The usual vehicle, where another one comes today, or none. */
  insteadOf: z.string(),
  isNone: z.boolean(),
});

/** How children ride today, on the family page. The ways are only for an adult who may collect the child; on a
 * day without school they are the usual ones. */
export const familyRides = z.array(
  z.object({ studentId: z.number(), route: z.string(), isDayOff: z.boolean(), ways: z.array(way) }),
);
export type FamilyRide = z.infer<typeof familyRides>[number];
