import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { clubMaster } from '../contract/masters.ts';
import { clubPages } from '../contract/pages.ts';
import { clubApproval } from './approval.ts';
import clubRoutes from './club.ts';
import { meetingPart } from './family-part.ts';
import { invitation, joined, joinedByText } from './invitation.ts';
import { meetingCard, meetingRoutes } from './meeting.ts';
import { endMembership, memberRoutes } from './member.ts';
import { doorSign, meetsOn } from './settings.ts';

export const club = serverFeature({
  pages: clubPages,
  routes: [...clubRoutes, ...memberRoutes, ...meetingRoutes],
  masters: [clubMaster],
  settings: [meetsOn, doorSign],
  approvals: [clubApproval],
  cards: [meetingCard],
  answers: [endMembership],
  messages: { 'club.invited': invitation, 'club.joined': joined },
  textMessages: { 'club.joined': joinedByText },
  familyParts: [meetingPart],
  auditArea: text`Planted clubs`,
  seed: () => import('../seed.ts'),
  auditWords: {
    actions: {
      'club.joined': { verb: 'Created', words: text`Joined a planted club` },
      'club.left': { verb: 'Ended', words: text`Left a planted club` },
      'club-meeting.exported': { verb: 'Exported', words: text`Exported planted meetings` },
    },
    records: { club: { kind: text`Planted club` }, 'club-meeting': { kind: text`Planted meetings` } },
  },
});
