import type { Role } from '../contract/route.ts';
import type { DayTrip, Given } from '../contract/today.ts';

const partOf: Record<Role, 'vehicle' | 'driver' | 'attendant'> = {
  Vehicle: 'vehicle',
  Driver: 'driver',
  Attendant: 'attendant',
};

/** What a trip has in a role on the day; null for none. */
export const givenOf = (trip: DayTrip, role: Role): Given | null => trip[partOf[role]];
