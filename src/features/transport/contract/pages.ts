import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

const sets = ['transportIncharge', 'principal'] as const;

export const transportPages = [
  {
    path: 'transport/',
    title: text`Transport Master`,
    reads: 'GET /transport/rider',
    roles: ['Staff'],
    sets,
    tabs: [
      { key: 'rider', title: text`Riders` },
      { key: 'today', title: text`Today` },
      { key: 'stop', title: text`Stops` },
      { key: 'slab', title: text`Fee slabs` },
      { key: 'slab-price', title: text`Slab prices` },
      { key: 'crew', title: text`Drivers and attendants` },
    ],
    search: ['tab', 'day', 'direction'],
  },
  {
    path: 'transport/time-slot',
    title: text`Time Slot`,
    reads: 'GET /transport/time-slot',
    roles: ['Staff'],
    sets,
    tabs: [{ key: 'time-slot', title: text`Time slots` }],
  },
  {
    path: 'transport/vehicle',
    title: text`Vehicle Master`,
    reads: 'GET /transport/vehicle',
    roles: ['Staff'],
    sets,
    tabs: [
      { key: 'vehicle', title: text`Vehicles` },
      { key: 'vehicle-document', title: text`Documents` },
      { key: 'vehicle-away', title: text`Away` },
    ],
  },
  {
    path: 'transport/route',
    title: text`Route Master`,
    reads: 'GET /transport/route',
    roles: ['Staff'],
    sets,
    search: ['tab', 'stopId', 'vehicleId', 'timeSlotId'],
  },
  {
    path: 'transport/route/$routeID',
    title: text`Route`,
    reads: 'GET /transport/route/:id',
    roles: ['Staff'],
    sets,
  },
  {
    path: 'transport/staff-stop-change',
    title: text`Staff Stop Change`,
    reads: 'GET /transport/staff-stop-change',
    roles: ['Staff'],
    sets: ['transportIncharge', 'principal', 'hr'],
    search: ['tab'],
  },
  {
    path: 'transport/student-stop-change',
    title: text`Student Stop Change`,
    reads: 'GET /transport/student-stop-change',
    roles: ['Staff'],
    sets: ['transportIncharge', 'principal', 'office'],
    search: ['tab'],
  },
  {
    path: 'transport/today',
    title: text`Buses today`,
    reads: 'GET /transport/today',
    roles: ['Staff'],
    sets: ['transportIncharge', 'principal', 'office'],
    within: ['transport/', 'transport/student-stop-change'],
    search: ['day', 'direction'],
  },
  {
    path: 'transport/paper',
    title: text`Papers of vehicles and crew`,
    reads: 'GET /transport/paper',
    roles: ['Staff'],
    sets,
    within: ['transport/vehicle'],
    search: ['tab', 'search'],
  },
  {
    path: 'transport/wait',
    title: text`Waiting for a seat`,
    reads: 'GET /transport/wait',
    roles: ['Staff'],
    sets: ['transportIncharge', 'principal', 'office'],
    within: ['transport/', 'transport/student-stop-change'],
    search: ['tab', 'search'],
  },
] as const satisfies readonly Page[];

export const paperPage = transportPages[8];
export const waitPage = transportPages[9];
