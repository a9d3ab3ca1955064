import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { transportFigures } from './summary.ts';

/** Riders, seats, requests and papers of today. */
export const transportCard: DashboardCard = {
  title: text`Transport`,
  roles: ['Staff'],
  sets: ['transportIncharge', 'principal'],
  count: transportFigures,
};
