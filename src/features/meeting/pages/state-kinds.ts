import type { Meeting } from '../contract/meeting.ts';

export const stateKinds = { Draft: 'plain', Open: 'good', Cancelled: 'bad' } as const satisfies Record<
  Meeting['state'],
  string
>;
