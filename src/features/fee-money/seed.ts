import type { FastifyInstance } from 'fastify';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { seedMoney } from './seed-money.ts';
import { seedYear } from './seed-year.ts';

/** Money, once everything that is charged is there, such as the bus. */
export async function finish(ctx: Context, _app: FastifyInstance, plan: SeedPlan) {
  await seedYear(ctx, plan);
  await seedMoney(ctx, plan);
}
