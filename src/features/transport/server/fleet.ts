import { routes } from '#kit/server/http/routes.ts';
import { crewApi } from '../contract/crew.ts';
import { fleetApi } from '../contract/fleet.ts';
import { papersApi } from '../contract/papers.ts';
import { usualSlotApi } from '../contract/usual-slots.ts';
import { charge, uncharged } from './charge-run.ts';
import { copySlabPrices } from './copied-prices.ts';
import { attendants, drivers } from './crew-option.ts';
import { waitingPrices } from './held-terms.ts';
import { move } from './move-trips.ts';
import { nextYear } from './next-year.ts';
import { addPapers } from './papers.ts';
import { summary } from './summary.ts';
import { addUsualSlots } from './usual-slots.ts';
import { attachPaper, paper, viewPaper } from './vehicle-paper.ts';

export const fleetRoutes = [
  ...routes(crewApi, { drivers, attendants }),
  ...routes(usualSlotApi, { addUsualSlots }),
  ...routes(papersApi, { addPapers }),
  ...routes(fleetApi, {
    summary,
    move,
    copySlabPrices,
    waitingPrices,
    paper,
    attachPaper,
    viewPaper,
    uncharged,
    charge,
    nextYear,
  }),
];
