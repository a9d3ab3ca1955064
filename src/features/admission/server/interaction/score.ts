import { type RawBuilder, sql } from 'kysely';
import type { User } from '#kit/server/context.ts';

/** The average of an inquiry's scores in percent; null without one. */
export const averageScore = sql<number | null>`(
  select round(avg(outcome.score * 100 / outcome.of_score), 1)::double precision from admission_interaction own
  join admission_outcome outcome on outcome.interaction_id = own.id and outcome.of_score > 0
  where own.inquiry_id = inquiry.id)`;

export const recommendationsOf = sql<string | null>`(
  select string_agg(outcome.recommendation, '; ' order by outcome.recommendation) from admission_interaction own
  join admission_outcome outcome on outcome.interaction_id = own.id where own.inquiry_id = inquiry.id)`;

/** What assessors found, for those who read it without having assessed; null for others. */
export const readBy = <Value>({ sets }: User, found: RawBuilder<Value>) =>
  sets.includes('admissionHead') || sets.includes('principal') ? found : sql<Value>`null::text`;
