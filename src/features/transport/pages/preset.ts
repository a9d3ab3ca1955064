import type { Movable, Move } from '../contract/today.ts';

/** Where a rider rides on the days: the own bus, none, or a trip and a stop. */
export type Place = 'own' | 'none' | `${number} ${number}`;

export type Places = Readonly<Record<string, Place>>;

export const keyOf = ({ rideId, way }: Pick<Movable, 'rideId' | 'way'>) => `${rideId} ${way}`;

interface Trip {
  riders: readonly Movable[];
  /** Seats of the vehicle that comes; 0 where none comes. */
  seats: number;
}

/**
 * Of riders who are more than the seats, the first ones whom another trip with a free seat serves. Where no bus comes, the
 * others ride on none.
 */
export function presetOf(trips: readonly Trip[]): Places {
  const places: Record<string, Place> = {};
  const taken = new Map<number, number>();
  for (const { riders, seats } of trips) {
    let excess = riders.length - seats;
    for (const rider of riders) {
      if (excess <= 0) break;
      const trip = rider.trips.find(({ tripId, free }) => free > (taken.get(tripId) ?? 0));
      if (!trip && seats > 0) continue;
      places[keyOf(rider)] = trip ? `${trip.tripId} ${trip.stopId}` : 'none';
      if (trip) taken.set(trip.tripId, (taken.get(trip.tripId) ?? 0) + 1);
      excess -= 1;
    }
  }
  return places;
}

const tripAt = (rider: Movable, place: Place | '') =>
  rider.trips.find(({ tripId, stopId }) => place === `${tripId} ${stopId}`);

/** Where a rider rides; '' where it is still to be chosen, as where a chosen trip is no longer offered. */
export function placeOf(rider: Movable, places: Places, seats: number): Place | '' {
  const place = places[keyOf(rider)] ?? 'own';
  if (place === 'own') return seats > 0 ? 'own' : '';
  return place === 'none' || tripAt(rider, place) ? place : '';
}

/** The riders for whom nothing is chosen yet. */
export const unplacedOf = (riders: readonly Movable[], places: Places, seats: number): Movable[] =>
  riders.filter((rider) => placeOf(rider, places, seats) === '');

/** What the server is asked for. */
export const movesOf = (riders: readonly Movable[], places: Places, seats: number): Move[] =>
  riders.flatMap((rider): Move[] => {
    const { rideId, way } = rider;
    const place = placeOf(rider, places, seats);
    if (place === 'none') return [{ rideId, way, tripId: null, stopId: null }];
    const other = tripAt(rider, place);
    return other ? [{ rideId, way, tripId: other.tripId, stopId: other.stopId }] : [];
  });
