import { routes } from '#kit/server/http/routes.ts';
import { fleetApi } from '../contract/fleet.ts';
import { charge, uncharged } from './charge-run.ts';
import { copySlabPrices } from './copied-prices.ts';
import { move } from './move-trips.ts';
import { nextYear } from './next-year.ts';
import { summary } from './summary.ts';
import { attachPaper, paper, viewPaper } from './vehicle-paper.ts';

export const fleetRoutes = routes(fleetApi, {
  summary,
  move,
  copySlabPrices,
  paper,
  attachPaper,
  viewPaper,
  uncharged,
  charge,
  nextYear,
});
