import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import { because, fieldInfo, idOrNull } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { text } from '#kit/contract/text.ts';
import { type AudienceKind, audienceKinds, path, wholeKinds, writers } from './words.ts';

const mostRows = 60;

export const audienceMessages = {
  none: text`Add the people it is for.`,
  many: text`Use at most ${{ most: mostRows }} rows.`,
  excludesAll: text`Everyone can’t be excluded.`,
  onlyExcluded: text`Include at least one person first.`,
  outside: text`You can’t address these people. Remove them.`,
};

const isWhole = (kind: string) => wholeKinds.includes(kind as AudienceKind);

const row = z
  .object({
    kind: z.enum(audienceKinds),
    id: z._default(idOrNull, null),
    isExcluded: z._default(z.boolean(), false),
    /** The teachers of these students see it too. */
    hasTeachers: z._default(z.boolean(), true),
  })
  .check(z.refine(({ kind, id }) => isWhole(kind) === (id === null), because(audienceMessages.outside)));
export type AudienceRow = z.infer<typeof row>;

/** The people of an announcement: those of the included rows, without the people of an excluded row. */
export const audience = listOf(row, { most: mostRows, many: audienceMessages.many })
  .check(
    z.refine((rows) => rows.length > 0, because(audienceMessages.none)),
    z.refine(
      (rows) => !rows.some((one) => one.isExcluded && one.kind === 'Everyone'),
      because(audienceMessages.excludesAll),
    ),
    z.refine(
      (rows) => rows.length === 0 || rows.some((one) => !one.isExcluded),
      because(audienceMessages.onlyExcluded),
    ),
  )
  .register(fieldInfo, { label: text`For`, optional: false });

/** A row with the name of what it means. */
export const shownRow = z.object({
  kind: z.enum(audienceKinds),
  id: z.nullable(z.number()),
  isExcluded: z.boolean(),
  hasTeachers: z.boolean(),
  name: z.string(),
});
export type ShownRow = z.infer<typeof shownRow>;

/** Ids of one kind end below this; PostgreSQL's integers do. */
const idsOfKind = 2 ** 32;

/** One number for a choice of any kind, so that one search box offers all of them. */
export const choiceOf = (kind: AudienceKind, id: number | null) => audienceKinds.indexOf(kind) * idsOfKind + (id ?? 0);

export function chosenFrom(choice: number): { kind: AudienceKind; id: number | null } | undefined {
  const kind = audienceKinds[Math.floor(choice / idsOfKind)];
  return kind && { kind, id: isWhole(kind) ? null : choice % idsOfKind };
}

export const audienceApi = {
  /** What can be typed for the people of an announcement: grades, sections, departments, persons. Its ids are choices. */
  options: endpoint({
    method: 'GET',
    path: `${path}/audience`,
    access: writers,
    shows: ['student', 'staff', 'tag'],
    input: z.object(optionsInput),
    output: nameOptions,
  }),
  /** How many people it would reach, before it is published. Stores nothing. */
  count: endpoint({
    method: 'POST',
    path: `${path}/count`,
    access: writers,
    changes: [],
    isRepeatable: true,
    input: z.object({ branchId: z._default(idOrNull, null), audience, sendsEmail: z.boolean(), sendsSms: z.boolean() }),
    output: z.object({
      guardians: z.number(),
      children: z.number(),
      staff: z.number(),
      emails: z.number(),
      texts: z.number(),
      /** Guardians who get messages of the school but have no address of the channels. */
      unreached: z.number(),
      /** The first of them. */
      unreachedNames: z.array(z.string()),
    }),
  }),
};
export type Reach = z.infer<typeof audienceApi.count.output>;
