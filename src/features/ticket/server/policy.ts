import { type Handler, routes } from '#kit/server/http/routes.ts';
import { readOptions } from '#kit/server/master/options.ts';
import { policyNames } from '../contract/masters.ts';

const options: Handler<typeof policyNames.options> = ({ db }, asked) => readOptions(db, policyNames, asked);

export const policyRoutes = routes({ options: policyNames.options }, { options });
