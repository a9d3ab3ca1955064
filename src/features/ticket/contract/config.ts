import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, optionalId, rule, tick } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay, clockTime, neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { priorities } from './masters.ts';

const access = [admin()];
const shows = ['ticket-policy'];
const changes = ['ticket-policy', 'ticket', 'category', 'hold-reason', 'canned-reply'];

export const configMessages = {
  order: text`Enter at least as many minutes as for the first answer.`,
  past: text`Business hours begin today at the earliest.`,
  closes: text`Enter a later time.`,
  breaks: text`Enter a break within the hours, or leave both times empty.`,
  noDay: text`Enter the hours of at least one day.`,
  sameCategory: text`Choose another category.`,
  hasCategories: text`There are categories already.`,
};

const minutes = (label: ReturnType<typeof text>) => wholeNumber(label, { least: 5, most: 60_000 });

/** The minutes of each priority, such as `highResponse`. */
export const targetFields = priorities.flatMap((priority) => [
  { priority, name: `${priority.toLowerCase()}Response`, kind: 'response' as const },
  { priority, name: `${priority.toLowerCase()}Resolution`, kind: 'resolution' as const },
]);

const targets = {
  lowResponse: minutes(text`Low: minutes to the first answer`),
  lowResolution: minutes(text`Low: minutes to the solution`),
  mediumResponse: minutes(text`Medium: minutes to the first answer`),
  mediumResolution: minutes(text`Medium: minutes to the solution`),
  highResponse: minutes(text`High: minutes to the first answer`),
  highResolution: minutes(text`High: minutes to the solution`),
  urgentResponse: minutes(text`Urgent: minutes to the first answer`),
  urgentResolution: minutes(text`Urgent: minutes to the solution`),
};
export type Targets = { [Name in keyof typeof targets]: number };

const inOrder = rule<Targets>((draft, say) => {
  for (const priority of priorities) {
    const word = priority.toLowerCase() as Lowercase<typeof priority>;
    const [response, resolution] = [draft[`${word}Response`], draft[`${word}Resolution`]];
    if (response !== undefined && resolution !== undefined && resolution < response)
      say(`${word}Resolution`, configMessages.order);
  }
});

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const optionalTime = (label: ReturnType<typeof text>) => clockTime(label, true);
const day = z.object({
  weekday: z.pipe(id, z.number().check(z.lte(7))),
  opens: optionalTime(text`Opens`),
  closes: optionalTime(text`Closes`),
  halfDayCloses: optionalTime(text`Half day until`),
  breakFrom: optionalTime(text`Break from`),
  breakTo: optionalTime(text`Break until`),
});

/** The business hours of one day, as the clock reads them. */
const openDay = z.object({ day: z.string(), spans: z.array(z.object({ from: z.string(), to: z.string() })) });

const target = z.object({ priority: z.enum(priorities), response: z.number(), resolution: z.number() });

export const ticketConfigApi = {
  /** The policies with the targets of their newest version. */
  policies: endpoint({
    method: 'GET',
    path: '/ticket/policy',
    access,
    shows,
    input: z.object({}),
    output: z.object({
      /** There is no category yet, so that the usual set can be added. */
      isEmpty: z.boolean(),
      policies: z.array(
        z.object({
          id: z.number(),
          version: z.number(),
          name: z.string(),
          isDefault: z.boolean(),
          pausesOnHold: z.boolean(),
          /** Open tickets with targets of an earlier version. */
          older: z.number(),
          targets: z.array(target),
        }),
      ),
    }),
  }),
  /** Adds a policy, or a version of one: tickets keep the version that they were raised with. */
  savePolicy: endpoint({
    method: 'POST',
    path: '/ticket/policy',
    access,
    changes,
    input: z
      .object({
        policyId: optionalId,
        name: freeText(text`Name`, 60),
        isDefault: tick(text`Default policy`),
        pausesOnHold: tick(text`The clock stops on hold`),
        ...targets,
      })
      .check(inOrder as never),
    output: z.object({ id: z.number() }),
  }),
  hours: endpoint({
    method: 'GET',
    path: '/ticket/hours',
    access,
    shows,
    input: z.object({}),
    output: z.array(
      z.object({
        id: z.number(),
        fromDay: z.string(),
        days: z.array(
          z.object({
            weekday: z.number(),
            opens: z.string(),
            closes: z.string(),
            halfDayCloses: z.string(),
            breakFrom: z.string(),
            breakTo: z.string(),
          }),
        ),
      }),
    ),
  }),
  saveHours: endpoint({
    method: 'POST',
    path: '/ticket/hours',
    access,
    changes,
    input: z.object({ fromDay: calendarDay(text`From`), days: listOf(day, { most: 7 }) }),
    output: z.object({ id: z.number() }),
  }),
  /** The next seven days with the calendar’s holidays. */
  week: endpoint({
    method: 'GET',
    path: '/ticket/hours/week',
    access,
    shows,
    input: z.object({}),
    output: z.array(openDay),
  }),
  /** When a ticket raised at this time would be due, day by day. */
  tryOut: endpoint({
    method: 'GET',
    path: '/ticket/hours/try',
    access,
    shows,
    input: z.object({
      start: z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/)),
      policyId: id,
      priority: z.enum(priorities),
    }),
    output: z.object({
      responseDueAt: z.nullable(z.iso.datetime()),
      resolutionDueAt: z.nullable(z.iso.datetime()),
      /** The days on which the time of the solution runs, with the minutes that count and those that are left. */
      days: z.array(z.extend(openDay, { minutes: z.number(), left: z.number() })),
    }),
  }),
  /** Moves the open tickets of a policy to its newest targets. */
  applyPolicy: endpoint({
    method: 'POST',
    path: '/ticket/policy/:id/apply',
    access,
    changes: ['ticket'],
    input: z.object({ id, confirmToken }),
    output: previewed({ changed: z.number(), overdue: z.number() }),
  }),
  /** Gives the open tickets of a category another one, and takes it out of use. */
  replaceCategory: endpoint({
    method: 'POST',
    path: '/ticket/category/:id/replace',
    access,
    changes,
    input: z.object({ id, byId: neededId(text`Instead`) }),
    output: z.object({ moved: z.number() }),
  }),
  rules: endpoint({
    method: 'GET',
    path: '/ticket/escalation',
    access,
    shows,
    input: z.object({}),
    output: z.object({
      percent: z.number(),
      workingDays: z.number(),
      warns: z.boolean(),
      tellsHead: z.boolean(),
      tellsPrincipal: z.boolean(),
    }),
  }),
  saveRules: endpoint({
    method: 'POST',
    path: '/ticket/escalation',
    access,
    changes,
    input: z.object({
      warns: tick(text`Tell the person who has it before the due time`),
      percent: wholeNumber(text`At so many percent of the time`, { least: 50, most: 99 }),
      tellsHead: tick(text`Tell the head of the department at the due time`),
      tellsPrincipal: tick(text`Tell the principal later`),
      workingDays: wholeNumber(text`Working days after the due time`, { least: 1, most: 10 }),
    }),
    output: z.object({}),
  }),
  /** The usual categories, targets, hours and replies, where there is no category yet. */
  addUsual: endpoint({
    method: 'POST',
    path: '/ticket/usual',
    access,
    changes,
    input: z.object({}),
    output: z.object({}),
  }),
};
