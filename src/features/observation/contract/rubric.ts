import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, idAndVersion, optionalFreeText, rule, tick } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { percent, wholePercent } from '#kit/contract/money.ts';
import { neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { audiences } from './masters.ts';

const versionStates = options('Draft', 'Published', 'Retired');

export const rubricMessages = {
  weights: text`The weights must total 100 %.`,
  empty: text`Add at least one domain, and an indicator to each domain.`,
  levels: text`The scale needs two to seven levels with points.`,
  published: text`A published version never changes. Save a new version.`,
  levelOfOther: text`Choose a level of this scale.`,
};

const mostDomains = 12;
const mostIndicators = 20;

const access = [admin()];
const path = '/observation/rubric';
const shows = ['rubric', 'rubric-version', 'scale', 'level'] as const;
const changes = ['rubric-version', 'type'] as const;

const level = z.object({ id: z.number(), label: z.string(), points: z.nullable(z.number()), meaning: z.string() });

/** A version as its readers see it: domains with indicators, and the levels of its scale, the lowest first. */
export const shownVersion = z.object({
  id: z.number(),
  number: z.number(),
  scaleId: z.number(),
  levels: z.array(level),
  domains: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      weight: z.nullable(z.number()),
      indicators: z.array(
        z.object({
          id: z.number(),
          text: z.string(),
          isCritical: z.boolean(),
          descriptors: z.array(z.object({ levelId: z.number(), text: z.string() })),
        }),
      ),
    }),
  ),
});
export type ShownVersion = z.infer<typeof shownVersion>;

const indicatorDraft = z.object({
  text: freeText(text`Indicator`, 300),
  isCritical: tick(text`Critical`),
  descriptors: listOf(z.object({ levelId: id, text: optionalFreeText(text`Descriptor`, 500) }), { most: 8 }),
});
const domainDraft = z.object({
  name: freeText(text`Domain`, 80),
  weight: percent(text`Weight (%)`, { least: 1, most: wholePercent, optional: true }),
  indicators: listOf(indicatorDraft, { most: mostIndicators }),
});
export type DomainDraft = z.output<typeof domainDraft>;

const namesOnce = rule<{ domains: DomainDraft[] }>(({ domains = [] }, say) => {
  const names = domains.map((domain) => domain?.name?.toLowerCase());
  names.forEach((name, place) => {
    if (name && names.indexOf(name) < place)
      say(`domains.${place}.name` as 'domains', text`This name is already in use.`);
  });
});

export const rubricApi = {
  /** A rubric with its versions, the newest first. */
  versions: endpoint({
    method: 'GET',
    path: `${path}/:id/version`,
    access,
    shows,
    input: z.object({ id }),
    output: z.object({
      id: z.number(),
      name: z.string(),
      forWhom: z.enum(audiences),
      versions: z.array(
        z.extend(shownVersion, {
          state: z.enum(versionStates),
          publishedAt: z.string(),
          /** The row's version, for saving the draft. */
          version: z.number(),
        }),
      ),
    }),
  }),
  /** Saves the draft whole; 0 as its version begins one. */
  saveDraft: endpoint({
    method: 'PUT',
    path: `${path}/:id/draft`,
    access,
    changes,
    mostBytes: 512 * 1024,
    input: z
      .object({
        id,
        version: wholeNumber(text`Version`, { least: 0, most: 2_147_483_647 }),
        scaleId: neededId(text`Rating scale`),
        domains: listOf(domainDraft, { most: mostDomains }),
      })
      .check(namesOnce),
    output: z.object({ versionId: z.number(), version: z.number() }),
  }),
  /** Publishes the draft; the version before is retired. */
  publish: endpoint({
    method: 'POST',
    path: `${path}/:id/publish`,
    access,
    changes,
    input: z.object(idAndVersion),
    output: z.object({ number: z.number() }),
  }),
  /** Retires the published version: types of the rubric are no longer offered. */
  retire: endpoint({
    method: 'POST',
    path: `${path}/:id/retire`,
    access,
    changes,
    input: z.object({ id }),
    output: z.object({}),
  }),
  /** Adds the usual scale, rubrics, types and follow-up actions to an empty master. */
  usual: endpoint({
    method: 'POST',
    path: '/observation/usual',
    access,
    changes: [...changes, 'rubric', 'scale', 'level', 'action'],
    input: z.object({}),
    output: z.object({ types: z.number() }),
  }),
};
