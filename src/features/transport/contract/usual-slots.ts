import * as z from 'zod/mini';
import { transportKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { type Text, text } from '#kit/contract/text.ts';

interface UsualSlot {
  name: Text;
  direction: 'Pickup' | 'Drop';
  starts: string;
  ends: string;
  weekdays: string;
  /** All grades by default. */
  grades?: 'Pre-primary' | 'Primary';
}

const weekdays = 'Monday,Tuesday,Wednesday,Thursday,Friday,Saturday';

/** The hours of most schools, for a school without time slots; they are edited as others. */
export const usualSlots: readonly UsualSlot[] = [
  { name: text`Morning pickup`, direction: 'Pickup', starts: '06:45', ends: '08:00', weekdays },
  { name: text`Pre-primary drop`, direction: 'Drop', starts: '12:30', ends: '13:30', weekdays, grades: 'Pre-primary' },
  { name: text`Afternoon drop`, direction: 'Drop', starts: '14:00', ends: '15:30', weekdays, grades: 'Primary' },
];

export const usualSlotApi = {
  /** Adds the usual time slots where there are none. */
  addUsualSlots: endpoint({
    method: 'POST',
    path: '/transport/time-slot/usual',
    access: transportKeepers,
    changes: ['time-slot'],
    input: z.object({}),
    output: z.object({ added: z.number() }),
  }),
};
