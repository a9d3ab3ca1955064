import { routes } from '#kit/server/http/routes.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';
import { setUpApi } from '../contract/set-up.ts';
import { addClasses } from './classes.ts';
import { addFirstYear } from './first-year.ts';

/** The steps of a new school, of all features, and the acts that take them. */
export const setUpRoutes = (all: readonly SetUpStep[]) => {
  const steps = [...all].sort((one, other) => one.order - other.order);
  return routes(setUpApi, {
    read: async (ctx) => {
      const states = [];
      // One after another: they take one connection.
      for (const { key, title, to, act, read } of steps) states.push({ key, title, to, act, ...(await read(ctx)) });
      return { steps: states };
    },
    year: addFirstYear,
    classes: addClasses,
  });
};
