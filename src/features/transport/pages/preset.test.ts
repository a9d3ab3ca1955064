import { expect, test } from 'vitest';
import type { Movable } from '../contract/today.ts';
import { movesOf, presetOf, unplacedOf } from './preset.ts';

const trip = (tripId: number, free: number) => ({
  tripId,
  stopId: 5,
  route: 'Adajan',
  stop: 'Pal',
  time: '06:52',
  vehicle: 'Bus 7',
  free,
  isSameStop: true,
});
const rider = (rideId: number, trips: Movable['trips']): Movable => ({
  rideId,
  way: 'Pickup',
  name: `Child ${rideId}`,
  place: '',
  stop: 'Pal',
  trips,
});
const riders = [
  rider(1, []),
  rider(2, [trip(7, 1), trip(8, 1)]),
  rider(3, [trip(7, 1), trip(8, 1)]),
  rider(4, [trip(7, 1)]),
];

test('as many riders as the smaller bus lacks seats for are placed where there is a seat', () => {
  expect(presetOf([{ riders, seats: 2 }])).toEqual({ '2 Pickup': '7 5', '3 Pickup': '8 5' });
  expect(presetOf([{ riders, seats: 4 }])).toEqual({});
});

test('where no bus comes every rider is placed, on none where no other bus has a seat', () => {
  const places = presetOf([{ riders, seats: 0 }]);
  expect(places).toEqual({ '1 Pickup': 'none', '2 Pickup': '7 5', '3 Pickup': '8 5', '4 Pickup': 'none' });
  expect(movesOf(riders, places, 0)[0]).toEqual({ rideId: 1, way: 'Pickup', tripId: null, stopId: null });
});

test('a rider whose chosen trip is no longer offered, and one without a choice, is asked for again', () => {
  const one = rider(1, [trip(7, 1)]);
  for (const [place, seats] of [
    ['9 5', 4],
    ['9 5', 0],
    ['own', 0],
  ] as const) {
    const places = { '1 Pickup': place };
    expect([movesOf([one], places, seats), unplacedOf([one], places, seats)]).toEqual([[], [one]]);
  }
  expect(unplacedOf([one], { '1 Pickup': 'own' }, 4)).toEqual([]);
});
