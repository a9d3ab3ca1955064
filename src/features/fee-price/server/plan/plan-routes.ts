import { routes } from '#kit/server/http/routes.ts';
import { planApi } from '../../contract/plan.ts';
import { allocate, allocationRuns, runs } from './allocation.ts';
import { changeOption, moveDueDay, withdraw } from './plan-acts.ts';
import { readPlan } from './plan-read.ts';
import { repricePlans, repriceRuns } from './reprice.ts';

export const planRoutes = routes(planApi, {
  allocate,
  moveDueDay,
  option: changeOption,
  read: readPlan,
  reprice: repricePlans,
  runs,
  withdraw,
});

export const planRuns = { ...allocationRuns, ...repriceRuns };
