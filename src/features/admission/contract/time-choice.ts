import * as z from 'zod/mini';
import { abilities } from '#kit/contract/abilities.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, rule } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay, clockTime } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { messageExample, needsPlace, slotChanges, slotFields, slotKinds, slotPlanners, slotReaders } from './slot.ts';

const path = '/process/time-choice';

const endsAfterStart = rule<{ from: string; to: string }>(({ from, to }, say) => {
  if (from !== undefined && to !== undefined && to <= from) say('to', text`Enter a time after From.`);
});

const timeChoice = z.object({
  id: z.number(),
  kind: z.enum(slotKinds),
  until: z.string(),
  /** Families can still choose. */
  isOpen: z.boolean(),
  /** Places in all its slots that are not over or cancelled, and those still free. */
  places: z.number(),
  free: z.number(),
  days: z.array(z.string()),
  families: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      /** The interaction of this kind that is planned with the child; '' without one. */
      startsAt: z.string(),
      isChosen: z.boolean(),
    }),
  ),
  may: abilities('remind', 'end'),
});
export type TimeChoice = z.infer<typeof timeChoice>;

export const timeChoiceApi = {
  /** The choices whose slots are not over, the nearest end first. */
  list: endpoint({
    method: 'GET',
    path,
    access: slotReaders,
    shows: ['slot', 'process', 'inquiry'],
    input: z.object({}),
    output: z.array(timeChoice),
  }),
  /** Makes slots on up to three days, and invites the families of the selected applications to choose one. */
  offer: endpoint({
    method: 'POST',
    path,
    access: slotPlanners,
    changes: slotChanges,
    input: z
      .object({
        selection,
        ...slotFields,
        secondDay: calendarDay(text`Second day`, true),
        thirdDay: calendarDay(text`Third day`, true),
        to: clockTime(text`To`),
        untilDay: calendarDay(text`Families choose until`),
        untilHour: clockTime(text`Hour`),
        confirmToken,
      })
      .check(needsPlace, endsAfterStart),
    output: previewed({
      days: z.array(z.object({ day: z.string(), times: z.array(z.string()) })),
      places: z.number(),
      families: z.number(),
      skipped: z.array(z.object({ id: z.number(), name: z.string(), reason: anyText })),
      example: messageExample,
    }),
  }),
  /** Writes to the families of a choice that have not chosen. */
  remind: endpoint({
    method: 'POST',
    path: `${path}/:id/remind`,
    access: slotPlanners,
    changes: slotChanges,
    input: z.object({ id, confirmToken }),
    output: previewed({ children: z.array(z.string()), example: messageExample }),
  }),
  /** Ends a choice, and cancels its slots that no family has taken. */
  end: endpoint({
    method: 'POST',
    path: `${path}/:id/end`,
    access: slotPlanners,
    changes: slotChanges,
    input: z.object({ id, confirmToken }),
    output: previewed({ slots: z.number(), children: z.array(z.string()) }),
  }),
};
